/** The worker's part of deliveries: from a committed event to the last attempt. */
import { Cause, Clock, Context, Duration, Effect, Layer, Random } from "effect"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { onWallClock } from "../../db/WallClock.ts"
import { afterDelivery, type Outcome } from "../endpoints/rules.ts"
import { WebhooksRepo } from "../endpoints/WebhooksRepo.ts"
import * as Measures from "../health/Measures.ts"
import { type AttemptOutcome, attemptOutcome } from "../health/rules.ts"
import type { Attempt } from "../outbound/Attempt.ts"
import { DispatchRepo, type DueDelivery } from "./DispatchRepo.ts"
import type { attempt as attemptJob, fanOut as fanOutJob, resume as resumeJob } from "./jobs.ts"
import {
  classify,
  type DeliveryEvent,
  eventOf,
  isSlow,
  move,
  nextDelay,
  numberOf,
  retryDelays,
  type Verdict
} from "./rules.ts"
import { type Made, Sender } from "./Sender.ts"
import { Turns } from "./Turns.ts"

/** The waits after failed attempts; the specification's unless the configuration has others. */
export const RetryDelays = Context.Reference<ReadonlyArray<Duration.Duration>>("webhooks/deliveries/RetryDelays", {
  defaultValue: () => retryDelays
})

// How many deliveries of a webhook that becomes active are taken in one transaction.
const resumedAtOnce = 1000

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

/** What went wrong, as a sentence; null when nothing did. */
const errorOf = (made: Attempt, verdict: Verdict): string | null => {
  if (made.outcome === "failed") return made.error
  return verdict === "delivered" ? null : `The receiver answered ${made.statusCode}.`
}

/** What the end of a delivery says about its webhook, if anything. */
const outcomeOf = (event: DeliveryEvent, verdict: Verdict): Outcome | undefined => {
  if (event === "delivered") return "delivered"
  if (event === "attempts_used_up") return "exhausted"
  return verdict === "gone" ? "gone" : undefined
}

/** After the commit: a transaction that is run again is counted once. */
const measure = Effect.fnUntraced(function*(found: DueDelivery, made: Attempt, outcome: AttemptOutcome, at: Date) {
  yield* Measures.attemptEnded({ outcome, durationMs: made.durationMs })
  if (outcome === "retried") return
  yield* Measures.deliveryEnded({
    outcome,
    latencyMs: found.replayedAttempts === 0 ? at.getTime() - found.occurredAt.getTime() : null
  })
})

const isOpen = (delivery: DueDelivery | undefined, number: number): delivery is DueDelivery =>
  delivery !== undefined
  && numberOf(delivery) === number
  && (delivery.status === "pending" || delivery.status === "failed")

