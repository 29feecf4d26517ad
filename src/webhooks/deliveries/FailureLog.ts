/**
 * What the log of the process says of failed attempts: a line for each, and of a receiver that fails many times a minute the first ones in
 * full, then how many more there were. Lines name the receiver by its host, because paths and queries of URLs may contain secrets.
 */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { attemptNumber, type EvaluatedAttempt, type FinishedAttempt } from "./rules.ts"

/** How many lines a minute has: of one webhook in full, and of all together. */
export const linesPerMinute = { webhook: 10, process: 300 }

/** The failed attempts of a webhook in the present minute. */
interface Failures {
  readonly delivery: FinishedAttempt["delivery"]
  reported: number
  unreported: number
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "")

const receiverOf = ({ teamId, url, webhookId }: FinishedAttempt["delivery"]) => ({
  team: Id.fromUuid("team", teamId),
  webhook: Id.fromUuid("webhook", webhookId),
  host: hostOf(url)
})

const lineOf = ({ finished: { delivery }, record }: EvaluatedAttempt) =>
  Effect.logWarning(`An attempt of a delivery failed: ${record.error ?? "the reason is not known."}`).pipe(
    Effect.annotateLogs({
      ...receiverOf(delivery),
      delivery: Id.fromUuid("dlv", delivery.id),
      event: delivery.messageId,
      eventType: delivery.eventType,
      attempt: attemptNumber(delivery),
      ...(record.statusCode === null ? {} : { status: record.statusCode }),
      durationMs: record.durationMs,
      nextAttempt: record.nextAttemptAt?.toISOString() ?? "none"
    })
  )

const countOf = ({ delivery, unreported }: Failures) =>
  Effect.logWarning(
    unreported === 1
      ? "Another attempt at a webhook failed in the last minute."
      : `${unreported} more attempts at a webhook failed in the last minute.`
  ).pipe(Effect.annotateLogs({ ...receiverOf(delivery), failed: unreported }))

const make = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const failures = new Map<string, Failures>()
  let reported = 0

  /** Says how many attempts failed beyond those that were reported. The next failure begins another minute. */
  const endMinute = Effect.suspend(() => {
    const ended = [...failures.values()].filter(({ unreported }) => unreported > 0)
    failures.clear()
    reported = 0
    return Effect.forEach(ended, countOf, { discard: true })
  })
  yield* Effect.addFinalizer(() => endMinute)

  /** Says that an attempt failed. One that the service could not make is no failure of the receiver, and is said elsewhere. */
  const add = Effect.fnUntraced(function* (evaluated: EvaluatedAttempt) {
    const { delivery } = evaluated.finished
    if (failures.size === 0) yield* Effect.forkIn(Effect.andThen(Effect.sleep("1 minute"), endMinute), scope)
    const ofWebhook = failures.get(delivery.webhookId) ?? { delivery, reported: 0, unreported: 0 }
    failures.set(delivery.webhookId, ofWebhook)
    if (ofWebhook.reported >= linesPerMinute.webhook || reported >= linesPerMinute.process) {
      ofWebhook.unreported++
      return
    }
    ofWebhook.reported++
    reported++
    yield* lineOf(evaluated)
  })

  return { add }
})

/** The failed attempts in the log of the process. */
export class FailureLog extends Context.Service<FailureLog, Effect.Success<typeof make>>()(
  "webhooks/deliveries/FailureLog"
) {
  static readonly layer = Layer.effect(FailureLog, make)
}
