/**
 * Records the results of a team's attempts, and releases unsent deliveries, in batches: evaluates each (see rules.ts), and writes them
 * with their effects on webhooks. The same transaction claims the deliveries to send next. Then it counts them in the metrics.
 *
 * A lost result would repeat the request, so results are kept while the database is unavailable. A batch that fails for
 * another reason (the database rejects it, or a defect) is written one by one: as it is, then without the response, then as a
 * failed attempt that the log does not show and that is retried. If even that fails, the delivery leaves the queue of this process,
 * and the recovery of claims releases it, so that no delivery stays claimed.
 */
import * as Id from "../../core/Id.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { Cause, Context, Duration, Effect, Layer, Metric, Random } from "effect"
import { systemOf } from "../../core/auth/CurrentActor.ts"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { now, onWallClock } from "../../platform/Time.ts"
import { afterDelivery } from "../rules.ts"
import { WebhooksRepo } from "../WebhooksRepo.ts"
import { AttemptsRepo } from "./AttemptsRepo.ts"
import { FailureLog } from "./FailureLog.ts"
import {
  attemptOutcome,
  type AttemptOutcome,
  type DueDelivery,
  evaluate,
  type EvaluatedAttempt,
  type FinalOutcome,
  type FinishedAttempt,
  hasResponse,
  isSlow,
  nextDelay,
  retryDelays,
  withoutResponse
} from "./rules.ts"
import { Scheduler } from "./Scheduler.ts"
import { SchedulerRepo } from "./SchedulerRepo.ts"

/** The delays after failed attempts. Defaults to `retryDelays`. */
export const RetryDelays = Context.Reference<ReadonlyArray<Duration.Duration>>("webhooks/deliveries/RetryDelays", {
  defaultValue: () => retryDelays
})

const durations = (outcome: AttemptOutcome) =>
  Metric.histogram("property_network_webhook_attempt_duration_seconds", {
    description: "Attempts of deliveries to webhooks, by outcome, and how long they took.",
    attributes: { outcome },
    boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  })

const attempts: Readonly<Record<AttemptOutcome, Metric.Histogram<number>>> = {
  delivered: durations("delivered"),
  retried: durations("retried"),
  postponed: durations("postponed"),
  refused: durations("refused"),
  gone: durations("gone"),
  exhausted: durations("exhausted")
}

const ends = (outcome: FinalOutcome) =>
  Metric.counter("property_network_webhook_deliveries_total", {
    description: "Deliveries to webhooks that ended, by outcome.",
    attributes: { outcome },
    incremental: true
  })

const deliveries: Readonly<Record<FinalOutcome, Metric.Counter<number>>> = {
  delivered: ends("delivered"),
  refused: ends("refused"),
  gone: ends("gone"),
  exhausted: ends("exhausted")
}

const latency = Metric.histogram("property_network_webhook_delivery_latency_seconds", {
  description: "Time from an event to its delivery, of deliveries that arrived.",
  boundaries: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43_200, 172_800]
})

/** Registers all metrics of deliveries at 0. Prometheus does not see the first increment of a counter that appears with it. */
export const beginMetrics: Effect.Effect<void> = Effect.forEach(
  [...Object.values(attempts), ...Object.values(deliveries), latency],
  (metric: Metric.Metric<never, unknown>) => Metric.value(metric),
  { discard: true }
)

/** Counts a recorded attempt in the metrics. */
export const attemptEnded = (attempt: {
  readonly outcome: AttemptOutcome
  readonly durationMs: number
}): Effect.Effect<void> => Metric.update(attempts[attempt.outcome], attempt.durationMs / 1000)

/**
 * Counts a delivery that has ended in the metrics. `latencyMs` is the time since its event, which is measured if it was delivered;
 * null if a client has queued the delivery again.
 */
export const deliveryEnded = ({
  latencyMs,
  outcome
}: {
  readonly outcome: FinalOutcome
  readonly latencyMs: number | null
}): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(deliveries[outcome], 1),
    outcome === "delivered" && latencyMs !== null ? Metric.update(latency, Math.max(0, latencyMs) / 1000) : Effect.void
  )

