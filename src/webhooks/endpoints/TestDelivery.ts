/** The request of a test delivery: one that could be real, and says that it is not. */
import { type EventType, eventTypes } from "../../changes/Event.ts"
import { sampleOf } from "../../changes/SampleEvent.ts"
import type { OutboundRequest } from "../outbound/Outbound.ts"
import * as Signature from "../signing/Signature.ts"

/** The type of event that a test sends: the one that is asked for, or the first that the webhook has. */
export const testedType = (asked: EventType | undefined, subscribed: ReadonlyArray<string>): EventType =>
  asked ?? eventTypes.find((type) => type === subscribed[0]) ?? eventTypes[0]

/** A signed sample of an event of this type, as if it had happened at `at`; `messageBytes` are random, for its id. */
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
