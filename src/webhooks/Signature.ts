/** Signs and verifies messages by the Standard Webhooks specification. See docs/behaviour/webhooks.md#signing. */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"

const secretPrefix = "whsec_"
const secretBytes = 32
const signatureVersion = "v1"

/** The maximum distance of a timestamp from the receiver's clock, in seconds. */
const toleranceSeconds = 300

/** The signed content (id, time of the attempt, bytes of the body), and the secrets. */
export interface Signed {
  readonly id: string
  /** Unix time in whole seconds. */
  readonly timestampSeconds: number
  readonly body: Uint8Array
  /** Each is `whsec_…` or the `keyOf` such a secret. There are several while replaced secrets still sign. */
  readonly secrets: ReadonlyArray<string | KeyObject>
}

/** The secret of 32 random bytes, as its owner sees it. Throws a `RangeError` for any other length. */
export const makeSecret = (bytes: Uint8Array): string => {
  if (bytes.length !== secretBytes) {
    throw new RangeError(`A webhook secret is made of ${secretBytes} bytes, not ${bytes.length}.`)
  }
  return secretPrefix + Buffer.from(bytes).toString("base64")
}

const bytesOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, "base64")

/** The signing key of a secret. Creating it takes longer than signing, so cache it. */
export const keyOf = (secret: string): KeyObject => createSecretKey(bytesOf(secret))

const digest = (secret: string | KeyObject, signed: Omit<Signed, "secrets">): Buffer =>
  createHmac("sha256", typeof secret === "string" ? bytesOf(secret) : secret)
    .update(`${signed.id}.${signed.timestampSeconds}.`)
    .update(signed.body)
    .digest()

/** The value of `webhook-signature`: `v1,…` for each secret, in the order given, separated by spaces. */
export const sign = (signed: Signed): string =>
  signed.secrets.map((secret) => `${signatureVersion},${digest(secret, signed).toString("base64")}`).join(" ")

/**
 * Whether one of the signatures was made with one of the secrets, and the timestamp is within the tolerance. Malformed headers
 * are invalid. It compares every signature with every secret in constant time, so the duration does not reveal which one
 * matched.
 */
export const verify = (received: {
  readonly id: string
  /** The `webhook-timestamp` header as received. */
  readonly timestamp: string
  /** The `webhook-signature` header as received. */
  readonly signature: string
  readonly body: Uint8Array
  readonly secrets: ReadonlyArray<string>
  readonly nowSeconds: number
}): boolean => {
  // Rejects other spellings of the same number, because the digest is computed of the canonical one.
  if (!/^(0|[1-9]\d{0,14})$/.test(received.timestamp)) return false
  const timestampSeconds = Number(received.timestamp)
  if (Math.abs(received.nowSeconds - timestampSeconds) > toleranceSeconds) return false
  const offered = received.signature.split(" ").flatMap((entry) => {
    const [version, text] = entry.split(",")
    return version === signatureVersion && text !== undefined ? [Buffer.from(text, "base64")] : []
  })
  let valid = false
  for (const secret of received.secrets) {
    // With an empty key, anyone could sign.
    if (bytesOf(secret).length === 0) continue
    const expected = digest(secret, { id: received.id, timestampSeconds, body: received.body })
    for (const signature of offered) {
      if (signature.length === expected.length && timingSafeEqual(signature, expected)) valid = true
    }
  }
  return valid
}

/** The content of the fixed headers. `test` marks a test delivery. */
export interface Message {
  readonly id: string
  readonly eventType: string
  readonly test?: boolean
}

/** The headers that are the same on every attempt. */
export const fixedHeaders = (message: Message): Record<string, string> => ({
  "Content-Type": "application/json",
  "User-Agent": "PropertyNetwork-Webhooks/1",
  "webhook-id": message.id,
  "X-Service-Event": message.eventType,
  ...(message.test === true ? { "X-Service-Test": "true" } : {})
})

/** All headers of an attempt. */
export const headers = (delivery: Signed & Message): Record<string, string> => ({
  ...fixedHeaders(delivery),
  "webhook-timestamp": String(delivery.timestampSeconds),
  "webhook-signature": sign(delivery)
})
