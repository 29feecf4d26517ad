/** Forwards webhook requests, unmodified, to an integrator's own program. */
import * as Signature from "../webhooks/Signature.ts"
import { Clock, Effect, Layer, Option } from "effect"
import { type Attempt, isAccepted } from "../core/outbound/rules.ts"
import { Outbound } from "../core/outbound/Outbound.ts"
import { headerOf, type Received } from "./Receiver.ts"

/** Parses the URL of the program: http or https, any host, without credentials or fragment. */
export const urlOf = (text: string): Option.Option<string> => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return Option.none()
  return url.username === "" && url.password === "" && !text.includes("#") ? Option.some(text) : Option.none()
}

// Headers of one connection (RFC 9110, 7.6.1), and those that the HTTP client sets itself. All others are forwarded, with
// their names in the original case.
const connectionHeaders = new Set(["connection", "content-length", "expect", "host", "keep-alive", "transfer-encoding"])

const headersOf = (received: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(received.headers).filter(([name]) => !connectionHeaders.has(name.toLowerCase())))

// Receivers reject signatures older than five minutes, so an event that waited behind others is signed again.
const maxSignatureAgeMs = 60_000

const freshSignatureHeaders = (received: Received, secret: string, now: number): Record<string, string> => {
  const timestampSeconds = Math.floor(now / 1000)
  const id = headerOf(received, "webhook-id")
  return {
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": Signature.sign({ id, timestampSeconds, body: received.body, secrets: [secret] })
  }
}

/** The result of an attempt, for the terminal. */
export const outcomeOf = (attempt: Attempt): string => {
  if (attempt.outcome === "failed") return `NOT ACCEPTED: ${attempt.error.replace(/\.$/, "")}`
  const verdict = isAccepted(attempt.statusCode) ? "accepted" : "NOT ACCEPTED"
  return `${verdict}: ${attempt.statusCode} in ${attempt.durationMs} ms`
}

/**
 * Makes a function that posts one event to `url` under the limits of a webhook attempt: 10 seconds for the whole exchange,
 * no redirects, and a limited response size. It does not retry.
 */
export const make = Effect.fnUntraced(function* (url: string) {
  // The operator chose this URL, so the guard against internal addresses does not apply.
  const services = yield* Layer.build(Outbound.layer({ allowHttp: true, allowedNetworks: ["0.0.0.0/0", "::/0"] }))
  return Effect.fnUntraced(function* (received: Received, secret: string) {
    const outbound = yield* Outbound
    const now = yield* Clock.currentTimeMillis
    const freshHeaders =
      now - received.at.getTime() > maxSignatureAgeMs ? freshSignatureHeaders(received, secret, now) : {}
    return yield* outbound.post({ url, headers: { ...headersOf(received), ...freshHeaders }, body: received.body })
  }, Effect.provide(services))
})
