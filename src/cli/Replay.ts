/** Replays past events from the journal, so that together with a subscription each event appears exactly once. */
import * as Signature from "../webhooks/Signature.ts"
import { Duration, Effect, Option, Stream } from "effect"
import { Journal } from "../webhooks/changes/Journal.ts"
import { now, parseDuration } from "../platform/Time.ts"
import { parseTimestamp } from "../core/fields/Timestamp.ts"
import type { Received } from "./Receiver.ts"

/** Parses a time on the command line: ISO 8601, or an age (`30m`, `2h`, `1d`). */
export const timeOf = (text: string): Option.Option<(now: Date) => Date> => {
  const span = parseDuration(text)
  if (span !== undefined) return Option.some((now) => new Date(now.getTime() - Duration.toMillis(span)))
  return Option.map(Option.fromUndefinedOr(parseTimestamp(text)), (time) => () => time)
}

// Longer than any transaction lasts. A change that began before the subscription is not delivered to it, but may be committed
// only after the journal was read.
const maxChangeDuration = Duration.seconds(30)

/** A stored event as a request, with a new signature. */
const signed = (
  event: { readonly messageId: string; readonly eventType: string; readonly body: string },
  secret: string,
  at: Date
): Received => {
  const body = new TextEncoder().encode(event.body)
  const timestampSeconds = Math.floor(at.getTime() / 1000)
  const headers = Signature.headers({
    id: event.messageId,
    timestampSeconds,
    body,
    secrets: [secret],
    eventType: event.eventType
  })
  return { at, headers, body }
}

/** What to replay: the events since a time that the subscription does not deliver. */
export interface Options {
  readonly since: Date
  /** When the webhook was created. Later events are delivered to it. */
  readonly subscribedAt: Date
  /** The secret of the webhook. */
  readonly secret: string
}

/**
 * The replay of the journal of the actor's team. `past` has the events up to the subscription. `late` waits for half a minute,
 * then has the events that were still being written. `isNew` tells whether a delivered event was not replayed.
 */
export const make = Effect.fnUntraced(function* ({ secret, since, subscribedAt }: Options) {
  const journal = yield* Journal
  const recently = new Date(subscribedAt.getTime() - Duration.toMillis(maxChangeDuration))
  // The replayed events that the subscription may deliver again, because both have the same millisecond.
  const known = new Set<string>()
  let complete = false

  const from = (time: Date) =>
    journal.since(time).pipe(
      Stream.takeWhile(({ at }) => at <= subscribedAt),
      Stream.filter(({ messageId }) => !known.has(messageId)),
      Stream.mapEffect(
        Effect.fnUntraced(function* (event) {
          if (event.at >= recently) known.add(event.messageId)
          return signed(event, secret, yield* now)
        })
      )
    )
  const completed = Effect.sync(() => {
    complete = true
  })

  return {
    past: from(since),
    late: Stream.unwrap(Effect.as(Effect.sleep(maxChangeDuration), from(since > recently ? since : recently))).pipe(
      Stream.ensuring(completed)
    ),
    isNew: (messageId: string) => {
      if (known.has(messageId)) return false
      if (!complete) known.add(messageId)
      return true
    }
  }
})
