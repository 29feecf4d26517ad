/** Sends the deliveries that this process has claimed, concurrently within the limits. See docs/behaviour/webhooks.md#isolation. */
import * as Id from "../../core/Id.ts"
import * as ClaimRecovery from "./ClaimRecovery.ts"
import { Clock, Context, Effect, FiberSet, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { type Lease, WorkerSession } from "../../platform/jobs/Worker.ts"
import { type ClaimedDelivery, LocalQueue } from "./LocalQueue.ts"
import { Sending } from "../../core/outbound/Outbound.ts"
import { ResultWriter } from "./ResultWriter.ts"
import { classify, type DueDelivery, isSlow } from "./rules.ts"
import { maxQueueTime } from "./schedule.ts"
import { Scheduler } from "./Scheduler.ts"
import { Sender } from "./Sender.ts"
import { now } from "../../platform/Time.ts"

// The attempts that a process has in flight at most: many systems allow a process only 1024 open files. Slow receivers get
// at most half of them.
const maxInFlight = 400

// Usually one transaction at a time records a team's results. A second one starts when this many results have accumulated.
const maxWriters = 2
const resultsForSecondWriter = 50

const make = Effect.gen(function* () {
  const scheduler = yield* Scheduler
  const results = yield* ResultWriter
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

  const writeResults = (queue: LocalQueue): void => {
    if (queue.writers > 0 && (queue.writers >= maxWriters || queue.finished.length < resultsForSecondWriter)) return
    queue.writers++
    fork(
      Effect.andThen(
        results.writeAll(queue, schedule),
        Effect.sync(() => writerEnded(queue))
      )
    )
  }

  const writerEnded = (queue: LocalQueue): void => {
    queue.writers--
    if (queue.hasResults) return writeResults(queue)
    if (!queue.isEmpty || queue.writers > 0) return
    queues.delete(queue.teamId)
    session.endWork()
  }

  const enqueue = (deliveries: ReadonlyArray<DueDelivery>, lease: Lease, millis: number): void => {
    for (const delivery of deliveries) queueOf(delivery.teamId).add({ delivery, lease, claimedAt: millis })
    for (const teamId of new Set(deliveries.map((delivery) => delivery.teamId))) sendNext(queueOf(teamId), millis)
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
    yield* database.afterCommit(Effect.map(Clock.currentTimeMillis, (millis) => enqueue(claimed, lease, millis)))
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
      if (queue.released.length > 0) writeResults(queue)
    }
  })

  yield* ClaimRecovery.run({ isQueued: ({ id, teamId }) => queues.get(teamId)?.has(id) === true, scheduleAll })

  return { schedule, scheduleAll }
})

/** The delivery worker of this process. */
export class DeliveryWorker extends Context.Service<DeliveryWorker, Effect.Success<typeof make>>()(
  "webhooks/deliveries/DeliveryWorker"
) {
  static readonly layer = Layer.effect(DeliveryWorker, make)
}
