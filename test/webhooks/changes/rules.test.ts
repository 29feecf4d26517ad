import fc from "fast-check"
import { assert, test } from "@effect/vitest"
import { Result } from "effect"
import { describe } from "vitest"
import { eventTypes } from "../../../src/core/mutation/Event.ts"
import { JournalEntry } from "../../../src/webhooks/changes/Entry.ts"
import { endOfPage, type JournalState, maxScanned, rejectAfter } from "../../../src/webhooks/changes/rules.ts"
import { sampleOf } from "../../../src/core/mutation/SampleEvent.ts"
import { decode } from "../../../src/core/usecase/Input.ts"

const state: JournalState = { lastSeq: 20, purgedSeq: 7, hasUnnumbered: false }

/** The rows that the repository returns: matches among the scanned numbers, at most one more than the page has. */
const found = (matching: ReadonlyArray<number>, after: number, pageSize: number) =>
  matching
    .filter((seq) => seq > after && seq <= after + maxScanned)
    .slice(0, pageSize + 1)
    .map((seq) => ({ seq }))

describe("The journal", () => {
  test("continues from every number, except purged ones and ones that were never assigned", () => {
    for (let after = 0; after <= 25; after++) {
      const refusal = rejectAfter(after, state, 90)
      assert.strictEqual(refusal !== undefined, after < 7 || after > 20, `${after}`)
      if (refusal !== undefined) assert.include(refusal.detail, after < 7 ? "after=7." : "after=20.")
    }
  })

  test("returns each matching event once and in order, for any matches and page size", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 * maxScanned }),
        fc.uniqueArray(fc.integer({ min: 1, max: 3 * maxScanned }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 20 }),
        (lastSeq, some, pageSize) => {
          const matching = some.filter((seq) => seq <= lastSeq).sort((a, b) => a - b)
          const seen: Array<number> = []
          let after = 0
          for (let hasMore = true; hasMore;) {
            const rows = found(matching, after, pageSize)
            const page = endOfPage(rows, { after, pageSize, state: { lastSeq, purgedSeq: 0, hasUnnumbered: false } })
            seen.push(...rows.slice(0, pageSize).map(({ seq }) => seq))
            assert.isTrue(page.nextAfter > after || !page.hasMore)
            after = page.nextAfter
            hasMore = page.hasMore
          }
          assert.deepStrictEqual(seen, matching)
          assert.strictEqual(after, lastSeq)
        }
      )
    )
  })

  test("reports more while events are not numbered yet", () => {
    const options = { after: 20, pageSize: 5, state: { ...state, hasUnnumbered: true } }
    assert.deepStrictEqual(endOfPage([], options), { nextAfter: 20, hasMore: true })
  })

  test("has a schema that accepts the payload of every event type and rejects other members", () => {
    const read = decode(JournalEntry)
    for (const type of eventTypes) {
      const entry = { seq: 1, ...sampleOf(type, new Date("2026-11-21T09:30:00Z")) }
      assert.deepStrictEqual<unknown>(read(entry), Result.succeed(entry))
      assert.isTrue(Result.isFailure(read({ ...entry, other: 1 })))
    }
  })
})
