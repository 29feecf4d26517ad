/**
 * The secret keys of an installation (`SECRET_KEY`, `SECRET_KEY_PREVIOUS`), and the keys derived from them.
 *
 * Nothing is sealed or signed with a secret key itself. HKDF-SHA256 derives a key for each purpose, so that a value of one
 * purpose is invalid for every other.
 */
import { Redacted, Result } from "effect"
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto"

/** A secret key: 32 random bytes. */
export type SecretKey = Redacted.Redacted<Uint8Array>

/** The secret keys of an installation, which all its processes share. */
export interface SecretKeys {
  /** Seals and signs new values. */
  readonly current: SecretKey
  /** Opens and verifies values from before the last rotation; undefined without a rotation. */
  readonly previous: SecretKey | undefined
}

/** The purpose of a derived key. Changing a text changes its key, and makes existing values unreadable. */
export type Purpose = "webhook secrets" | "idempotency answers" | "cursors" | "erasures" | "inbox" | "kept forms"

const keyLength = 32
const keyIdLength = 4
const fingerprintLength = 16

const derive = (key: SecretKey, info: string, length: number): Uint8Array => {
  const bytes = Redacted.value(key)
  if (bytes.length !== keyLength) throw new RangeError(`A secret key has ${keyLength} bytes, not ${bytes.length}.`)
  return new Uint8Array(hkdfSync("sha256", bytes, "", `property-network ${info}`, length))
}

/** Parses a secret key in base64; the message of a failure does not quote it. */
export const parseSecretKey = (text: string): Result.Result<SecretKey, string> => {
  const bytes = Buffer.from(text, "base64")
  return bytes.length === keyLength
    ? Result.succeed(Redacted.make(new Uint8Array(bytes)))
    : Result.fail("must be 32 bytes in base64; generate one with `openssl rand -base64 32`")
}

/** The key of one purpose. Throws a `RangeError` for a secret key of another length than 32 bytes. */
export const keyFor = (purpose: Purpose, key: SecretKey): KeyObject =>
  createSecretKey(derive(key, `key for ${purpose}`, keyLength))

/** The id of a secret key in hex. It identifies the key and reveals nothing of it. */
export const keyId = (key: SecretKey): string => Buffer.from(derive(key, "key id", keyIdLength)).toString("hex")

/** What a database stores of its secret key, to recognize the key. It reveals nothing of the key. */
export const fingerprintOf = (key: SecretKey): Uint8Array => derive(key, "fingerprint", fingerprintLength)

// Which of the keys of a process belongs to its database. Pure.

/** The key of a process that has a fingerprint: its `current` one, its `previous` one, or `neither`. */
export type KeyMatch = "current" | "previous" | "neither"

const isEqual = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

/** Finds the key of a process that has the stored fingerprint. */
export const matchOf = (
  keys: { readonly current: Uint8Array; readonly previous: Uint8Array | undefined },
  stored: Uint8Array
): KeyMatch => {
  if (isEqual(keys.current, stored)) return "current"
  return keys.previous !== undefined && isEqual(keys.previous, stored) ? "previous" : "neither"
}

/**
 * Whether the keys of a process fit the values of a database that has no fingerprint yet. Some values may be sealed under a
 * key that was lost, but not all.
 */
export const fits = (sealedUnder: ReadonlyArray<"current" | "previous" | "unknown">): boolean =>
  sealedUnder.length === 0 || sealedUnder.some((key) => key !== "unknown")
