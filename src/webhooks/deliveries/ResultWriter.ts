/**
 * Writes the results of a team's attempts and releases unsent deliveries, in batches. The same transaction claims the
 * deliveries to send next.
 *
 * A lost result would repeat the request, so results are kept while the database is unavailable. A batch that fails for
 * another reason (the database rejects it, or a defect) is written one by one: as it is, then without the response, then as a
 * failed attempt that the log does not show and that is retried. If even that fails, the delivery leaves the local queue and
 * `ClaimRecovery` releases it, so that no delivery stays claimed.
 */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as Id from "../../core/Id.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { Cause, Context, Effect, Layer } from "effect"
import { systemOf } from "../../core/auth/CurrentActor.ts"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { now, onWallClock } from "../../platform/Time.ts"
import type { ClaimedDelivery, LocalQueue } from "./LocalQueue.ts"
import { type EvaluatedAttempt, type FinishedAttempt, hasResponse, withoutResponse } from "./evaluation.ts"
import { type DisabledWebhook, mayDisable, Recorder } from "./Recorder.ts"
import { Scheduler } from "./Scheduler.ts"
import { SchedulerRepo } from "./SchedulerRepo.ts"

/** Schedules a team as the last step of a transaction (see `DeliveryWorker.schedule`). */
type Schedule = (teamId: string, at: Date) => Effect.Effect<void>

const retryPause = onWallClock(Effect.sleep("1 second"))

const nothing: { readonly recorded: ReadonlySet<string>; readonly disabled: ReadonlyArray<DisabledWebhook> } = {
  recorded: new Set(),
  disabled: []
}

