/** Verifies webhook messages (Standard Webhooks) and types their payloads. */
import { Webhook } from "standardwebhooks"
import type { Schemas } from "./operationTypes.ts"

type EventName = Extract<keyof Schemas, `${string}Event`>

/** An event, as webhooks send it and the journal lists it, discriminated by `event`. */
export type WebhookEvent = Extract<Schemas[EventName], { readonly event: string; readonly resource_id: string }>

/** The headers of a request: those of Node, of `fetch`, or a plain object with names in lower case. */
export type MessageHeaders = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A message whose signature or time is wrong: answer 401 and process nothing. */
export class InvalidMessage extends Error {
  override readonly name = "InvalidMessage"
}

/** A verified message. */
export interface Message {
  /** The `webhook-id`, the same on every attempt: skip a message whose id you have processed. */
  readonly id: string
  readonly event: WebhookEvent
  /** Whether it is a test delivery, about a resource that does not exist. */
  readonly isTest: boolean
}

const headerOf = (headers: MessageHeaders, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return (typeof value === "string" ? value : value?.[0]) ?? ""
}

const verifiersOf = (secret: string | ReadonlyArray<string>): ReadonlyArray<Webhook> => {
  const secrets: ReadonlyArray<unknown> = Array.isArray(secret) ? secret : [secret]
  if (secrets.length === 0) throw new TypeError("There is no secret to verify messages with.")
  return secrets.map((one) => {
    if (typeof one !== "string" || !/^whsec_[A-Za-z0-9+/]{43}=$/.test(one)) {
      throw new TypeError("A webhook's secret is `whsec_` and 44 characters, as the webhook's creation answered it.")
    }
    return new Webhook(one)
  })
}

/**
 * Verifies a message: its signature by one of the secrets, in constant time, and its time, at most five minutes from
 * this machine's. `body` is the exact body of the request, before any parsing. Throws {@link InvalidMessage}, and a
 * `TypeError` if a secret cannot be one: that is a fault of the configuration, not of the message.
 */
export const verifyMessage = (
  body: string | Uint8Array,
  headers: MessageHeaders,
  secret: string | ReadonlyArray<string>
): Message => {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  const signed = {
    "webhook-id": headerOf(headers, "webhook-id"),
    "webhook-timestamp": headerOf(headers, "webhook-timestamp"),
    "webhook-signature": headerOf(headers, "webhook-signature")
  }
  let refusal: unknown
  for (const verifier of verifiersOf(secret)) {
    try {
      const event = verifier.verify(text, signed) as WebhookEvent
      return { id: signed["webhook-id"], event, isTest: "_test" in event }
    } catch (error) {
      refusal = error
    }
  }
  throw new InvalidMessage(refusal instanceof Error ? refusal.message : String(refusal))
}
