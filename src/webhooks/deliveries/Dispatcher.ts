/** The worker's part of deliveries: from a committed event to the last attempt, and who gets its turn when. */
import { Clock, Context, Duration, Effect, Layer, Random } from "effect"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { afterDelivery, type Outcome } from "../endpoints/rules.ts"
import { WebhooksRepo } from "../endpoints/WebhooksRepo.ts"
import * as Measures from "../health/Measures.ts"
import { type AttemptOutcome, attemptOutcome } from "../health/rules.ts"
import type { Attempt } from "../outbound/Attempt.ts"
import { type Admitted, DispatchRepo, type DueDelivery } from "./DispatchRepo.ts"
import {
  attempt as attemptJob,
  due as dueJob,
  type fanOut as fanOutJob,
  resume as resumeJob
} from "./jobs.ts"
import { classify, type DeliveryEvent, eventOf, isSlow, move, nextDelay, retryDelays, room, type Verdict } from "./rules.ts"
import { type Made, Sender } from "./Sender.ts"

/** The waits after failed attempts; the specification's unless the configuration has others. */
export const RetryDelays = Context.Reference<ReadonlyArray<Duration.Duration>>("webhooks/deliveries/RetryDelays", {
  defaultValue: () => retryDelays
})

// How many deliveries of a webhook that becomes active are taken in one transaction.
const resumedAtOnce = 1000

// What is due and waits this long though there may be room was overlooked. It never should be: clocks that differ,
// and hands in the database, are what this is for.
const overdueMillis = 30_000

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

// First attempts before others, and slow receivers last, among those whose turn has come too. A key for each: however
// often it is asked for, it waits once.
const jobOf = ({ again, id, number, slow }: Admitted) => ({
  payload: { deliveryId: id, number },
  jobKey: `attempt:${id}:${number}`,
  priority: slow ? 2 : again ? 1 : 0,
  // However many receivers hang, they take part of a worker's hands only.
  ...(slow ? { flag: "slow" } : {})
})

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
  && delivery.attemptCount + delivery.replayedAttempts === number - 1
  && (delivery.status === "pending" || delivery.status === "failed")