const make = Effect.gen(function*() {
  const repo = yield* DispatchRepo
  const webhooks = yield* WebhooksRepo
  const sender = yield* Sender
  const turns = yield* Turns
  const database = yield* Database
  const delays = yield* RetryDelays

  const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(Transaction.run(effect), Database, database)

  /** Makes the deliveries of one committed transaction, and of others of its team that wait. May run twice. */
  const fanOut = Effect.fn("Dispatcher.fanOut")(function*(payload: typeof fanOutJob.payload.Type) {
    const { teamId, ...committed } = payload
    const at = yield* now
    const made = Effect.gen(function*() {
      const team = yield* repo.fanOut(teamId, committed, at)
      if (team !== undefined) yield* turns.admit(team, at)
    })
    if (teamId === undefined) return yield* transaction(made)
    // Another job may have done so.
    if (yield* repo.isPromised(teamId, committed)) yield* turns.transaction(teamId, made)
  })

  /**
   * What an attempt makes of a delivery as it was found. One that was queued again since the attempt began is attempted
   * again at once, unless this attempt brought it.
   */
  const judge = Effect.fnUntraced(function*(found: DueDelivery, made: Attempt, isEarlier: boolean) {
    const verdict = classify(made)
    const delay = verdict !== "retry" || isEarlier ? null : nextDelay({
      attempt: found.attemptCount + 1,
      delays,
      jitter: yield* Random.next,
      ...(made.statusCode === undefined ? {} : { statusCode: made.statusCode }),
      ...(made.outcome === "answered" && made.retryAfterSeconds !== undefined
        ? { retryAfterSeconds: made.retryAfterSeconds }
        : {})
    })
    if (isEarlier && verdict !== "delivered") {
      return {
        verdict,
        delay: Duration.zero,
        status: found.status,
        outcome: verdict === "gone" ? verdict : undefined,
        isCounted: false
      }
    }
    const event = eventOf(verdict, delay)
    return { verdict, delay, status: move(found.status, event), outcome: outcomeOf(event, verdict), isCounted: true }
  })

  /** Records how an attempt ended with all that follows from it, once; false when the delivery is no longer as found. */
  const record = Effect.fnUntraced(function*(
    found: DueDelivery,
    { attempt: made, requestHeaders }: Made,
    isEarlier: boolean
  ) {
    const { delay, isCounted, outcome, status, verdict } = yield* judge(found, made, isEarlier)
    // It was open when it was found, and every end of an attempt is possible then.
    if (status === null) return true
    const at = yield* now
    const recorded = yield* turns.transaction(found.teamId, Effect.gen(function*() {
      // The webhook before its delivery, which is the order of whoever resumes it.
      const standing = outcome === undefined
        ? undefined
        : yield* webhooks.lockStanding(found.webhookId, { counting: outcome === "delivered" })
      if (isSlow(made) !== found.slow) yield* repo.setSlow(found.webhookId, isSlow(made))
      const isAsFound = yield* repo.record(found, {
        status,
        isCounted,
        nextAttemptAt: delay === null ? null : new Date(at.getTime() + Duration.toMillis(delay)),
        deliveredAt: status === "delivered" ? at : null,
        startedAt: made.startedAt,
        durationMs: made.durationMs,
        statusCode: made.statusCode ?? null,
        error: errorOf(made, verdict),
        requestHeaders,
        responseHeaders: made.responseHeaders ?? null,
        responseBody: made.responseBody ?? null
      }, standing === undefined)
      if (!isAsFound) return false
      if (outcome === undefined || standing === undefined) {
        // The usual case, in which no statement more than needed comes between the others of the team.
        yield* turns.admitHeld(found.teamId, at)
        return true
      }
      const after = afterDelivery(standing, outcome, at)
      if (after !== standing) yield* webhooks.setStanding(found.webhookId, after, at)
      yield* turns.admit(found.teamId, at)
      return true
    }))
    if (recorded) yield* measure(found, made, isCounted ? attemptOutcome(verdict, delay !== null) : "retried", at)
    return recorded
  })

  // The request was made: what it came to is not given up because the database is away for a moment, or it would be made
  // once more.
  const insist = <A, E, R>(effect: Effect.Effect<A, E, R>, times = 5): Effect.Effect<A, E, R> =>
    Effect.catchCauseIf(
      effect,
      (cause) => times > 0 && Cause.hasDies(cause) && !Cause.hasInterrupts(cause),
      (cause) =>
        Effect.logWarning("The end of an attempt could not be recorded; trying again", cause).pipe(
          Effect.andThen(onWallClock(Effect.sleep("1 second"))),
          Effect.andThen(insist(effect, times - 1))
        )
    )

  const restUnlessSending = Effect.fnUntraced(function*(found: DueDelivery) {
    if ((yield* webhooks.hold(found.webhookId))?.sends === true) return false
    yield* repo.rest(found)
    yield* turns.admit(found.teamId, yield* now)
    return true
  })

  /**
   * Makes attempt `number` of a delivery, unless it was made before. A webhook that does not send leaves the delivery
   * as it is: it is sent when the webhook is activated.
   */
  const attempt = Effect.fn("Dispatcher.attempt")(function*({ deliveryId, number }: typeof attemptJob.payload.Type) {
    let sent: { readonly made: Made; readonly found: DueDelivery } | undefined
    for (;;) {
      const found = yield* repo.find(deliveryId)
      if (!isOpen(found, number)) return
      if (sent === undefined) {
        // A job from before there were turns.
        if (!found.admitted) {
          return yield* turns.transaction(found.teamId, Effect.flatMap(now, (at) => turns.admit(found.teamId, at)))
        }
        if (found.webhookStatus !== "active") {
          // If it was activated since, nobody else makes this attempt: what has its turn is not resumed.
          if (yield* turns.transaction(found.teamId, restUnlessSending(found))) return
          continue
        }
        sent = { made: yield* sender.send(found), found }
      }
      const isEarlier = found.replayedAttempts !== sent.found.replayedAttempts
      // What was queued again meanwhile is judged anew, as it is now.
      if (yield* insist(record(found, sent.made, isEarlier))) return
    }
  })

  /**
   * Makes some of what waits for a webhook due now, the oldest first, and promises to go on if there may be more;
   * nothing of a webhook that does not send. May run twice.
   */
  const resumeSome = Effect.fn("Dispatcher.resumeSome")(function*({ webhookId }: typeof resumeJob.payload.Type) {
    const at = yield* now
    yield* transaction(Effect.gen(function*() {
      const held = yield* webhooks.hold(webhookId)
      if (held?.sends !== true) return
      const { activatedAt, teamId } = held
      const resumed = yield* repo.resume(webhookId, { now: at, activatedAt, limit: resumedAtOnce })
      if (resumed === resumedAtOnce) yield* turns.resume(webhookId)
      yield* turns.admit(teamId, at)
    }))
  })

  return { fanOut, attempt, resumeSome }
})

/** What workers do for deliveries. None of it asks who calls. */
export class Dispatcher
  extends Context.Service<Dispatcher, Effect.Success<typeof make>>()("webhooks/deliveries/Dispatcher")
{
  static readonly layer = Layer.effect(Dispatcher, make)
}
