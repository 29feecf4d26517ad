/** Forwards events, unchanged, to a program of an integrator. */
import { Clock, Effect, Layer, Option } from "effect"
import type { Attempt } from "../webhooks/outbound/Attempt.ts"
import { Outbound } from "../webhooks/outbound/Outbound.ts"
import { isAccepted } from "../webhooks/outbound/rules.ts"
import * as Signature from "../webhooks/signing/Signature.ts"
import { headerOf, type Received } from "./Receiver.ts"

/** Parses the URL of the program: http or https, at any address. */
export const urlOf = (text: string): Option.Option<string> => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return Option.none()
  return url.username === "" && url.password === "" && !text.includes("#") ? Option.some(text) : Option.none()
}

// Headers of the connection and not of the message. All others are forwarded, with the case of their names.
const hopHeaders = new Set(["connection", "content-length", "expect", "host", "keep-alive", "transfer-encoding"])

const headersOf = (received: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(received.headers).filter(([name]) => !hopHeaders.has(name.toLowerCase())))

// Receivers reject signatures older than five minutes. An event that waited this long for others is signed again.
const maxSignatureAge = 60_000

const signedAgain = (received: Received, secret: string, now: number): Record<string, string> => {
  const timestampSeconds = Math.floor(now / 1000)
  const id = headerOf(received, "webhook-id")
  return {
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": Signature.sign({ id, timestampSeconds, body: received.body, secrets: [secret] })
  }
}

/** The result of an attempt, for people. */
export const outcomeOf = (attempt: Attempt): string => {
  if (attempt.outcome === "failed") return `NOT ACCEPTED: ${attempt.error.replace(/\.$/, "")}`
  const verdict = isAccepted(attempt.statusCode) ? "accepted" : "NOT ACCEPTED"
  return `${verdict}: ${attempt.statusCode} in ${attempt.durationMs} ms`
}

/**
 * Makes a function that posts an event to `url` in the same way as the service posts to webhooks: with 10 seconds for the whole
 * attempt, without following redirects, and reading a limited part of the response. It sends each event once.
 */
export const to = Effect.fnUntraced(function* (url: string) {
  const services = yield* Layer.build(Outbound.layer({ allowHttp: true, allowedNetworks: ["0.0.0.0/0", "::/0"] }))
  return Effect.fnUntraced(function* (received: Received, secret: string) {
    const outbound = yield* Outbound
    const now = yield* Clock.currentTimeMillis
    const fresh = now - received.at.getTime() > maxSignatureAge ? signedAgain(received, secret, now) : {}
    return yield* outbound.post({ url, headers: { ...headersOf(received), ...fresh }, body: received.body })
  }, Effect.provide(services))
})
