/**
 * The secret keys of an installation (`SECRET_KEY`, `SECRET_KEY_PREVIOUS`), and the keys derived from them.
 *
 * Nothing is sealed or signed with a secret key itself: each purpose has a key of its own, derived by HKDF-SHA256, so what
 * was made for one purpose is worth nothing for another.
 */
import { Redacted, Result } from "effect"
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto"

/** A secret key: 32 random bytes. */
export type SecretKey = Redacted.Redacted<Uint8Array>

/** The secret keys of an installation; all its processes have the same. */
export interface SecretKeys {
  /** Seals and signs everything new. */
  readonly current: SecretKey
  /** Opens and verifies what was sealed and signed before the keys were rotated; undefined when there was no rotation. */
  readonly previous: SecretKey | undefined
}

/** What a derived key is for. A changed text is another key: nothing made with the one before opens any more. */
export type Purpose = "webhook secrets" | "idempotency answers" | "cursors"

const keyLength = 32
const keyIdLength = 4

const derive = (key: SecretKey, info: string, length: number): Uint8Array => {
  const bytes = Redacted.value(key)
  if (bytes.length !== keyLength) throw new RangeError(`A secret key has ${keyLength} bytes, not ${bytes.length}.`)
  return new Uint8Array(hkdfSync("sha256", bytes, "", `property-network ${info}`, length))
}

/** Parses a secret key in base64; the reason of a failure does not repeat it. */
export const parseSecretKey = (text: string): Result.Result<SecretKey, string> => {
  const bytes = Buffer.from(text, "base64")
  return bytes.length === keyLength
    ? Result.succeed(Redacted.make(new Uint8Array(bytes)))
    : Result.fail("must be 32 bytes in base64: make one with `openssl rand -base64 32`")
}

/** The key of one purpose. Throws a `RangeError` for a secret key of another length than 32 bytes. */
export const keyFor = (purpose: Purpose, key: SecretKey): KeyObject =>
  createSecretKey(derive(key, `key for ${purpose}`, keyLength))

/** The id of a secret key, in hex: says which key it is, and nothing about it. */
export const keyId = (key: SecretKey): string => Buffer.from(derive(key, "key id", keyIdLength)).toString("hex")
