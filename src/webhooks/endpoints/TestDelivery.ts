/** The request of a test delivery: a realistic event, marked as a test. See docs/behaviour/webhooks.md#test-deliveries. */
import { type EventType, eventTypes, typesOf } from "../../core/mutation/Event.ts"
import { sampleOf } from "../../core/mutation/SampleEvent.ts"
import type { OutboundRequest } from "../../core/outbound/Outbound.ts"
import * as Signature from "../signing/Signature.ts"

/** The event type of a test: the requested one, or the first that the first entry of the subscription stands for. */
export const testedType = (asked: EventType | undefined, subscribed: ReadonlyArray<string>): EventType =>
  asked ?? typesOf(subscribed.slice(0, 1))[0] ?? eventTypes[0]

/** A signed sample event of this type with the time `at`. `messageBytes` are random and become its id. */
export const testRequest = (options: {
  readonly url: string
  readonly type: EventType
  readonly messageBytes: Uint8Array
  readonly secrets: ReadonlyArray<string>
  readonly at: Date
}): OutboundRequest => {
  const { at, messageBytes, secrets, type, url } = options
  const body = new TextEncoder().encode(JSON.stringify({ ...sampleOf(type, at), _test: true }))
  const headers = Signature.headers({
    id: `msg_${Buffer.from(messageBytes).toString("base64url")}`,
    timestampSeconds: Math.floor(at.getTime() / 1000),
    body,
    secrets,
    eventType: type,
    test: true
  })
  return { url, headers, body }
}
