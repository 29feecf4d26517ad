/**
 * Tokens and client secrets: a prefix for the kind, 256 random bits in base62, and a checksum. The prefix and the checksum let
 * secret scanners recognize them without false positives. See docs/behaviour/identity.md#tokens.
 */
import { hash as digest } from "node:crypto"
import { crc32 } from "node:zlib"

/** The prefix of each kind of secret. */
export const prefixes = {
  personal: "pnp_",
  access: "pna_",
  client: "pns_",
  session: "pnx_",
  link: "pnl_",
  invitation: "pni_",
  code: "pnc_",
  refresh: "pnr_"
} as const

/**
 * The kind of a secret: a personal access token, an access token, the secret of an OAuth client, a session in a browser, a link
 * that sets a password, an invitation to a team, an authorization code, or a refresh token.
 */
export type Kind = keyof typeof prefixes

/** The number of random bytes in a secret. */
export const byteLength = 32

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const prefixLength = 4

// The number of base62 digits for 256 bits and for 32 bits.
const bodyLength = 43
const checksumLength = 6

const form = new RegExp(`^(?:${Object.values(prefixes).join("|")})[${digits}]{${bodyLength + checksumLength}}$`)

const base62 = (value: bigint, length: number): string => {
  let text = ""
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text
}

// Includes the prefix, so that a secret of one kind is not well-formed as another kind.
const checksumOf = (text: string): string => {
  let checksum = ""
  for (let rest = crc32(text); checksum.length < checksumLength; rest = Math.floor(rest / 62)) {
    checksum = digits.charAt(rest % 62) + checksum
  }
  return checksum
}

/** Makes a secret of {@link byteLength} random bytes. */
export const make = (kind: Kind, bytes: Uint8Array): string => {
  if (bytes.length !== byteLength) throw new RangeError(`A secret needs ${byteLength} bytes, not ${bytes.length}.`)
  const text = prefixes[kind] + base62(BigInt(`0x${Buffer.from(bytes).toString("hex")}`), bodyLength)
  return text + checksumOf(text)
}

/** The bytes that a well-formed secret was made of; undefined for those of no secret. */
export const bytesOf = (text: string): Uint8Array | undefined => {
  const body = text.slice(prefixLength, -checksumLength)
  const value = [...body].reduce((rest, digit) => rest * 62n + BigInt(digits.indexOf(digit)), 0n)
  const hex = value.toString(16).padStart(2 * byteLength, "0")
  return hex.length > 2 * byteLength ? undefined : new Uint8Array(Buffer.from(hex, "hex"))
}

/** Whether a text has the form and the checksum of a secret. */
export const isWellFormed = (text: string): boolean =>
  form.test(text) && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength)

/** The stored form of a secret: its SHA-256. A slow hash is unnecessary, because 256 random bits cannot be guessed. */
export const hash = (text: string): Uint8Array => digest("sha256", text, "buffer")
