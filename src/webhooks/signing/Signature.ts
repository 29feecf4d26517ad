/** Signs deliveries, and verifies them, as the Standard Webhooks specification has it. */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"

const secretPrefix = "whsec_"
const secretBytes = 32
const signatureVersion = "v1"

/** How far a timestamp may lie from the receiver's clock, in seconds. */
const toleranceSeconds = 300

/** What is signed: a message's id, the second of the attempt, and the exact bytes of the body. */
export interface Signed {
  readonly id: string
  /** Unix time in whole seconds. */
  readonly timestampSeconds: number
  readonly body: Uint8Array
  /** Each `whsec_…`, or made of one by `keyOf`; more than one while an old secret and its successor overlap. */
  readonly secrets: ReadonlyArray<string | KeyObject>
}

/** The secret, as it is shown to its owner, of 32 random bytes. Throws a `RangeError` for any other length. */
export const makeSecret = (bytes: Uint8Array): string => {
  if (bytes.length !== secretBytes) {
    throw new RangeError(`A webhook secret is made of ${secretBytes} bytes, not ${bytes.length}.`)
  }
  return secretPrefix + Buffer.from(bytes).toString("base64")
}

const bytesOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, "base64")

/** What a secret signs with. Making it takes longer than signing: who signs often keeps it. */
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
 * Whether one of the signatures was made with one of the secrets, and the timestamp lies within the tolerance.
 * Malformed headers are simply not valid. Every signature is compared with every secret, each in constant time, so the
 * duration tells nothing of which one matched.
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
  // Other spellings of the same number are refused: the signed text is the header's, and ours is always canonical.
  if (!/^(0|[1-9]\d{0,14})$/.test(received.timestamp)) return false
  const timestampSeconds = Number(received.timestamp)
  if (Math.abs(received.nowSeconds - timestampSeconds) > toleranceSeconds) return false
  const offered = received.signature.split(" ").flatMap((entry) => {
    const [version, text] = entry.split(",")
    return version === signatureVersion && text !== undefined ? [Buffer.from(text, "base64")] : []
  })
  let valid = false
  for (const secret of received.secrets) {
    // An empty key would let anyone sign.
    if (bytesOf(secret).length === 0) continue
    const expected = digest(secret, { id: received.id, timestampSeconds, body: received.body })
    for (const signature of offered) {
      if (signature.length === expected.length && timingSafeEqual(signature, expected)) valid = true
    }
  }
  return valid
}

/** A message as its fixed headers tell it. `test` marks a test delivery. */
export interface Message {
  readonly id: string
  readonly eventType: string
  readonly test?: boolean
}

/** The headers of a message that are the same on every attempt. */
export const fixedHeaders = (message: Message): Record<string, string> => ({
  "Content-Type": "application/json",
  "User-Agent": "PropertyNetwork-Webhooks/1",
  "webhook-id": message.id,
  "X-Service-Event": message.eventType,
  ...(message.test === true ? { "X-Service-Test": "true" } : {})
})

/** All headers of a delivery attempt. */
export const headers = (delivery: Signed & Message): Record<string, string> => ({
  ...fixedHeaders(delivery),
  "webhook-timestamp": String(delivery.timestampSeconds),
  "webhook-signature": sign(delivery)
})
