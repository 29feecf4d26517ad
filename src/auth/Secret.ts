/**
 * The texts that callers authenticate with (decisions §3): a prefix that says what it is, 256 random bits in base62,
 * and a checksum, so that secret scanners know one when they see it and do not take anything else for one.
 */
import { createHash } from "node:crypto"
import { crc32 } from "node:zlib"

/** What a secret is for, by the prefix that it begins with. */
export const prefixes = { personal: "pnp_", access: "pna_", client: "pns_" } as const

/** What a secret is for. */
export type Kind = keyof typeof prefixes

/** How many random bytes a secret holds. */
export const byteLength = 32

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// The lengths that hold 256 and 32 bits.
const bodyLength = 43
const checksumLength = 6

const form = new RegExp(`^(?:${Object.values(prefixes).join("|")})[${digits}]{${bodyLength + checksumLength}}$`)

const base62 = (value: bigint, length: number): string => {
  let text = ""
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text
}

// Over the prefix too: a secret of one kind is not well-formed as another.
const checksumOf = (text: string): string => base62(BigInt(crc32(text)), checksumLength)

/** The secret of `bytes`, which must be {@link byteLength} random ones. */
export const make = (kind: Kind, bytes: Uint8Array): string => {
  if (bytes.length !== byteLength) throw new RangeError(`A secret is made of ${byteLength} bytes, not ${bytes.length}.`)
  const text = prefixes[kind] + base62(BigInt(`0x${Buffer.from(bytes).toString("hex")}`), bodyLength)
  return text + checksumOf(text)
}

/** Whether a text can be a secret at all: its form and its checksum are right. */
export const isWellFormed = (text: string): boolean =>
  form.test(text) && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength)

/**
 * What is stored of a secret: its SHA-256. Nothing slower is needed, since nobody can guess 256 random bits.
 */
export const hash = (text: string): Uint8Array => createHash("sha256").update(text).digest()
