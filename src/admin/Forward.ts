/** Passes events on to an integrator's own program, as they came. */
import { Clock, Effect, Layer, Option } from "effect"
import type { Attempt } from "../webhooks/outbound/Attempt.ts"
import { Outbound } from "../webhooks/outbound/Outbound.ts"
import { isAccepted } from "../webhooks/outbound/rules.ts"
import * as Signature from "../webhooks/signing/Signature.ts"
import { headerOf, type Received } from "./Receiver.ts"

/** The URL of such a program: http or https, anywhere. */
export const urlOf = (text: string): Option.Option<string> => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return Option.none()
  return url.username === "" && url.password === "" && !text.includes("#") ? Option.some(text) : Option.none()
}

// Of one connection, not of the message. The rest goes on in the letters in which it came.
const ofConnection = new Set(["connection", "content-length", "expect", "host", "keep-alive", "transfer-encoding"])

const headersOf = (received: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(received.headers).filter(([name]) => !ofConnection.has(name.toLowerCase())))

// Receivers refuse what was signed five minutes ago. What had to wait for others is signed anew, as every attempt is.
const maxWait = 60_000

const signedAnew = (received: Received, secret: string, now: number): Record<string, string> => {
  const timestampSeconds = Math.floor(now / 1000)
  const id = headerOf(received, "webhook-id")
  return {
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": Signature.sign({ id, timestampSeconds, body: received.body, secrets: [secret] })
  }
}

/** How it went, in a few words. */
export const inWords = (attempt: Attempt): string => {
  if (attempt.outcome === "failed") return `NOT ACCEPTED: ${attempt.error.replace(/\.$/, "")}`
  const verdict = isAccepted(attempt.statusCode) ? "accepted" : "NOT ACCEPTED"
  return `${verdict}: ${attempt.statusCode} in ${attempt.durationMs} ms`
}

/**
 * Posts to `url` as the service does to webhooks: 10 seconds for everything, no redirects, the answer read up to a
 * limit. Once: what the program does not accept is told, and not sent again.
 */
export const to = Effect.fnUntraced(function* (url: string) {
  const services = yield* Layer.build(Outbound.layer({ allowHttp: true, allowedNetworks: ["0.0.0.0/0", "::/0"] }))
  return Effect.fnUntraced(function* (received: Received, secret: string) {
    const outbound = yield* Outbound
    const now = yield* Clock.currentTimeMillis
    const anew = now - received.at.getTime() > maxWait ? signedAnew(received, secret, now) : {}
    return yield* outbound.post({ url, headers: { ...headersOf(received), ...anew }, body: received.body })
  }, Effect.provide(services))
})
