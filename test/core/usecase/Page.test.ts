import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { fill, maxPageBytes } from "../../../src/core/usecase/Page.ts"

interface Row {
  readonly index: number
  readonly text: string
}

/** Reads all pages of a list; returns the rows of each, and how many rows were asked for and read. */
const readAll = Effect.fnUntraced(function* (list: ReadonlyArray<Row>, pageSize: number) {
  const pages: Array<ReadonlyArray<Row>> = []
  let reads = 0
  let rowsRead = 0
  for (let end = -1; ;) {
    const { hasMore, rows } = yield* fill(pageSize, (after: Row | undefined, limit) =>
      Effect.sync(() => {
        const begin = (after?.index ?? end) + 1
        const found = list.slice(begin, begin + limit)
        reads++
        rowsRead += found.length
        return found
      })
    )
    pages.push(rows)
    if (!hasMore) return { pages, reads, rowsRead }
    end = rows.at(-1)?.index ?? Number.NaN
  }
})

const listOf = (sizes: ReadonlyArray<number>) =>
  sizes.map((size, index): Row => ({ index, text: "ä".repeat(size / 2) }))

describe("A page", () => {
  it.effect("ends before the record that would make it larger than 2 MiB, but has at least one", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(10, 100_000, 1_000_000, 5_000_000), { maxLength: 20 }),
          fc.integer({ min: 1, max: 8 }),
          async (sizes, pageSize) => {
            const list = listOf(sizes)
            const { pages } = await Effect.runPromise(readAll(list, pageSize))
            assert.deepStrictEqual(pages.flat(), list)
            for (const [number, page] of pages.entries()) {
              const bytes = page.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
              assert.isTrue(page.length === 1 || bytes <= maxPageBytes)
              assert.isAtMost(page.length, pageSize)
              // Only the last may be shorter without a reason.
              const next = pages[number + 1]?.[0]
              if (next !== undefined && page.length < pageSize) {
                assert.isAbove(bytes + Buffer.byteLength(next.text) + 1000, maxPageBytes)
              }
            }
          }
        ),
        { numRuns: 50 }
      )
    )
  )

  it.effect("does not read what does not fit into it", () =>
    Effect.gen(function* () {
      const fat = yield* readAll(listOf(Array.from({ length: 500 }, () => 50_000)), 500)
      assert.isAtLeast(fat.pages.length, 6)
      assert.isAtMost(fat.rowsRead, 101 * fat.pages.length)
      const thin = yield* readAll(listOf(Array.from({ length: 500 }, () => 100)), 500)
      assert.deepStrictEqual([thin.pages.length, thin.reads, thin.rowsRead], [1, 4, 500])
      const short = yield* readAll(listOf(Array.from({ length: 50 }, () => 100)), 50)
      assert.deepStrictEqual([short.pages.length, short.reads, short.rowsRead], [1, 1, 50])
    })
  )
})