/** Counts a recorded attempt, and the delivery if the attempt ended it. */
const countOutcome = Effect.fnUntraced(function* (
  { finished: { delivery }, record, verdict }: EvaluatedAttempt,
  at: Date
) {
  const outcome =
    record.isCounted || !record.isMade ? attemptOutcome(verdict, record.nextAttemptAt !== null) : "retried"
  yield* attemptEnded({ outcome, durationMs: record.durationMs })
  if (outcome === "retried" || outcome === "postponed") return
  yield* deliveryEnded({
    outcome,
    latencyMs: delivery.replayedAttempts === 0 ? at.getTime() - delivery.occurredAt.getTime() : null
  })
})

/** A claimed delivery that was not sent. */
interface Unsent {
  readonly delivery: Pick<DueDelivery, "id">
  readonly lease: { readonly id: string }
}

/** Schedules a team as the last step of a transaction (see `DeliveryWorker.schedule`). */
type Schedule = (teamId: string, at: Date) => Effect.Effect<void>

/** Whether an attempt may disable its webhook, so that the change that records it must be able to emit events. */
const mayDisable = ({ outcome }: EvaluatedAttempt): boolean => outcome === "exhausted" || outcome === "gone"

const webhookIds = (attempts: ReadonlyArray<EvaluatedAttempt>) => [
  ...new Set(attempts.map(({ finished }) => finished.delivery.webhookId))
]

const isPermanent = (cause: Cause.Cause<never>) => !Cause.hasInterrupts(cause) && !Transaction.isTransient(cause)

const retryPause = onWallClock(Effect.sleep("1 second"))

/** Repeats an effect until the database is available. */
const untilAvailable = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.catchCauseIf(
    effect,
    (cause) => !Cause.hasInterrupts(cause) && Transaction.isTransient(cause),
    (cause) =>
      Effect.logWarning("The results of attempts could not be recorded; trying again", cause).pipe(
        Effect.andThen(retryPause),
        Effect.andThen(Effect.suspend(() => untilAvailable(effect)))
      )
  )

