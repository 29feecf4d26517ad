/** The events of a moment and later, from the journal, followed by those to come: each once, and none left out. */
import { Duration, Effect, Option, Stream } from "effect"
import { Journal } from "../journal/Journal.ts"
import { now, parseSpan } from "../fields/Span.ts"
import { parseTimestamp } from "../fields/Timestamp.ts"
import * as Signature from "../webhooks/signing/Signature.ts"
import type { Received } from "./Receiver.ts"

/** A moment as it is written on the command line: ISO 8601, or how long ago (`30m`, `2h`, `1d`). */
export const momentOf = (text: string): Option.Option<(now: Date) => Date> => {
  const span = parseSpan(text)
  if (span !== undefined) return Option.some((now) => new Date(now.getTime() - Duration.toMillis(span)))
  return Option.map(Option.fromUndefinedOr(parseTimestamp(text)), (moment) => () => moment)
}

// Longer than any change takes to be written. One that began before the subscription, and is not for it therefore, may
// end after the journal was read.
const maxChangeDuration = Duration.seconds(30)

/** An event as the service stored it, signed as the service would now. */
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

/** What is replayed: the events since a moment that a subscription does not bring. */
export interface Options {
  readonly since: Date
  /** When the subscription was made: later events come by it. */
  readonly subscribedAt: Date
  /** What the subscription's events are signed with. */
  readonly secret: string
}

/**
 * The replay of what the actor's team has in its journal: first `past`; then `late`, which waits for half a minute and
 * has what was still being written; and `isNew`, which tells whether what the subscription brings was not among them.
 */
export const make = Effect.fnUntraced(function* ({ secret, since, subscribedAt }: Options) {
  const journal = yield* Journal
  const recently = new Date(subscribedAt.getTime() - Duration.toMillis(maxChangeDuration))
  // Of those that may come again. Within a millisecond, the time does not tell what the subscription brings.
  const known = new Set<string>()
  let complete = false

  const from = (moment: Date) =>
    journal.since(moment).pipe(
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
