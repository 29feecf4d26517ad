import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import { createDecipheriv } from "node:crypto"
import { SecretBox } from "../../src/secrets/SecretBox.ts"

const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
const key = new Uint8Array(32).fill(1)
const withKey = (bytes: Uint8Array) => Effect.provide(SecretBox.layer(Redacted.make(bytes)))
const seal = (plain: string, context: string) => Effect.flatMap(SecretBox, (box) => box.seal(plain, context))
const open = (sealed: Uint8Array, context: string) => Effect.flatMap(SecretBox, (box) => box.open(sealed, context))

const diesWith = <A, R>(effect: Effect.Effect<A, never, R>, message: string) =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert.isTrue(Exit.isFailure(exit))
    if (Exit.isFailure(exit)) assert.include(Cause.pretty(exit.cause), message)
  })

describe("sealed secrets", () => {
  it.effect("open for the row that they were sealed for", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "webhook-1")
      assert.strictEqual(yield* open(sealed, "webhook-1"), secret)
    }).pipe(withKey(key))
  )

  it.effect("do not open on another row", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "webhook-1")
      yield* diesWith(open(sealed, "webhook-2"), "The secret of webhook-2 does not open")
    }).pipe(withKey(key))
  )

  it.effect("do not open under another key", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "webhook-1").pipe(withKey(key))
      yield* diesWith(open(sealed, "webhook-1").pipe(withKey(new Uint8Array(32).fill(2))), "SECRET_KEY")
    })
  )

  it.effect("do not open with any byte changed, cut off or absent", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "w")
      for (let index = 0; index < sealed.length; index++) {
        const changed = sealed.slice()
        changed[index] = (changed[index] ?? 0) ^ 1
        yield* diesWith(open(changed, "w"), "The secret of w")
      }
      yield* diesWith(open(sealed.slice(0, 20), "w"), "does not open")
      yield* diesWith(open(sealed.slice(0, 5), "w"), "does not open")
      yield* diesWith(open(new Uint8Array(0), "w"), "unknown version undefined")
    }).pipe(withKey(key))
  )

  it.effect("differ each time, and show nothing of the secret", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* seal(secret, "w"), yield* seal(secret, "w")]
      assert.notDeepEqual(one, two)
      assert.notInclude(Buffer.from(one).toString("latin1"), secret.slice(0, 8))
    }).pipe(withKey(key))
  )

  it.effect("are AES-256-GCM behind a version byte and a nonce, so that other programs can open them", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "w")
      assert.strictEqual(sealed[0], 1)
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, 13))
      decipher.setAAD(Buffer.concat([Buffer.from([1]), Buffer.from("w")]))
      decipher.setAuthTag(sealed.subarray(-16))
      assert.strictEqual(decipher.update(sealed.subarray(13, -16)).toString() + decipher.final("utf8"), secret)
    }).pipe(withKey(key))
  )

  it.effect("need a key of exactly 32 bytes", () => diesWith(seal(secret, "w").pipe(withKey(new Uint8Array(16))), "32"))
})
