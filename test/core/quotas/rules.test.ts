import fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { createKinds, exceeded, percentOf, roomOf } from "../../../src/core/quotas/Quota.ts"

const figures = fc.record({ quota: fc.nat(), used: fc.integer({ min: -1000 }) })

describe("A quota", () => {
  it("leaves room for what is not used, and for nothing once it is used up", () => {
    assert.strictEqual(roomOf({ quota: 10, used: 3 }), 7)
    assert.strictEqual(roomOf({ quota: 10, used: 10 }), 0)
    assert.strictEqual(roomOf({ quota: 10, used: 12 }), 0)
  })

  it("is at 100 percent if and only if nothing is left", () => {
    fc.assert(
      fc.property(figures, ({ quota, used }) => {
        assert.strictEqual(percentOf({ quota, used }) >= 100, roomOf({ quota, used }) === 0)
        assert.isAtLeast(percentOf({ quota, used }), 0)
      })
    )
  })

  it("is refused with its kind and its figures", () => {
    for (const kind of createKinds) {
      const { limit, quota, used } = exceeded(kind, { quota: 5, used: 5 }, true)
      assert.deepStrictEqual({ limit, quota, used }, { quota: kind, limit: 5, used: 5 })
    }
    assert.strictEqual(
      exceeded("contacts", { quota: 5, used: 6 }, true).detail,
      "The team may have at most 5 contacts, and has 6. Delete some, or ask the operator of the service to raise the quota."
    )
    assert.strictEqual(
      exceeded("notes_of_resource", { quota: 5, used: 5 }, true).detail,
      "There may be at most 5 notes on one resource, and there are 5. Delete some, or ask the operator of the service to raise the quota."
    )
  })

  it("of another team is refused without figures", () => {
    const { detail, limit, used } = exceeded("messages", { quota: 5, used: 5 }, false)
    assert.deepStrictEqual({ limit, used }, { limit: null, used: null })
    assert.notMatch(detail, /\d/)
  })
})
