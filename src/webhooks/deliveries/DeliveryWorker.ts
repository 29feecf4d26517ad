/** Sends the deliveries that this process has claimed, many of a team at once. */
import { Clock, Context, Effect, FiberSet, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { type Lease, WorkerSession } from "../../jobs/WorkerSession.ts"
import * as ClaimRecovery from "./ClaimRecovery.ts"
import { type ClaimedDelivery, LocalQueue } from "./LocalQueue.ts"
import { ResultWriter } from "./ResultWriter.ts"
import { classify, type DueDelivery, isSlow } from "./rules.ts"
import { maxQueueTime } from "./schedule.ts"
import { Scheduler } from "./Scheduler.ts"
import { Sender } from "./Sender.ts"
import { now } from "../../fields/Span.ts"

// How many attempts a process makes at a time: a process often may open only 1024 files. Slow receivers get half of them.
const maxInFlight = 400

// One transaction at a time records a team's results; a second one beside it when so many have finished meanwhile.
const maxWriters = 2
const resultsForSecondWriter = 50

const make = Effect.gen(function* () {
  const scheduler = yield* Scheduler
  const results = yield* ResultWriter
  const sender = yield* Sender
  const session = yield* WorkerSession
  const database = yield* Database
  const fork = yield* FiberSet.make<void>().pipe(Effect.flatMap((set) => FiberSet.runtime(set)()))

  // By team. A team's queue keeps the session busy, so that the process does not stop before its results are written.
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

  /** Sends as much as the limits allow, and releases what was claimed too long ago or under a lease that has ended. */
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
          const acceptedIn = isHealthy ? sent.attempt.durationMs : undefined
          queue.finish(claimed, { delivery, sent, wasRequeued: false }, acceptedIn)
          sendNext(queue, millis)
          // Other teams may have waited for this attempt to end.
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
   * Claims what may be attempted of a team at `at`, and sends it after the commit. The last step of a transaction that makes
   * deliveries wait or ends claims (see `Scheduler.claim`). In a process that may not send now, it asks a worker to do so.
   */
  const schedule = Effect.fn("DeliveryWorker.schedule")(function* (teamId: string, at: Date, fired?: Date) {
    const lease = session.currentLease()
    if (lease === undefined) return yield* scheduler.request(teamId, at)
    const prefetchLimits = queues.get(teamId)?.prefetchLimits ?? []
    const claimed = yield* scheduler.claim(teamId, at, { claimedBy: lease.id, prefetchLimits }, fired)
    if (claimed.length === 0) return
    yield* database.afterCommit(Effect.map(Clock.currentTimeMillis, (millis) => enqueue(claimed, lease, millis)))
  })

  /** Schedules each of these teams in a transaction of its own. A team that fails is logged, and the others go on. */
  const scheduleAll = Effect.fn("DeliveryWorker.scheduleAll")(function* (teams: Iterable<string>) {
    for (const teamId of new Set(teams)) {
      yield* scheduler
        .transaction(
          teamId,
          Effect.flatMap(now, (at) => schedule(teamId, at))
        )
        .pipe(
          Effect.catchCause((cause) =>
            Effect.logError(`The deliveries of the team ${teamId} could not be scheduled`, cause)
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

/** The deliveries that this process sends. */
export class DeliveryWorker extends Context.Service<DeliveryWorker, Effect.Success<typeof make>>()(
  "webhooks/deliveries/DeliveryWorker"
) {
  static readonly layer = Layer.effect(DeliveryWorker, make)
}
