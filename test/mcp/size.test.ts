import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { fitting, shortened } from "../../src/mcp/size.ts"

describe("The size of answers", () => {
  it("lets as many rows through as fit, and at least one", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.integer({ min: 2, max: 300 }), (rows, room) => {
        const count = fitting(rows, room)
        assert.isAtLeast(count, 1)
        assert.isAtMost(count, rows.length)
        if (count > 1) assert.isAtMost(JSON.stringify(rows.slice(0, count)).length, room + 1)
        if (count < rows.length) assert.isAbove(JSON.stringify(rows.slice(0, count + 1)).length + 1, room)
      })
    )
  })

  it("shortens the longest texts until a record fits, and names them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 60_000 }), (first, second) => {
        const record = { id: "x", strategy: "s".repeat(first), notes: [{ text: "t".repeat(second) }] }
        const { shortened: names, value } = shortened(record, 40_000)
        assert.isAtMost(JSON.stringify(value).length, 40_000)
        assert.strictEqual(value["id"], "x")
        if (JSON.stringify(record).length <= 40_000) {
          assert.deepStrictEqual(value, record)
          assert.deepStrictEqual(names, [])
        } else assert.isNotEmpty(names)
      })
    )
  })
})
