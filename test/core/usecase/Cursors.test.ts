import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { SecretKeys } from "../../../src/platform/secrets/SecretKeys.ts"
import { Cursors } from "../../../src/core/usecase/Page.ts"

const [first, second, third] = [1, 2, 3].map((byte) => Redacted.make(new Uint8Array(32).fill(byte))) as [
  SecretKeys["current"],
  SecretKeys["current"],
  SecretKeys["current"]
]
const binding = { list: "contacts", teamId: "team", filters: { updated_since: "2026-11-21T09:00:00.000Z" } }
const seal = Effect.map(Cursors, (cursors) => cursors.seal(binding, ["2026-11-21T09:00:00.000Z", "id"]))
const open = (cursor: string) => Effect.flatMap(Cursors, (cursors) => cursors.open(binding, cursor))
const withKeys = (current: SecretKeys["current"], previous?: SecretKeys["current"]) =>
  Effect.provide(Cursors.layer({ current, previous }))

describe("cursors", () => {
  it.effect("are accepted after a rotation of the secret key, until the previous one is removed", () =>
    Effect.gen(function* () {
      const cursor = yield* seal.pipe(withKeys(first))
      assert.deepStrictEqual(yield* open(cursor).pipe(withKeys(second, first)), ["2026-11-21T09:00:00.000Z", "id"])
      const refused = yield* Effect.flip(open(cursor).pipe(withKeys(second)))
      assert.strictEqual(refused._tag, "InvalidCursor")
    })
  )

  it.effect("are signed with the current key", () =>
    Effect.gen(function* () {
      const cursor = yield* seal.pipe(withKeys(second, first))
      assert.deepStrictEqual(yield* open(cursor).pipe(withKeys(second)), ["2026-11-21T09:00:00.000Z", "id"])
      yield* Effect.flip(open(cursor).pipe(withKeys(third, first)))
    })
  )
})
