/** What an attempt is, which responses are read how far, and sentences for failures: pure. See docs/behaviour/webhooks.md#attempts. */
import { Schema } from "effect"

/** The start and the duration of an attempt. */
export interface Timed {
  readonly startedAt: Date
  /** Whole milliseconds. */
  readonly durationMs: number
}

/** The receiver responded, with any status. */
export interface Answered extends Timed {
  readonly outcome: "answered"
  readonly statusCode: number
  /** By lower-case name; the values of a repeated header are joined by `, `. */
  readonly responseHeaders: Readonly<Record<string, string>>
  /** The first 4 KiB of the body as text, without NUL. */
  readonly responseBody: string
  /** The `Retry-After` header in whole seconds from the end of the attempt. */
  readonly retryAfterSeconds?: number
}

/** There was no response, or a 2xx response that did not end in time. */
export interface Failed extends Timed {
  readonly outcome: "failed"
  /** A sentence that says what failed. */
  readonly error: string
  /** Present if the service itself was the reason, and not the receiver: its network, its name servers, its secret key, a defect. */
  readonly ownFault?: true
  /** Present if the head of a response arrived. */
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** The part of the body that arrived, up to 4 KiB. */
  readonly responseBody?: string
}

/** The result of one request to a receiver. A failure is a value, because it is expected. */
export type Attempt = Answered | Failed

/**
 * The refusal of a receiver's URL. `reason` is a sentence for people. It does not reveal what a host name resolves to, nor
 * whether it exists: otherwise every user who may add webhooks could list the hosts of our network.
 */
export class UrlRejected extends Schema.TaggedError<UrlRejected>()("UrlRejected", {
  code: Schema.Literals(["not_https", "credentials", "fragment", "forbidden_address", "malformed", "too_long"]),
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}

/** The name servers of this machine answer nothing at all, so that nothing is known of the host. */
export class NameServersAway extends Error {
  override readonly name = "NameServersAway"
}

/** Whether a status means that the receiver accepted the delivery. */
export const isAccepted = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300

/** How many bytes of a response body are read. */
export const readLimit = 16 * 1024

/** How many bytes of a response body are kept. */
export const keptLimit = 4 * 1024

/**
 * How many bytes may arrive on the connection for one response: enough for the longest head, and for a body of `readLimit` in
 * chunks of a single byte.
 */
export const wireLimit = 128 * 1024

/**
 * The kept part of a body as text. Omits a character that the cut has split. Replaces invalid UTF-8 with U+FFFD, and NUL as well,
 * which Postgres cannot store in a text.
 */
export const keptBody = (chunks: ReadonlyArray<Uint8Array>, cut: boolean): string =>
  chunks.length === 0 ? "" : new TextDecoder().decode(Buffer.concat(chunks), { stream: cut }).replaceAll("\0", "\uFFFD")

/** Headers with one string for each name. */
export const headersOf = (
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Record<string, string> => {
  const record: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) record[name] = typeof value === "string" ? value : value.join(", ")
  }
  return record
}

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/

/**
 * The seconds of a `Retry-After` header: its number, or the time until its HTTP date (0 if past). `undefined` if it is neither.
 */
export const retryAfterSeconds = (header: string | undefined, nowMillis: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  if (!httpDate.test(text)) return undefined
  // The asctime form of an HTTP date has no zone and means GMT.
  const millis = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`)
  return Number.isNaN(millis) ? undefined : Math.max(0, Math.ceil((millis - nowMillis) / 1000))
}

/** The code of a system or TLS error (`ECONNREFUSED`), or its name if it has no code. */
export const errorCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  return "code" in error && typeof error.code === "string" ? error.code : error.name
}

/** The step in which the deadline of an attempt passed. */
export type Phase = "dns" | "connection" | "tls" | "answer" | "body"

const unfinished: Record<Phase, string> = {
  dns: "DNS had not answered",
  connection: "no connection had been made",
  tls: "the TLS handshake had not ended",
  answer: "no answer had come",
  body: "the answer had begun but not ended"
}

/** The sentence for a timeout. */
export const timeoutError = (phase: Phase, deadlineMillis: number): string =>
  `Timeout: ${unfinished[phase]} after ${deadlineMillis / 1000} seconds.`

const tls =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_CERT|EPROTO$|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/

/** The sentence for a connection that closed early. */
export const closedEarly = "The receiver closed the connection without a complete answer."

/** The sentence for a response with too many bytes outside its body. */
export const tooMuch = "The receiver sent too much besides its answer."

/** The sentence for a body that is larger than was asked for. */
export const tooLarge = (maxBytes: number): string => `The answer is larger than ${maxBytes} bytes.`

// Node's messages continue with internals of OpenSSL, or with hints for the operator. This is the part before them.
const tlsReason = (error: Error): string => {
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : undefined
  const routine = /SSL routines:[^:]*:([^:]+)/.exec(error.message)?.[1]
  return (reason ?? routine ?? error.message.split(";")[0] ?? "").trim().replace(/\.$/, "").slice(0, 300)
}

// What undici's parser says: a reason of its own, and nothing of the network.
const ofParser = (error: unknown): string => {
  const [, reason] = (error instanceof Error ? /\((.+)\)$/.exec(error.message) : null) ?? []
  if (reason === "Invalid EOF state") return closedEarly
  return `The answer is not valid HTTP${reason === undefined ? "" : ` (${reason})`}.`
}

// What the system says when this machine cannot connect to anything: it has no network, no route, no free file or port, or its
// firewall forbids it.
const ownCodes = new Set(["ENETDOWN", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EACCES", "EPERM"])
const noRouteCodes = new Set(["ENETUNREACH", "EADDRNOTAVAIL"])

const isToIpv4 = (error: Error): boolean =>
  "address" in error && typeof error.address === "string" && !error.address.includes(":")

/**
 * Whether the reason of a network error is the service's own network and not the receiver. No route to an IPv6 address is no
 * such reason, because many networks have none; that a receiver has no other address is its own choice.
 */
export const isOwnFault = (error: unknown): boolean => {
  if (error instanceof NameServersAway) return true
  // Several addresses were tried.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isOwnFaultOrIpv6) && error.errors.some(isOwnFault)
  }
  const code = errorCode(error)
  return ownCodes.has(code) || (noRouteCodes.has(code) && error instanceof Error && isToIpv4(error))
}

const isOwnFaultOrIpv6 = (error: unknown): boolean => isOwnFault(error) || noRouteCodes.has(errorCode(error))

/**
 * The sentence for a network error. It contains the code but not the message, because messages name addresses of our network.
 * TLS messages are an exception: they are about the receiver's certificate, and its owner needs them.
 */
export const networkError = (error: unknown): string => {
  if (error instanceof UrlRejected) return error.reason
  if (error instanceof NameServersAway) return "The name servers of the service do not answer."
  const code = errorCode(error)
  if (isOwnFault(error)) return `The service cannot reach its network (${code}).`
  if (error instanceof Error && tls.test(code)) return `TLS failed: ${tlsReason(error)} (${code}).`
  switch (code) {
    case "ECONNREFUSED":
      return "The receiver refused the connection (ECONNREFUSED)."
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
      return closedEarly
    case "UND_ERR_HEADERS_OVERFLOW":
      return "The answer is not valid HTTP (its head is too long)."
    case "HTTPParserError":
      return ofParser(error)
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EADDRNOTAVAIL":
      return `The receiver could not be reached (${code}).`
    default:
      return `The connection failed (${code}).`
  }
}

const resets = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])

/** Whether the error means that the peer closed the connection. */
export const isReset = (error: unknown): boolean => resets.has(errorCode(error))