const make = Effect.gen(function* () {
  const repo = yield* AttemptsRepo
  const claims = yield* SchedulerRepo
  const webhooks = yield* WebhooksRepo
  const scheduler = yield* Scheduler
  const changes = yield* Changes
  const delays = yield* RetryDelays
  const failureLog = yield* FailureLog

  /** The last resort: counts an attempt as failed, which the log does not show, and loses its result. */
  const recordFailure = (
    teamId: string,
    { delivery }: FinishedAttempt,
    { at, cause }: { readonly at: Date; readonly cause: Cause.Cause<never> }
  ) => {
    const delay = nextDelay({ attempt: delivery.attemptCount + 1, delays, jitter: 0 })
    const counted = repo.recordUnlogged(delivery, {
      status: delay === null ? "exhausted" : "failed",
      at,
      nextAttemptAt: delay === null ? null : new Date(at.getTime() + Duration.toMillis(delay)),
      error: "The service could not record the result of the attempt."
    })
    return Effect.andThen(
      Effect.logError(
        `The result of an attempt of the delivery ${Id.fromUuid("dlv", delivery.id)} could not be recorded`,
        cause
      ),
      scheduler.transaction(teamId, counted).pipe(
        untilAvailable,
        Effect.catchCauseIf(isPermanent, (cause) =>
          Effect.logError(`The delivery ${Id.fromUuid("dlv", delivery.id)} will be released and sent again`, cause)
        )
      )
    )
  }

  /** Evaluates finished attempts. One whose evaluation dies is recorded as failed. */
  const evaluateAll = Effect.fnUntraced(function* (teamId: string, finished: ReadonlyArray<FinishedAttempt>, at: Date) {
    const evaluated: Array<EvaluatedAttempt> = []
    for (const attempt of finished) {
      const evaluation = Effect.map(Random.next, (jitter) => evaluate(attempt, { at, delays, jitter }))
      yield* Effect.matchCauseEffect(evaluation, {
        onSuccess: (one) => Effect.sync(() => void evaluated.push(one)),
        onFailure: (cause) =>
          Cause.hasInterrupts(cause) ? Effect.failCause(cause) : recordFailure(teamId, attempt, { at, cause })
      })
    }
    return evaluated
  })

  /** Marks webhooks whose receivers have become slow or fast. The latest attempt decides. */
  const setSlow = Effect.fnUntraced(function* (teamId: string, attempts: ReadonlyArray<EvaluatedAttempt>) {
    const latest = new Map<string, boolean>()
    const changed = new Set<string>()
    for (const {
      finished: { delivery, sent }
    } of attempts.filter(({ record }) => record.isMade)) {
      latest.set(delivery.webhookId, isSlow(sent.attempt))
      if (isSlow(sent.attempt) !== delivery.slow) changed.add(delivery.webhookId)
    }
    for (const slow of [true, false]) {
      yield* repo.setSlow(
        teamId,
        [...changed].filter((id) => latest.get(id) === slow),
        slow
      )
    }
  })

  /** Ends the claims of unsent deliveries. */
  const release = Effect.fnUntraced(function* (teamId: string, unsent: ReadonlyArray<Unsent>) {
    for (const [leaseId, some] of Map.groupBy(unsent, ({ lease }) => lease.id)) {
      yield* claims.release(
        teamId,
        leaseId,
        some.map(({ delivery }) => delivery.id)
      )
    }
  })

  /**
   * Writes evaluated attempts of a team and their effects on webhooks in a transaction, which ends with `afterwards`. Skips those
   * whose deliveries have changed since they were read, and returns them. Then counts the others in the metrics, and says in the log
   * which failed and which webhooks they disabled.
   */
  const commit = Effect.fn("Recorder.commit")(function* (
    { at, evaluated, teamId }: { teamId: string; evaluated: ReadonlyArray<EvaluatedAttempt>; at: Date },
    afterwards: Effect.Effect<void>
  ) {
    const meaningful = evaluated.filter(({ outcome }) => outcome !== undefined)
    // Locks webhooks before deliveries, as a resumption does.
    const write = Effect.fnUntraced(function* (change?: Change) {
      const statuses =
        meaningful.length === 0
          ? undefined
          : yield* webhooks.lockStatuses(teamId, {
              all: webhookIds(meaningful.filter(({ outcome }) => outcome !== "delivered")),
              counting: webhookIds(meaningful)
            })
      yield* setSlow(teamId, evaluated)
      const recorded =
        evaluated.length === 0
          ? new Set<string>()
          : yield* repo.record(
              teamId,
              evaluated.map(({ record }) => record)
            )
      const disabled: Array<{ readonly id: string; readonly reason: string }> = []
      for (const [id, status] of statuses ?? []) {
        const after = meaningful
          .filter(({ finished: { delivery } }) => delivery.webhookId === id && recorded.has(delivery.id))
          .reduce(
            (folded, { outcome }) => (outcome === undefined ? folded : afterDelivery(folded, outcome, at)),
            status
          )
        if (after === status) continue
        yield* webhooks.setStatus(teamId, id, after, at)
        const { disabledReason: reason } = after
        if (after.state !== "disabled" || status.state === "disabled" || reason === null) continue
        disabled.push({ id, reason })
        change?.record({
          change: "updated",
          resource: { type: "webhook", id },
          subjects: [],
          event: { type: "webhook.disabled", extras: { action: { type: "disabled", reason } } }
        })
      }
      yield* afterwards
      return { recorded, disabled }
    })
    const { disabled, recorded } = yield* scheduler.transaction(
      teamId,
      // Events need the time and the id of a change from its beginning.
      evaluated.some(mayDisable) ? changes.commit(systemOf(teamId), write) : write()
    )
    for (const { id, reason } of disabled) {
      yield* Effect.logWarning(
        `The webhook ${Id.fromUuid("webhook", id)} of ${Id.fromUuid("team", teamId)} was disabled: ${reason}.`
      )
    }
    // Not before the commit, since a transaction may run twice.
    const isRecorded = ({ finished }: EvaluatedAttempt) => recorded.has(finished.delivery.id)
    for (const one of evaluated.filter(isRecorded)) {
      yield* countOutcome(one, at)
      if (one.verdict !== "delivered" && one.verdict !== "postponed") yield* failureLog.add(one)
    }
    return evaluated.filter((one) => !isRecorded(one))
  })

  /** Writes one result, reduced if necessary. Returns false if the delivery has changed since it was read. */
  const writeAlone = (teamId: string, evaluated: EvaluatedAttempt, at: Date): Effect.Effect<boolean> =>
    untilAvailable(commit({ teamId, evaluated: [evaluated], at }, Effect.void)).pipe(
      Effect.map((changed) => changed.length === 0),
      Effect.catchCauseIf(isPermanent, (cause) =>
        hasResponse(evaluated)
          ? writeAlone(teamId, withoutResponse(evaluated), at)
          : Effect.as(recordFailure(teamId, evaluated.finished, { at, cause }), true)
      )
    )

  /** Returns those of the unrecorded attempts whose deliveries a client has queued again. The others had been recorded before. */
  const findRequeued = Effect.fnUntraced(function* (teamId: string, unrecorded: ReadonlyArray<EvaluatedAttempt>) {
    if (unrecorded.length === 0) return []
    const open = new Map(
      (yield* repo.findOpen(
        teamId,
        unrecorded.map(({ finished }) => finished.delivery.id)
      )).map((one) => [one.id, one] as const)
    )
    const attemptsOf = (delivery: DueDelivery) => delivery.attemptCount + delivery.replayedAttempts
    return unrecorded.flatMap(({ finished }): ReadonlyArray<FinishedAttempt> => {
      const present = open.get(finished.delivery.id)
      if (present === undefined || attemptsOf(present) !== attemptsOf(finished.delivery)) return []
      const wasRequeued = present.replayedAttempts !== finished.delivery.replayedAttempts
      return [{ delivery: present, sent: finished.sent, wasRequeued }]
    })
  })

  /**
   * Records finished attempts of a team, ends the claims of unsent deliveries, and schedules the team. Returns the attempts to record
   * again, because a client has queued their deliveries again.
   */
  const record = Effect.fnUntraced(function* (
    teamId: string,
    results: { readonly finished: ReadonlyArray<FinishedAttempt>; readonly unsent: ReadonlyArray<Unsent> },
    schedule: Schedule
  ) {
    const at = yield* now
    const evaluated = yield* evaluateAll(teamId, results.finished, at)
    const oneByOne = Effect.gen(function* () {
      const changed = yield* Effect.filter(evaluated, (one) => Effect.map(writeAlone(teamId, one, at), (done) => !done))
      yield* untilAvailable(scheduler.transaction(teamId, release(teamId, results.unsent)))
      yield* untilAvailable(scheduler.transaction(teamId, schedule(teamId, at)))
      return changed
    })
    const afterwards = Effect.andThen(release(teamId, results.unsent), schedule(teamId, at))
    const unrecorded = yield* untilAvailable(commit({ teamId, evaluated, at }, afterwards)).pipe(
      Effect.catchCauseIf(isPermanent, (cause) =>
        Effect.andThen(
          Effect.logWarning("The results of attempts were rejected; writing each by itself", cause),
          oneByOne
        )
      )
    )
    return yield* untilAvailable(inTeam(teamId)(findRequeued(teamId, unrecorded)))
  })

  return { record }
})

/** Records the results of attempts. */
export class Recorder extends Context.Service<Recorder, Effect.Success<typeof make>>()("webhooks/deliveries/Recorder") {
  /** Without what it needs, so that a test can put something else in its place. */
  static readonly layerNoDeps = Layer.effect(Recorder, make)
  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([AttemptsRepo.layer, FailureLog.layer, Scheduler.layer, SchedulerRepo.layer, WebhooksRepo.layer])
  )
}
