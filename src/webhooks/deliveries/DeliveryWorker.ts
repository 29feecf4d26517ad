/**
 * Sends the deliveries that this process has claimed, concurrently within the limits (docs/behaviour/webhooks.md#isolation): the
 * queue of a team, the worker that sends from it, and the recovery of claims that nobody works on.
 */
import * as Id from "../../core/Id.ts"
import { Cause, Clock, Context, type Duration, Effect, Exit, FiberSet, Layer, Schedule } from "effect"
import { Sending } from "../../core/outbound/Outbound.ts"
import { forEach, inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { type Lease, lockSeed, WorkerSession } from "../../platform/jobs/Worker.ts"
import { now, onWallClock } from "../../platform/Time.ts"
import { Recorder } from "./Recorder.ts"
import {
  attemptNumber,
  classify,
  concurrencyLimits,
  type DueDelivery,
  type FinishedAttempt,
  isSlow,
  maxQueueTime,
  nextQueue,
  prefetchLimit,
  type WebhookQueue
} from "./rules.ts"
import { Scheduler } from "./Scheduler.ts"
import { type Claim, SchedulerRepo } from "./SchedulerRepo.ts"
import { Sender } from "./Sender.ts"

// The attempts that a process has in flight at most: many systems allow a process only 1024 open files. Slow receivers get
// at most half of them.
const maxInFlight = 400

// Usually one transaction at a time records a team's results. A second one starts when this many results have accumulated.
const maxWriters = 2
const resultsForSecondWriter = 50

/** A delivery that this worker has claimed. */
interface ClaimedDelivery {
  readonly delivery: DueDelivery
  /** The lease under which it was claimed. */
  readonly lease: Lease
  /** When it was claimed, in milliseconds. */
  readonly claimedAt: number
}

/** The claimed deliveries of one webhook. */
class ClaimedQueue implements WebhookQueue {
  inFlight = 0
  slow = false
  /** The duration of the latest attempt in milliseconds; undefined before the first, and after one that failed or was slow. */
  healthyDurationMs: number | undefined
  private readonly waiting: readonly [firstAttempts: Array<ClaimedDelivery>, retries: Array<ClaimedDelivery>] = [[], []]

  get firstAttempts() {
    return this.waiting[0].length
  }
  get retries() {
    return this.waiting[1].length
  }

  add(claimed: ClaimedDelivery) {
    this.slow = claimed.delivery.slow
    this.waiting[attemptNumber(claimed.delivery) === 1 ? 0 : 1].push(claimed)
  }
  next(): ClaimedDelivery | undefined {
    return this.waiting[0].shift() ?? this.waiting[1].shift()
  }
  drain(): ReadonlyArray<ClaimedDelivery> {
    return this.waiting.flatMap((queue) => queue.splice(0))
  }
}

/**
 * The local queue of a team. A delivery is here from its claim until the database has its result or its release:
 *
 * - waiting → in flight → `finished` → written
 * - waiting → `unsent` → written
 * - waiting → returned by `next`, but not sent → `unsent` → written
 */
class LocalQueue {
  readonly teamId: string
  inFlight = 0
  /** Finished attempts that no writer has taken yet. */
  readonly finished: Array<FinishedAttempt> = []
  /** Unsent deliveries whose claims no writer has released yet. */
  readonly unsent: Array<ClaimedDelivery> = []
  /** How many writers are recording results. */
  writers = 0
  private readonly queues = new Map<string, ClaimedQueue>()
  /** The ids of deliveries that wait or are in flight. */
  private readonly active = new Set<string>()
  /** How many unwritten results or releases each delivery has: more than one if it was claimed again before the first was written. */
  private readonly unwritten = new Map<string, number>()

  constructor(teamId: string) {
    this.teamId = teamId
  }

  get isEmpty() {
    return this.active.size + this.unwritten.size === 0
  }

  /** Whether there are finished or unsent deliveries that no writer has taken yet. */
  get hasResults() {
    return this.finished.length + this.unsent.length > 0
  }

  has(id: string) {
    return this.active.has(id) || this.unwritten.has(id)
  }

  /**
   * How many deliveries this worker may claim of each webhook whose latest attempt was delivered and not slow: more than may be in
   * flight.
   */
  get prefetchLimits() {
    return [...this.queues].flatMap(([id, { healthyDurationMs }]) =>
      healthyDurationMs === undefined ? [] : [{ id, limit: prefetchLimit(healthyDurationMs, concurrencyLimits) }]
    )
  }

  private queueOf(webhookId: string): ClaimedQueue {
    const existing = this.queues.get(webhookId)
    if (existing !== undefined) return existing
    const queue = new ClaimedQueue()
    this.queues.set(webhookId, queue)
    return queue
  }

  /** Adds a claimed delivery. Ignores it if it is still waiting or in flight here from a claim under an earlier lease. */
  add(claimed: ClaimedDelivery) {
    if (this.active.has(claimed.delivery.id)) return
    this.active.add(claimed.delivery.id)
    this.queueOf(claimed.delivery.webhookId).add(claimed)
  }

  /** Takes the delivery to send next, which counts as in flight from now on; undefined if the limits allow none. */
  next(allowSlow: boolean): ClaimedDelivery | undefined {
    const queue = nextQueue(this.queues.values(), {
      inFlight: this.inFlight,
      limits: concurrencyLimits,
      allowSlow
    })
    const claimed = queue?.next()
    if (queue === undefined || claimed === undefined) return undefined
    queue.inFlight++
    this.inFlight++
    return claimed
  }

  private decrementInFlight({ delivery }: ClaimedDelivery) {
    this.inFlight--
    this.queueOf(delivery.webhookId).inFlight--
  }

  private markUnwritten(id: string) {
    this.active.delete(id)
    this.unwritten.set(id, (this.unwritten.get(id) ?? 0) + 1)
  }

  /**
   * Ends an attempt. `healthyDurationMs` is its duration, or undefined if it failed or was slow. Then the deliveries that
   * wait for this webhook are released, so that the next claim applies the webhook's current limits.
   */
  finish(claimed: ClaimedDelivery, finished: FinishedAttempt, healthyDurationMs: number | undefined) {
    this.decrementInFlight(claimed)
    this.markUnwritten(claimed.delivery.id)
    this.finished.push(finished)
    const queue = this.queueOf(claimed.delivery.webhookId)
    queue.healthyDurationMs = healthyDurationMs
    if (healthyDurationMs === undefined) this.release(queue.drain())
  }

  /** Releases a delivery that `next` returned, instead of sending it. */
  returnUnsent(claimed: ClaimedDelivery) {
    this.decrementInFlight(claimed)
    this.release([claimed])
  }

  private release(claims: ReadonlyArray<ClaimedDelivery>) {
    for (const claimed of claims) {
      this.markUnwritten(claimed.delivery.id)
      this.unsent.push(claimed)
    }
  }

  /** Releases all deliveries that are not in flight. */
  releaseWaiting() {
    for (const queue of this.queues.values()) this.release(queue.drain())
  }

  /** Removes deliveries whose results or releases are in the database. */
  removeWritten(ids: Iterable<string>) {
    for (const id of ids) {
      const count = this.unwritten.get(id) ?? 0
      if (count > 1) this.unwritten.set(id, count - 1)
      else this.unwritten.delete(id)
    }
  }
}

/** A failure that lasts is logged again after so many milliseconds. */
const maxSilence = 60_000

/** The time between two checks. Defaults to two seconds. */
export const CheckInterval = Context.Reference<Duration.Input>("webhooks/deliveries/DeliveryWorker/CheckInterval", {
  defaultValue: () => "2 seconds"
})

/**
 * Checks at this interval until the scope closes, while the worker has a lease that other workers can see. A claim of this
 * worker is released when two checks in a row do not find it in a queue. One check is not enough: a delivery that was just
 * claimed is queued only after the commit.
 */
export const recoverClaims = Effect.fnUntraced(function* (options: {
  readonly isQueued: (claim: Claim) => boolean
  readonly scheduleAll: (teams: Iterable<string>) => Effect.Effect<void>
}) {
  const repo = yield* SchedulerRepo
  const database = yield* Database
  const session = yield* WorkerSession
  const interval = yield* CheckInterval

  let suspects: ReadonlySet<string> = new Set()

  const releaseOwn = Effect.fnUntraced(function* (lease: Lease) {
    const unknown = (yield* repo.claimsOf(lease.id)).filter((claim) => !options.isQueued(claim))
    const lost = unknown.filter(({ id }) => suspects.has(id))
    suspects = new Set(unknown.map(({ id }) => id))
    if (lost.length === 0) return
    const released = yield* Effect.forEach(
      Map.groupBy(lost, (claim) => claim.teamId),
      ([teamId, some]) => {
        const ids = some.map(({ id }) => id)
        return Effect.exit(Effect.as(inTeam(teamId)(repo.release(teamId, lease.id, ids)), teamId))
      }
    )
    yield* options.scheduleAll(released.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : [])))
    yield* Exit.asVoidAll(released)
    yield* Effect.logWarning(`Released ${lost.length} deliveries whose results this worker could not record`)
  })

  const releaseOthers = Effect.fnUntraced(function* (lease: Lease) {
    const teams = yield* repo.releaseFromDeadWorkers(lease.id, lockSeed)
    if (teams.length > 0) {
      yield* Effect.logWarning(`Released the deliveries of ${teams.length} teams that dead workers had claimed`)
    }
    yield* options.scheduleAll(teams)
  })

  /** Both releases, also if one of them fails. */
  const check = (lease: Lease) =>
    Effect.flatMap(
      Effect.all([Effect.exit(forEach(database, releaseOthers(lease))), Effect.exit(releaseOwn(lease))]),
      Exit.asVoidAll
    )

  // A check that fails, fails again after the interval while its cause lasts.
  let failures = 0
  let loggedAt = -Infinity

  const failed = (cause: Cause.Cause<unknown>) =>
    Effect.suspend(() => {
      failures += 1
      const at = performance.now()
      if (Cause.hasInterruptsOnly(cause) || at - loggedAt < maxSilence) return Effect.void
      loggedAt = at
      return Effect.logError(
        `The claims of workers could not be checked, ${failures} times since it last worked: deliveries that dead workers had claimed wait`,
        cause
      )
    })

  const succeeded = Effect.suspend(() => {
    const before = failures
    failures = 0
    return before === 0
      ? Effect.void
      : Effect.logInfo(`The claims of workers are checked again, after ${before} failed checks`)
  })

  yield* Effect.suspend(() => {
    const lease = session.currentLease()
    return lease?.isVisible === true ? Effect.andThen(check(lease), succeeded) : Effect.void
  }).pipe(Effect.catchCause(failed), Effect.repeat(Schedule.spaced(interval)), onWallClock, Effect.forkScoped)
})