const make = Effect.gen(function*() {
  const repo = yield* DispatchRepo
  const webhooks = yield* WebhooksRepo
  const jobs = yield* Jobs
  const sender = yield* Sender
  const database = yield* Database
  const delays = yield* RetryDelays

  const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(Transaction.run(effect), Database, database)

  /**
   * Gives what waits in a team its turn, as far as there is room at `at`; the last step of a transaction that makes
   * something wait, or room free.
   */
  const admit = Effect.fn("Dispatcher.admit")(function*(teamId: string, at: Date) {
    const admitted = yield* repo.admit(teamId, at, room)
    yield* jobs.enqueueAll(attemptJob, admitted.map(jobOf))
  })

  /** Makes the deliveries of one committed transaction. May run twice. */
  const fanOut = Effect.fn("Dispatcher.fanOut")(function*(committed: typeof fanOutJob.payload.Type) {
    const at = yield* now
    yield* transaction(Effect.gen(function*() {
      const teamId = yield* repo.fanOut(committed, at)
      if (teamId !== undefined) yield* admit(teamId, at)
    }))
  })

  /** The time of a next attempt has come. */
  const due = Effect.fn("Dispatcher.due")(function*({ at, teamId }: typeof dueJob.payload.Type) {
    // By this clock it may not have come yet: another's was asked when it was due.
    const time = new Date(Math.max(Date.parse(at), yield* Clock.currentTimeMillis))
    yield* transaction(admit(teamId, time))
  })

  /** What an attempt makes of a delivery as it was found. */
  const judge = Effect.fnUntraced(function*(found: DueDelivery, made: Attempt) {
    const verdict = classify(made)
    const delay = verdict === "retry"
      ? nextDelay({
        attempt: found.attemptCount + 1,
        delays,
        jitter: yield* Random.next,
        ...(made.statusCode === undefined ? {} : { statusCode: made.statusCode }),
        ...(made.outcome === "answered" && made.retryAfterSeconds !== undefined
          ? { retryAfterSeconds: made.retryAfterSeconds }
          : {})
      })
      : null
    const event = eventOf(verdict, delay)
    return { verdict, delay, event, status: move(found.status, event), outcome: outcomeOf(event, verdict) }
  })

  /** Records how an attempt ended with all that follows from it, once; false when the delivery is no longer as found. */
  const record = Effect.fnUntraced(function*(
    deliveryId: string,
    number: number,
    found: DueDelivery,
    { attempt: made, requestHeaders }: Made
  ) {
    const { delay, outcome, status, verdict } = yield* judge(found, made)
    // It was open when it was found, and every end of an attempt is possible then.
    if (status === null) return true
    const at = yield* now
    const nextAttemptAt = delay === null ? null : new Date(at.getTime() + Duration.toMillis(delay))
    const recorded = yield* transaction(Effect.gen(function*() {
      // The webhook before its delivery, which is the order of whoever resumes it.
      const standing = outcome === undefined
        ? undefined
        : yield* webhooks.lockStanding(found.webhookId, { counting: outcome === "delivered" })
      if (isSlow(made) !== found.slow) yield* repo.setSlow(found.webhookId, isSlow(made))
      const isAsFound = yield* repo.record(found, {
        deliveryId,
        number,
        status,
        nextAttemptAt,
        deliveredAt: status === "delivered" ? at : null,
        startedAt: made.startedAt,
        durationMs: made.durationMs,
        statusCode: made.statusCode ?? null,
        error: errorOf(made, verdict),
        requestHeaders,
        responseHeaders: made.outcome === "answered" ? made.responseHeaders : null,
        responseBody: made.outcome === "answered" ? made.responseBody : null
      })
      if (!isAsFound) return false
      if (nextAttemptAt !== null) {
        // Whatever became of the webhook meanwhile: the attempt itself finds out when its time has come.
        yield* jobs.enqueue(dueJob, { teamId: found.teamId, at: nextAttemptAt.toISOString() }, {
          runAt: nextAttemptAt,
          jobKey: `due:${deliveryId}:${number + 1}`
        })
      }
      if (outcome !== undefined && standing !== undefined) {
        const after = afterDelivery(standing, outcome, at)
        if (after !== standing) yield* webhooks.setStanding(found.webhookId, after, at)
      }
      yield* admit(found.teamId, at)
      return true
    }))
    if (recorded) yield* measure(found, made, attemptOutcome(verdict, delay !== null), at)
    return recorded
  })

  const restUnlessSending = Effect.fnUntraced(function*(found: DueDelivery, deliveryId: string, number: number) {
    if ((yield* webhooks.hold(found.webhookId))?.sends === true) return false
    yield* repo.rest(deliveryId, number)
    yield* admit(found.teamId, yield* now)
    return true
  })

  /**
   * Makes attempt `number` of a delivery, unless it was made before. A webhook that does not send leaves the delivery
   * as it is: it is sent when the webhook is activated.
   */
  const attempt = Effect.fn("Dispatcher.attempt")(function*({ deliveryId, number }: typeof attemptJob.payload.Type) {
    let made: Made | undefined
    for (;;) {
      const found = yield* repo.find(deliveryId)
      if (!isOpen(found, number)) return
      if (made === undefined) {
        // A job from before there were turns.
        if (!found.admitted) return yield* transaction(Effect.flatMap(now, (at) => admit(found.teamId, at)))
        if (found.webhookStatus !== "active") {
          // If it was activated since, nobody else makes this attempt: what has its turn is not resumed.
          if (yield* transaction(restUnlessSending(found, deliveryId, number))) return
          continue
        }
        made = yield* sender.send(found)
      }
      // What was replayed meanwhile is judged anew, by its new count.
      if (yield* record(deliveryId, number, found, made)) return
    }
  })

  /** Promises to send what waits for a webhook that becomes active; in its transaction. */
  const resume = (webhookId: string) => jobs.enqueue(resumeJob, { webhookId }, { jobKey: `resume:${webhookId}` })

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
      if (resumed === resumedAtOnce) yield* resume(webhookId)
      yield* admit(teamId, at)
    }))
  })

  /**
   * Finds what was promised and forgotten, were it ever: attempts whose job is gone (somebody removed it, or a backup was
   * restored without the jobs), and what waits though there is room.
   */
  const reconcile = Effect.fn("Dispatcher.reconcile")(function*() {
    const at = yield* now
    const orphans = yield* transaction(Effect.tap(repo.orphans, (found) => jobs.enqueueAll(attemptJob, found.map(jobOf))))
    const teams = yield* repo.teamsWithOverdue(new Date(at.getTime() - overdueMillis))
    yield* Effect.forEach(teams, (teamId) => transaction(admit(teamId, at)), { discard: true })
    if (orphans.length > 0) yield* Effect.logWarning(`Asked again for ${orphans.length} attempts that no job was to make`)
  })

  return { admit, fanOut, due, attempt, resume, resumeSome, reconcile }
})

/** What workers do for deliveries. None of it asks who calls. */
export class Dispatcher
  extends Context.Service<Dispatcher, Effect.Success<typeof make>>()("webhooks/deliveries/Dispatcher")
{
  static readonly layer = Layer.effect(Dispatcher, make)
}