const isPermanent = (cause: Cause.Cause<never>) => !Cause.hasInterrupts(cause) && !Transaction.isTransient(cause)

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
  const repo = yield* SchedulerRepo
  const scheduler = yield* Scheduler
  const recorder = yield* Recorder
  const changes = yield* Changes

  const release = Effect.fnUntraced(function* (teamId: string, released: ReadonlyArray<ClaimedDelivery>) {
    for (const leaseId of new Set(released.map(({ lease }) => lease.id))) {
      yield* repo.release(
        teamId,
        leaseId,
        released.filter(({ lease }) => lease.id === leaseId).map(({ delivery }) => delivery.id)
      )
    }
  })

  /** The last resort: counts the attempt as failed, and loses its result. */
  const recordFailure = (teamId: string, finished: FinishedAttempt, at: Date, cause: Cause.Cause<never>) =>
    Effect.andThen(
      Effect.logError(
        `The result of an attempt of the delivery ${Id.fromUuid("dlv", finished.delivery.id)} could not be recorded`,
        cause
      ),
      scheduler.transaction(teamId, recorder.writeFailure(finished.delivery, at)).pipe(
        untilAvailable,
        Effect.catchCauseIf(isPermanent, (cause) =>
          Effect.logError(
            `The delivery ${Id.fromUuid("dlv", finished.delivery.id)} will be released and sent again`,
            cause
          )
        )
      )
    )

  /** Counts recorded attempts in the metrics, after the commit, since a transaction may run twice. Returns the unrecorded ones. */
  const countRecorded = Effect.fnUntraced(function* (
    evaluated: ReadonlyArray<EvaluatedAttempt>,
    recorded: ReadonlySet<string>,
    at: Date
  ) {
    const isRecorded = ({ finished }: EvaluatedAttempt) => recorded.has(finished.delivery.id)
    for (const one of evaluated.filter(isRecorded)) yield* recorder.countOutcome(one, at)
    return evaluated.filter((one) => !isRecorded(one))
  })

  /**
   * Writes results in a transaction, and then says in the log which webhooks this disabled. Events need the time and the id of a
   * change from its beginning, so results that may disable a webhook are written in one.
   */
  const commit = Effect.fnUntraced(function* (
    {
      at,
      evaluated,
      teamId
    }: { readonly teamId: string; readonly evaluated: ReadonlyArray<EvaluatedAttempt>; readonly at: Date },
    afterwards: Effect.Effect<void>
  ) {
    const write = (change?: Change) =>
      Effect.tap(
        evaluated.length === 0 ? Effect.succeed(nothing) : recorder.write(teamId, evaluated, at, change),
        () => afterwards
      )
    const { disabled, recorded } = yield* scheduler.transaction(
      teamId,
      evaluated.some(mayDisable) ? changes.commit(systemOf(teamId), write) : write()
    )
    for (const { id, reason } of disabled) {
      yield* Effect.logWarning(
        `The webhook ${Id.fromUuid("webhook", id)} of ${Id.fromUuid("team", teamId)} was disabled: ${reason}.`
      )
    }
    return recorded
  })

  /** Writes one result, reduced if necessary. Returns false if the delivery has changed since it was read. */
  const writeAlone = (teamId: string, evaluated: EvaluatedAttempt, at: Date): Effect.Effect<boolean> =>
    commit({ teamId, evaluated: [evaluated], at }, Effect.void).pipe(
      untilAvailable,
      Effect.flatMap((recorded) => countRecorded([evaluated], recorded, at)),
      Effect.map((changed) => changed.length === 0),
      Effect.catchCauseIf(isPermanent, (cause) =>
        hasResponse(evaluated)
          ? writeAlone(teamId, withoutResponse(evaluated), at)
          : Effect.as(recordFailure(teamId, evaluated.finished, at, cause), true)
      )
    )

  /** Writes a batch, one by one if the batch fails. Returns the attempts whose deliveries have changed since they were read. */
  const writeBatch = Effect.fnUntraced(function* (
    batch: {
      readonly teamId: string
      readonly evaluated: ReadonlyArray<EvaluatedAttempt>
      readonly released: ReadonlyArray<ClaimedDelivery>
      readonly at: Date
    },
    schedule: Schedule
  ) {
    const { at, evaluated, released, teamId } = batch
    const oneByOne = Effect.gen(function* () {
      const changed = yield* Effect.filter(evaluated, (one) => Effect.map(writeAlone(teamId, one, at), (done) => !done))
      yield* untilAvailable(scheduler.transaction(teamId, release(teamId, released)))
      yield* untilAvailable(scheduler.transaction(teamId, schedule(teamId, at)))
      return changed
    })
    return yield* untilAvailable(commit(batch, Effect.andThen(release(teamId, released), schedule(teamId, at)))).pipe(
      Effect.flatMap((recorded) => countRecorded(evaluated, recorded, at)),
      Effect.catchCauseIf(isPermanent, (cause) =>
        Effect.andThen(
          Effect.logWarning("The results of attempts were rejected; writing each by itself", cause),
          oneByOne
        )
      )
    )
  })

  /** Evaluates finished attempts. One whose evaluation dies is recorded as failed. */
  const evaluateAll = Effect.fnUntraced(function* (teamId: string, finished: ReadonlyArray<FinishedAttempt>, at: Date) {
    const evaluated: Array<EvaluatedAttempt> = []
    for (const attempt of finished) {
      yield* Effect.matchCauseEffect(recorder.evaluate(attempt, at), {
        onSuccess: (one) => Effect.sync(() => void evaluated.push(one)),
        onFailure: (cause) =>
          Cause.hasInterrupts(cause) ? Effect.failCause(cause) : recordFailure(teamId, attempt, at, cause)
      })
    }
    return evaluated
  })

  /** Writes results. Returns the attempts to evaluate again, because a client has queued their deliveries again. */
  const write = Effect.fnUntraced(function* (
    teamId: string,
    results: { readonly finished: ReadonlyArray<FinishedAttempt>; readonly released: ReadonlyArray<ClaimedDelivery> },
    schedule: Schedule
  ) {
    const at = yield* now
    const evaluated = yield* evaluateAll(teamId, results.finished, at)
    const changed = yield* writeBatch({ teamId, evaluated, released: results.released, at }, schedule)
    return yield* untilAvailable(inTeam(teamId)(recorder.findRequeued(teamId, changed)))
  })

  /** Writes the finished and released deliveries of a queue until none is left. Never fails. */
  const writeAll = (queue: LocalQueue, schedule: Schedule): Effect.Effect<void> =>
    Effect.gen(function* () {
      while (queue.hasResults) {
        const finished = queue.finished.splice(0)
        const released = queue.released.splice(0)
        const requeued = yield* Effect.catchCauseIf(
          write(queue.teamId, { finished, released }, schedule),
          (cause) => !Cause.hasInterrupts(cause),
          (cause) => Effect.as(Effect.logError("The results of attempts could not be recorded", cause), [])
        )
        queue.finished.push(...requeued)
        const remaining = new Set(requeued.map(({ delivery }) => delivery.id))
        queue.removeWritten(finished.map(({ delivery }) => delivery.id).filter((id) => !remaining.has(id)))
        queue.removeWritten(released.map(({ delivery }) => delivery.id))
      }
    })

  return { writeAll }
})

/** Writes the results of attempts. */
export class ResultWriter extends Context.Service<ResultWriter, Effect.Success<typeof make>>()(
  "webhooks/deliveries/ResultWriter"
) {
  static readonly layer = Layer.effect(ResultWriter, make)
}
