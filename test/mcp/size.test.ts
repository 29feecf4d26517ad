import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { cutLists, fitting, shortened } from "../../src/mcp/text.ts"

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

  it("shortens no id, reference, address, URL or cursor", () => {
    const whole = {
      id: "i".repeat(300),
      nextCursor: "c".repeat(300),
      externalRefs: ["r".repeat(300)],
      email: "e".repeat(300),
      homepageUrl: "u".repeat(300),
      rows: [{ projectIds: ["p".repeat(300)] }]
    }
    const { shortened: names, value } = shortened({ ...whole, notes: ["n".repeat(1_000)] }, 2_100)
    assert.deepStrictEqual(names, ["notes"])
    assert.deepStrictEqual({ ...value, notes: [] }, { ...whole, notes: [] })
    assert.isAtMost(JSON.stringify(value).length, 2_100)
    assert.deepStrictEqual(shortened(whole, 1_000), { value: whole, shortened: [] })
  })

  it("cuts the lists that have no room, and counts what is left out", () => {
    const view = { id: "x", short: ["a"], long: ["a", "b", "c"] }
    assert.deepStrictEqual(cutLists(view, { short: 100, long: 100 }), view)
    const cut = { ...view, long: ["a", "b"], leftOut: { long: 1 } }
    assert.deepStrictEqual(cutLists(view, { short: 100, long: 10 }), cut)
  })
})