const make = Effect.gen(function* () {
  const scheduler = yield* Scheduler
  const recorder = yield* Recorder
  const sender = yield* Sender
  const session = yield* WorkerSession
  const database = yield* Database
  const isSending = yield* Sending
  const fork = yield* FiberSet.make<void>().pipe(Effect.flatMap((set) => FiberSet.runtime(set)()))

  // By team id. While a team has a queue, the session counts as busy, so the process does not stop before it has written the
  // results.
  const queues = new Map<string, LocalQueue>()
  let inFlight = 0
  let slowInFlight = 0

  const queueOf = (teamId: string): LocalQueue => {
    const existing = queues.get(teamId)
    if (existing !== undefined) return existing
    session.startWork()
    const queue = new LocalQueue(teamId)
    queues.set(teamId, queue)
    return queue
  }

  /** Sends as much as the limits allow, and releases deliveries that were claimed too long ago or under an expired lease. */
  const sendNext = (queue: LocalQueue, millis: number): void => {
    while (inFlight < maxInFlight) {
      const claimed = queue.next(slowInFlight < maxInFlight / 2)
      if (claimed === undefined) break
      if (claimed.lease === session.currentLease() && millis - claimed.claimedAt <= maxQueueTime) send(queue, claimed)
      else queue.returnUnsent(claimed)
    }
    if (queue.hasResults) writeResults(queue)
  }

  const send = (queue: LocalQueue, claimed: ClaimedDelivery): void => {
    const { delivery } = claimed
    inFlight++
    if (delivery.slow) slowInFlight++
    fork(
      Effect.flatMap(sender.send(delivery), (sent) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          const wasFull = inFlight >= maxInFlight
          inFlight--
          if (delivery.slow) slowInFlight--
          const isHealthy = classify(sent.attempt) === "delivered" && !isSlow(sent.attempt)
          const healthyDurationMs = isHealthy ? sent.attempt.durationMs : undefined
          queue.finish(claimed, { delivery, sent, wasRequeued: false }, healthyDurationMs)
          sendNext(queue, millis)
          // Other teams may have waited for this slot.
          if (wasFull || delivery.slow) for (const other of queues.values()) sendNext(other, millis)
        })
      )
    )
  }

  /** Records the finished and unsent deliveries of a queue until none is left, unless enough writers do. Never fails. */
  const writeResults = (queue: LocalQueue): void => {
    if (queue.writers > 0 && (queue.writers >= maxWriters || queue.finished.length < resultsForSecondWriter)) return
    queue.writers++
    fork(
      Effect.gen(function* () {
        while (queue.hasResults) {
          const finished = queue.finished.splice(0)
          const unsent = queue.unsent.splice(0)
          const requeued = yield* Effect.catchCauseIf(
            recorder.record(queue.teamId, { finished, unsent }, schedule),
            (cause) => !Cause.hasInterrupts(cause),
            (cause) => Effect.as(Effect.logError("The results of attempts could not be recorded", cause), [])
          )
          queue.finished.push(...requeued)
          const remaining = new Set(requeued.map(({ delivery }) => delivery.id))
          queue.removeWritten(finished.map(({ delivery }) => delivery.id).filter((id) => !remaining.has(id)))
          queue.removeWritten(unsent.map(({ delivery }) => delivery.id))
        }
        writerEnded(queue)
      })
    )
  }

  const writerEnded = (queue: LocalQueue): void => {
    queue.writers--
    if (queue.hasResults) return writeResults(queue)
    if (!queue.isEmpty || queue.writers > 0) return
    queues.delete(queue.teamId)
    session.endWork()
  }

  /**
   * Claims the deliveries of a team that may be attempted at `at`, and sends them after the commit. Call it as the last step of
   * a transaction that queues deliveries or ends claims (see `Scheduler.claim`). A process without a lease enqueues a job
   * instead, and another worker sends them. If the installation sends nothing, they wait for reconciliation.
   */
  const schedule = Effect.fn("DeliveryWorker.schedule")(function* (teamId: string, at: Date, fired?: Date) {
    if (!isSending) return
    const lease = session.currentLease()
    if (lease === undefined) return yield* scheduler.request(teamId, at)
    const prefetchLimits = queues.get(teamId)?.prefetchLimits ?? []
    const claimed = yield* scheduler.claim(teamId, at, { claimedBy: lease.id, prefetchLimits }, fired)
    if (claimed.length === 0) return
    yield* database.afterCommit(
      Effect.map(Clock.currentTimeMillis, (millis) => {
        const queue = queueOf(teamId)
        for (const delivery of claimed) queue.add({ delivery, lease, claimedAt: millis })
        sendNext(queue, millis)
      })
    )
  })

  /** Schedules each team in its own transaction. Logs a failure and continues with the other teams. */
  const scheduleAll = Effect.fn("DeliveryWorker.scheduleAll")(function* (teams: Iterable<string>) {
    for (const teamId of new Set(teams)) {
      yield* scheduler
        .transaction(
          teamId,
          Effect.flatMap(now, (at) => schedule(teamId, at))
        )
        .pipe(
          Effect.catchCause((cause) =>
            Effect.logError(`The deliveries of ${Id.fromUuid("team", teamId)} could not be scheduled`, cause)
          )
        )
    }
  })

  session.onLeaseEnd(() => {
    for (const queue of queues.values()) {
      queue.releaseWaiting()
      if (queue.unsent.length > 0) writeResults(queue)
    }
  })

  yield* recoverClaims({ isQueued: ({ id, teamId }) => queues.get(teamId)?.has(id) === true, scheduleAll })

  return { schedule, scheduleAll }
})

/** The delivery worker of this process. */
export class DeliveryWorker extends Context.Service<DeliveryWorker, Effect.Success<typeof make>>()(
  "webhooks/deliveries/DeliveryWorker"
) {
  /** Without what it needs, so that a test can put something else in its place. */
  static readonly layerNoDeps = Layer.effect(DeliveryWorker, make)
  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([Recorder.layer, Scheduler.layer, SchedulerRepo.layer, Sender.layer])
  )
}
