import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import { createDecipheriv, hkdfSync } from "node:crypto"
import { SecretBox } from "../../../src/platform/secrets/SecretBox.ts"
import type { Purpose, SecretKeys } from "../../../src/platform/secrets/SecretKeys.ts"

const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
const [first, second, third] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array
]
const keys = (current: Uint8Array, previous?: Uint8Array): SecretKeys => ({
  current: Redacted.make(current),
  previous: previous === undefined ? undefined : Redacted.make(previous)
})
const withKeys = (...given: Parameters<typeof keys>) => Effect.provide(SecretBox.layer(keys(...given)))
const seal = (plain: string, context: string, purpose: Purpose = "webhook secrets") =>
  Effect.flatMap(SecretBox, (box) => box.for(purpose).seal(plain, context))
const open = (sealed: Uint8Array, context: string, purpose: Purpose = "webhook secrets") =>
  Effect.flatMap(SecretBox, (box) => box.for(purpose).open(sealed, context))
const sealedUnder = (sealed: Uint8Array) => Effect.map(SecretBox, (box) => box.sealedUnder(sealed))

const diesWith = <A, R>(effect: Effect.Effect<A, never, R>, message: string) =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert.isTrue(Exit.isFailure(exit))
    if (Exit.isFailure(exit)) assert.include(Cause.pretty(exit.cause), message)
  })

describe("sealed values", () => {
  it.effect("open with the context that they were sealed with", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "webhook-1")
      assert.strictEqual(yield* open(sealed, "webhook-1"), secret)
      assert.strictEqual(yield* open(yield* seal("", ""), ""), "")
    }).pipe(withKeys(first))
  )

  it.effect("do not open with another context", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "webhook-1")
      yield* diesWith(open(sealed, "webhook-2"), "The sealed value of webhook-2 does not open")
    }).pipe(withKeys(first))
  )

  it.effect("do not open for another purpose", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "w", "webhook secrets")
      yield* diesWith(open(sealed, "w", "idempotency answers"), "does not open")
    }).pipe(withKeys(first))
  )

  it.effect("do not open without their key, with a message that says so", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "w").pipe(withKeys(first))
      yield* diesWith(open(sealed, "w").pipe(withKeys(second, third)), "is neither SECRET_KEY nor SECRET_KEY_PREVIOUS")
    })
  )

  it.effect("do not open with any byte changed, cut off or absent", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "w")
      for (let index = 0; index < sealed.length; index++) {
        const changed = sealed.slice()
        changed[index] = (changed[index] ?? 0) ^ 4
        yield* diesWith(open(changed, "w"), "The sealed value of w")
      }
      for (let length = 1; length < sealed.length; length++) {
        yield* diesWith(open(sealed.slice(0, length), "w"), "does not open")
      }
      yield* diesWith(open(new Uint8Array(0), "w"), "unknown version undefined")
    }).pipe(withKeys(first))
  )

  it.effect("differ each time, and do not contain the secret", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* seal(secret, "w"), yield* seal(secret, "w")]
      assert.notDeepEqual(one, two)
      assert.notInclude(Buffer.from(one).toString("latin1"), secret.slice(0, 8))
    }).pipe(withKeys(first))
  )

  it.effect("follow the documented format, so that other programs can open them", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "w")
      assert.strictEqual(sealed[0], 1)
      const hkdf = (key: ArrayBuffer | Uint8Array, salt: Uint8Array, info: string, length: number) =>
        new Uint8Array(hkdfSync("sha256", new Uint8Array(key), salt, info, length))
      const none = new Uint8Array(0)
      assert.deepStrictEqual(sealed.slice(1, 5), hkdf(first, none, "property-network key id", 4))
      const purposeKey = hkdf(first, none, "property-network key for webhook secrets", 32)
      const derived = hkdf(purposeKey, sealed.subarray(5, 21), "value", 44)
      const decipher = createDecipheriv("aes-256-gcm", derived.subarray(0, 32), derived.subarray(32))
      decipher.setAAD(Buffer.concat([sealed.subarray(0, 21), Buffer.from("w")]))
      decipher.setAuthTag(sealed.subarray(-16))
      assert.strictEqual(decipher.update(sealed.subarray(21, -16)).toString() + decipher.final("utf8"), secret)
    }).pipe(withKeys(first))
  )

  it.effect("need keys of exactly 32 bytes, and two different ones", () =>
    Effect.gen(function* () {
      yield* diesWith(seal(secret, "w").pipe(withKeys(new Uint8Array(16))), "32")
      yield* diesWith(seal(secret, "w").pipe(withKeys(first, new Uint8Array(16))), "32")
      yield* diesWith(seal(secret, "w").pipe(withKeys(first, first)), "same key")
    })
  )
})

describe("a rotation of the secret key", () => {
  it.effect("keeps existing values readable, and seals under the new key", () =>
    Effect.gen(function* () {
      const before = yield* seal(secret, "w").pipe(withKeys(first))
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* open(before, "w"), secret)
        assert.strictEqual(yield* sealedUnder(before), "previous")
        const after = yield* seal(secret, "w")
        assert.strictEqual(yield* sealedUnder(after), "current")
        assert.strictEqual(yield* open(after, "w").pipe(withKeys(second)), secret)
        assert.strictEqual(yield* sealedUnder(after).pipe(withKeys(third)), "unknown")
      }).pipe(withKeys(second, first))
    })
  )

  it.effect("can be prepared by giving processes the next key as SECRET_KEY_PREVIOUS", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(secret, "w").pipe(withKeys(second, first))
      assert.strictEqual(yield* open(sealed, "w").pipe(withKeys(first, second)), secret)
    })
  )
})
