import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { makeDuplicateIndex } from "../../../src/core/records/WriteContext.ts"
import type { Stored } from "../../../src/core/records/Table.ts"

const stored = (uuid: string, keys: ReadonlyArray<string>): Stored<ReadonlyArray<string>> => ({
  uuid,
  version: 1,
  mergedInto: null,
  deleted: false,
  resource: keys
})

const keys = fc.uniqueArray(fc.constantFrom<string>("a", "b", "c"))

describe("An index of duplicates", () => {
  it("finds the records that share a key, in their latest state, in the order in which they were added", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("1", "2", "3", "4"), keys)),
        keys,
        fc.nat(5),
        (known, wanted, cut) => {
          const records = known.map(([uuid, has]) => stored(uuid, has))
          const index = makeDuplicateIndex<ReadonlyArray<string>>((resource) => resource, records.slice(0, cut))
          for (const one of records.slice(cut)) index.add(one)
          const latest = new Map(records.map((one) => [one.uuid, one]))
          assert.deepStrictEqual(
            index.find(wanted),
            [...latest.values()].filter(({ resource }) => resource.some((key) => wanted.includes(key)))
          )
        }
      )
    )
  })

  it("computes the keys of each record once", () => {
    let asked = 0
    const records = Array.from({ length: 1000 }, (_, n) => stored(`${n}`, [`${n % 500}`]))
    const index = makeDuplicateIndex<ReadonlyArray<string>>((resource) => {
      asked++
      return resource
    }, records)
    for (let n = 0; n < 500; n++) assert.lengthOf(index.find([`${n}`]), 2)
    assert.strictEqual(asked, 1000)
  })
})
