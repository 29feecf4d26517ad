import fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { fromStored, toStored } from "../../../src/core/usecase/Idempotency.ts"

describe("A stored answer", () => {
  it("is the same text again", () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 400 }), (json, times) => {
        const text = JSON.stringify(Array.from({ length: times }, () => json))
        assert.isTrue(fromStored(toStored(text)) === text)
      }),
      { numRuns: 100 }
    )
  })

  it("is stored as it is while it is short, so that most creates cost nothing more", () => {
    const short = JSON.stringify({ name: "ä".repeat(1000) })
    assert.strictEqual(toStored(short), short)
  })

  it("takes a fraction of its length when it repeats itself", () => {
    const faults = JSON.stringify(
      Array.from({ length: 1000 }, (_, item) => ({ pointer: `/items/${item}`, detail: "Is required." }))
    )
    assert.isBelow(toStored(faults).length, faults.length / 10)
  })
})
