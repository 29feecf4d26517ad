/** Random bytes from a pool. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import * as RandomPool from "../../../src/platform/secrets/RandomPool.ts"

describe("random bytes", () => {
  it.effect("have the length that was asked for, are never given out twice, and stay what they were", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const given: Array<Uint8Array> = []
      for (let round = 0; round < 400; round++) {
        for (const size of [16, 10, 32, 1024, 1025, 5000]) {
          const bytes = yield* random.randomBytes(size)
          assert.strictEqual(bytes.length, size)
          given.push(bytes)
        }
      }
      // The first ten bytes of each differ from those of all others, and from what is left in a pool after it was used.
      const beginnings = given.map((bytes) => Buffer.from(bytes.subarray(0, 10)).toString("hex"))
      assert.strictEqual(new Set(beginnings).size, given.length)
      assert.notInclude(beginnings, "00".repeat(10))
      assert.deepStrictEqual([...(yield* random.randomBytes(0))], [])
    }).pipe(Effect.provide(RandomPool.layer))
  )

  it.effect("make ids in their order", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const ids = yield* Effect.forEach(Array.from({ length: 5000 }), () => random.uuidV7())
      assert.deepStrictEqual([...new Set(ids)].sort(), ids)
    }).pipe(Effect.provide(RandomPool.layer))
  )
})
