/**
 * Encrypts secrets at rest (docs/adr/0020-a-key-per-purpose.md).
 *
 * A sealed value is: version (1 byte, 1), id of the secret key (4), salt (16), ciphertext, tag (16). Its AES-256-GCM key and
 * nonce are derived by HKDF-SHA256 from the key of its purpose and its salt, as in RFC 8188: no key seals two values, so
 * there is no limit to how many values a secret key may seal. Version, key id, salt and context are authenticated.
 */
import { Context, Effect, Layer } from "effect"
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto"
import { keyFor, keyId, type Purpose, type SecretKey, type SecretKeys } from "./SecretKeys.ts"

const version = 1
const keyIdLength = 4
const saltLength = 16
const headerLength = 1 + keyIdLength + saltLength
const keyLength = 32
const nonceLength = 12
const tagLength = 16

/** The key of a sealed value: one of the two, or one that this process lacks. */
export type SealedUnder = "current" | "previous" | "unknown"

/** Seals and opens the values of one purpose. */
export interface Box {
  /** `context` is the id of the row that holds the value; the value does not open with another context. */
  readonly seal: (plain: string, context: string) => Effect.Effect<Uint8Array>
  /** Dies if the value does not open: another purpose, context or key, or changed bytes. */
  readonly open: (sealed: Uint8Array, context: string) => Effect.Effect<string>
}

const encrypt = (key: KeyObject, nonce: Uint8Array, plain: string, authenticated: Uint8Array) => {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(authenticated)
  return [cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]
}

const decrypt = (key: KeyObject, nonce: Uint8Array, sealed: Uint8Array, authenticated: Uint8Array) => {
  if (sealed.length < tagLength) throw new RangeError("The value is too short.")
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength })
    .setAAD(authenticated)
    .setAuthTag(sealed.subarray(-tagLength))
  return Buffer.concat([decipher.update(sealed.subarray(0, -tagLength)), decipher.final()]).toString()
}

/** Derives the key and the nonce of one value. */
const derive = (key: KeyObject, salt: Uint8Array) => {
  const bytes = new Uint8Array(hkdfSync("sha256", key, salt, "value", keyLength + nonceLength))
  // A cipher takes three times as long with bytes that are no key yet.
  return { key: createSecretKey(bytes.subarray(0, keyLength)), nonce: bytes.subarray(keyLength) }
}

/** Seals with the current secret key, and opens with the one that a value names. */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    readonly for: (purpose: Purpose) => Box
    /** The key of a sealed value, of which the first five bytes suffice. */
    readonly sealedUnder: (sealed: Uint8Array) => SealedUnder
    /** The first bytes of every value that is sealed under the current key. */
    readonly currentPrefix: Uint8Array
  }
>()("platform/secrets/SecretBox") {
  /** Dies if a key does not have 32 bytes, or if both keys are the same. */
  static readonly layer = (keys: SecretKeys): Layer.Layer<SecretBox> =>
    Layer.effect(
      SecretBox,
      Effect.sync(() => make(keys))
    )
}

const make = ({ current, previous }: SecretKeys): SecretBox["Service"] => {
  const currentId = keyId(current)
  const secretKeys = new Map<string, SecretKey>([[currentId, current]])
  if (previous !== undefined) {
    if (keyId(previous) === currentId) throw new Error("SECRET_KEY_PREVIOUS is the same key as SECRET_KEY.")
    secretKeys.set(keyId(previous), previous)
  }
  const currentPrefix = Uint8Array.from([version, ...Buffer.from(currentId, "hex")])
  const keyIdOf = (sealed: Uint8Array) => Buffer.from(sealed.subarray(1, 1 + keyIdLength)).toString("hex")

  const box = (purpose: Purpose): Box => {
    const keys = new Map([...secretKeys].map(([id, key]) => [id, keyFor(purpose, key)]))
    const currentKey = keyFor(purpose, current)

    const seal = (plain: string, context: string) => {
      const header = Buffer.concat([currentPrefix, randomBytes(saltLength)])
      const { key, nonce } = derive(currentKey, header.subarray(-saltLength))
      const authenticated = Buffer.concat([header, Buffer.from(context)])
      return new Uint8Array(Buffer.concat([header, ...encrypt(key, nonce, plain, authenticated)]))
    }

    const open = (sealed: Uint8Array, context: string) => {
      if (sealed[0] !== version) throw new Error(`it has the unknown version ${sealed[0]}`)
      const purposeKey = keys.get(keyIdOf(sealed))
      if (purposeKey === undefined) {
        throw new Error(`its key ${keyIdOf(sealed)} is neither SECRET_KEY nor SECRET_KEY_PREVIOUS`)
      }
      const header = sealed.subarray(0, headerLength)
      const { key, nonce } = derive(purposeKey, header.subarray(-saltLength))
      return decrypt(key, nonce, sealed.subarray(headerLength), Buffer.concat([header, Buffer.from(context)]))
    }

    return {
      seal: (plain, context) => Effect.sync(() => seal(plain, context)),
      open: (sealed, context) =>
        Effect.try({
          try: () => open(sealed, context),
          catch: (cause) => new Error(`The sealed value of ${context} does not open: ${String(cause)}`, { cause })
        }).pipe(Effect.orDie)
    }
  }

  return SecretBox.of({
    for: box,
    sealedUnder: (sealed) => {
      if (sealed[0] !== version || !secretKeys.has(keyIdOf(sealed))) return "unknown"
      return keyIdOf(sealed) === currentId ? "current" : "previous"
    },
    currentPrefix
  })
}
