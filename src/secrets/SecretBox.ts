/**
 * Encrypts secrets at rest.
 *
 * A sealed value is: version (1 byte, 2), id of the secret key (4), salt (16), ciphertext, tag (16). Its AES-256-GCM key and
 * nonce are derived by HKDF-SHA256 from the key of its purpose and its salt, as in RFC 8188: no key seals two values, so
 * there is no limit to how many values a secret key may seal. Version, key id, salt and context are authenticated.
 *
 * Version 1 was: version (1), nonce (12), ciphertext, tag (16), under `SECRET_KEY` itself. It still opens; nothing new is
 * sealed so, and `workers/housekeeping/webhookSecrets.ts` re-encrypts what is.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto"
import { keyFor, keyId, type Purpose, type SecretKey, type SecretKeys } from "./SecretKeys.ts"

const version = 2
const keyIdLength = 4
const saltLength = 16
const headerLength = 1 + keyIdLength + saltLength
const keyLength = 32
const nonceLength = 12
const tagLength = 16

/** What a sealed value needs to be opened: one of the two keys, one of them in version 1, or a key that is not here. */
export type SealedUnder = "current" | "previous" | "version 1" | "unknown"

/** Seals and opens the values of one purpose. */
export interface Box {
  /** `context` is the id of the row that the value is for: it does not open with another one. */
  readonly seal: (plain: string, context: string) => Effect.Effect<Uint8Array>
  /** A value that does not open (other purpose, context or key, changed bytes) is a defect: no caller can do anything about it. */
  readonly open: (sealed: Uint8Array, context: string) => Effect.Effect<string>
}

const encrypt = (key: KeyObject | Uint8Array, nonce: Uint8Array, plain: string, authenticated: Uint8Array) => {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(authenticated)
  return [cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]
}

const decrypt = (key: KeyObject | Uint8Array, nonce: Uint8Array, sealed: Uint8Array, authenticated: Uint8Array) => {
  if (sealed.length < tagLength) throw new RangeError("The value is too short.")
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength })
    .setAAD(authenticated)
    .setAuthTag(sealed.subarray(-tagLength))
  return Buffer.concat([decipher.update(sealed.subarray(0, -tagLength)), decipher.final()]).toString()
}

/** The key and the nonce of one value. */
const derived = (key: KeyObject, salt: Uint8Array) => {
  const bytes = new Uint8Array(hkdfSync("sha256", key, salt, "value", keyLength + nonceLength))
  return { key: bytes.subarray(0, keyLength), nonce: bytes.subarray(keyLength) }
}

/** Seals with the current secret key, and opens with the one that a value names. */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    readonly for: (purpose: Purpose) => Box
    /** Which key a value is sealed under. Reads the first five bytes, so these are enough. */
    readonly sealedUnder: (sealed: Uint8Array) => SealedUnder
    /** The bytes with which every value begins that is sealed under the current key. */
    readonly currentPrefix: Uint8Array
  }
>()("secrets/SecretBox") {
  /** A key of another length than 32 bytes is a defect of the layer, and so are two keys that are the same. */
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

  const openVersion1 = (sealed: Uint8Array, context: string): string => {
    const authenticated = Buffer.concat([sealed.subarray(0, 1), Buffer.from(context)])
    let failure: unknown
    // The value does not say which key it needs.
    for (const key of secretKeys.values()) {
      const [nonce, encrypted] = [sealed.subarray(1, 1 + nonceLength), sealed.subarray(1 + nonceLength)]
      try {
        return decrypt(createSecretKey(Redacted.value(key)), nonce, encrypted, authenticated)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  const box = (purpose: Purpose): Box => {
    const keys = new Map([...secretKeys].map(([id, key]) => [id, keyFor(purpose, key)]))
    const currentKey = keyFor(purpose, current)

    const seal = (plain: string, context: string) => {
      const header = Buffer.concat([currentPrefix, randomBytes(saltLength)])
      const { key, nonce } = derived(currentKey, header.subarray(-saltLength))
      const authenticated = Buffer.concat([header, Buffer.from(context)])
      return new Uint8Array(Buffer.concat([header, ...encrypt(key, nonce, plain, authenticated)]))
    }

    const open = (sealed: Uint8Array, context: string) => {
      if (sealed[0] === 1) return openVersion1(sealed, context)
      if (sealed[0] !== version) throw new Error(`it has the unknown version ${sealed[0]}`)
      const purposeKey = keys.get(keyIdOf(sealed))
      if (purposeKey === undefined) {
        throw new Error(`its key ${keyIdOf(sealed)} is neither SECRET_KEY nor SECRET_KEY_PREVIOUS`)
      }
      const header = sealed.subarray(0, headerLength)
      const { key, nonce } = derived(purposeKey, header.subarray(-saltLength))
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
      if (sealed[0] === 1) return "version 1"
      if (sealed[0] !== version || !secretKeys.has(keyIdOf(sealed))) return "unknown"
      return keyIdOf(sealed) === currentId ? "current" : "previous"
    },
    currentPrefix
  })
}
