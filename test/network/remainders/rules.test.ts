import { assert, describe, it } from "@effect/vitest"
import * as Id from "../../../src/core/Id.ts"
import { endingsOf } from "../../../src/network/remainders/rules.ts"

const uuid = (last: number) => `00000000-0000-7000-8000-00000000000${last}`

const record = (last: number, into?: number) => ({
  uuid: uuid(last),
  deleted: true,
  mergedInto: into === undefined ? null : Id.fromUuid("contact", uuid(into))
})

const living = (last: number) => ({ uuid: uuid(last), deleted: false, mergedInto: null })

describe("The continuation of a deletion, restore or merge", () => {
  it("follows each record to the one that it leads to now", () => {
    const ended = [record(1, 8), record(2, 9), record(3, 8), record(4)]
    assert.deepStrictEqual(endingsOf("contact", ended, [living(8), living(9)]), {
      living: [],
      deleted: [uuid(4)],
      merged: [
        { from: [uuid(1), uuid(3)], to: uuid(8) },
        { from: [uuid(2)], to: uuid(9) }
      ]
    })
  })

  it("is a deletion where the survivor was deleted, or purged", () => {
    assert.deepStrictEqual(endingsOf("contact", [record(1, 8), record(2, 9)], [record(8)]), {
      living: [],
      deleted: [uuid(1), uuid(2)],
      merged: []
    })
  })

  it("is a restore of records that live", () => {
    assert.deepStrictEqual(endingsOf("contact", [living(1)], []), { living: [uuid(1)], deleted: [], merged: [] })
  })
})
