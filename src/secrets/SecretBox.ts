/** Keeps secrets encrypted at rest. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Aead, SecureRandom } from "effect/crypto"

// Byte 0 of every sealed value: a successor (another key, another algorithm) takes the next number, so that old rows
// still tell how they are to be opened.
const version = 1
const nonceLength = Aead.aes256Gcm.nonceLength

// The version is authenticated with the context, so it cannot be changed on the row either.
const associatedData = (context: string): Uint8Array => Uint8Array.from([version, ...new TextEncoder().encode(context)])

/**
 * Seals a secret for one row, and opens it again. `context` is the id of the row (the webhook): what was sealed for one
 * row does not open on another. Sealed form: version (1 byte), nonce (12), ciphertext, tag (16).
 *
 * What does not open (another key, another row, damaged bytes) is a defect: no caller can do anything about it.
 */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    seal(plain: string, context: string): Effect.Effect<Uint8Array>
    open(sealed: Uint8Array, context: string): Effect.Effect<string>
  }
>()("secrets/SecretBox") {
  /** AES-256-GCM under a key of 32 bytes; a key of any other length is a defect of the layer. */
  static layer(key: Redacted.Redacted<Uint8Array>): Layer.Layer<SecretBox> {
    return Layer.effect(SecretBox, make(key)).pipe(
      Layer.provide(Aead.layerWebCrypto),
      Layer.provide(SecureRandom.layerWebCrypto)
    )
  }
}

const make = Effect.fn("SecretBox.make")(function* (redacted: Redacted.Redacted<Uint8Array>) {
  const aead = yield* Aead.Aead
  const random = yield* SecureRandom.SecureRandom
  const key = yield* Aead.key(Aead.aes256Gcm, Redacted.value(redacted)).pipe(Effect.orDie)

  const seal = Effect.fn("SecretBox.seal")(function* (plain: string, context: string) {
    const nonce = yield* random.randomBytes(nonceLength)
    const ciphertext = yield* aead.encrypt(key, new TextEncoder().encode(plain), {
      nonce,
      aad: associatedData(context)
    })
    const sealed = new Uint8Array(1 + nonceLength + ciphertext.length)
    sealed[0] = version
    sealed.set(nonce, 1)
    sealed.set(ciphertext, 1 + nonceLength)
    return sealed
  }, Effect.orDie)

  const open = Effect.fn("SecretBox.open")(function* (sealed: Uint8Array, context: string) {
    if (sealed[0] !== version) {
      return yield* Effect.die(new Error(`The secret of ${context} is sealed in the unknown version ${sealed[0]}.`))
    }
    const plain = yield* aead
      .decrypt(key, sealed.subarray(1 + nonceLength), {
        nonce: sealed.subarray(1, 1 + nonceLength),
        aad: associatedData(context)
      })
      .pipe(
        Effect.catch((cause) =>
          Effect.die(
            new Error(`The secret of ${context} does not open: was it sealed under another SECRET_KEY?`, { cause })
          )
        )
      )
    return new TextDecoder().decode(plain)
  })

  return SecretBox.of({ seal, open })
})
