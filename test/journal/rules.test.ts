import { assert, test } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { describe } from "vitest"
import { eventTypes } from "../../src/changes/Event.ts"
import { JournalEntry } from "../../src/journal/Entry.ts"
import { maxScanned, outOfReach, reached, type Standing } from "../../src/journal/rules.ts"
import { sampleOf } from "../../src/changes/SampleEvent.ts"
import { decode } from "../../src/usecase/Input.ts"

const standing: Standing = { lastSeq: 20, purgedSeq: 7, waiting: false }

/** What the repository gives: one more than the page has, of those that match, among the numbers that are looked at. */
const found = (matching: ReadonlyArray<number>, after: number, pageSize: number) =>
  matching
    .filter((seq) => seq > after && seq <= after + maxScanned)
    .slice(0, pageSize + 1)
    .map((seq) => ({ seq }))

describe("The journal", () => {
  test("can be read on from every number but those that are gone and those that were never given", () => {
    for (let after = 0; after <= 25; after++) {
      const refusal = outOfReach(after, standing)
      assert.strictEqual(refusal !== undefined, after < 7 || after > 20, `${after}`)
      if (refusal !== undefined) assert.include(refusal.detail, "after=20")
    }
  })

  test("is read whole, each match once and in order, whatever matches and however large the pages are", () => {
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
            const page = reached(rows, { after, pageSize, standing: { lastSeq, purgedSeq: 0, waiting: false } })
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

  test("has more while events wait for their numbers", () => {
    const options = { after: 20, pageSize: 5, standing: { ...standing, waiting: true } }
    assert.deepStrictEqual(reached([], options), { nextAfter: 20, hasMore: true })
  })

  test("describes the payload of every type of event, and no other member", () => {
    const read = decode(JournalEntry)
    for (const type of eventTypes) {
      const entry = { seq: 1, ...sampleOf(type, new Date("2026-11-21T09:30:00Z")) }
      assert.deepStrictEqual<unknown>(read(entry), Result.succeed(entry))
      assert.isTrue(Result.isFailure(read({ ...entry, other: 1 })))
    }
  })
})
