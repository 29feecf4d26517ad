/**
 * A worker for tests: it runs jobs in fibers of this process, on the clock of the application, so that a `TestClock`
 * moves it through hours in milliseconds. It works on any `Database` into which `Jobs.layerMemory` enqueues, and only
 * there: jobs that other processes enqueue stay unnoticed until the next job of this process is due.
 *
 * Why not graphile-worker's `runOnce`: docs/adr/0009-pglite-in-memory.md.
 */
import * as PrivateTables from "./PrivateTables.ts"
import { Cause, Deferred, Effect, Exit, Fiber, FiberSet, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { Database } from "../db/Database.ts"
import { JobSignal, type Lease, type JobHandler, type HandlerServices, Worker, WorkerSession } from "./Worker.ts"
import { now } from "../Time.ts"

const make = Effect.fn("MemoryWorker.make")(function* <R>(handlers: ReadonlyArray<JobHandler<R>>) {
  const sql = yield* Database
  const signal = yield* JobSignal
  const byName = new Map(handlers.map((handler) => [handler.job.name, handler]))
  const names = [...byName.keys()]
  const session = yield* WorkerSession
  const lease: Lease = { id: `memory-${randomUUID()}`, isVisible: false }
  const table = PrivateTables.make(sql, lease.id, names)
  yield* Effect.addFinalizer(() =>
    Effect.ignoreCause(sql`select graphile_worker.force_unlock_workers(array[${lease.id}])`)
  )
  // Rounded up to what a Date can represent, so that the job is due at that time.
  const nextRunAt = Effect.map(
    sql<{ run_at: Date | null }>`
      select date_trunc('milliseconds', min(run_at) + interval '999 microseconds') as run_at from graphile_worker.jobs
      where locked_at is null and attempts < max_attempts and task_identifier = any(${names}::text[])`,
    (rows) => rows[0]?.run_at ?? undefined
  )
  const running = yield* FiberSet.make<void>()
  yield* Effect.acquireRelease(
    Effect.sync(() => session.startLease(lease)),
    () => Effect.sync(() => session.endLease(lease.id))
  )

  // A call of `drain` completes after a query of the table that started after the call.
  let calls = 0
  let drains: Array<{ readonly call: number; readonly done: Deferred.Deferred<void> }> = []
  const completeDrains = (upTo: number) => {
    const completed = drains.filter(({ call }) => call <= upTo)
    drains = drains.filter(({ call }) => call > upTo)
    return Effect.forEach(completed, ({ done }) => Deferred.succeed(done, undefined), { discard: true })
  }

  let unfinished = 0
  const perform = (job: PrivateTables.ClaimedJob) =>
    Effect.exit(byName.get(job.name)?.run(job.payload) ?? Effect.die(`No handler for ${job.name}`)).pipe(
      Effect.flatMap((exit) => {
        if (Exit.isSuccess(exit)) return Effect.asVoid(table.complete(job))
        const cause = exit.cause
        return Effect.logError(`Job ${job.name} failed, attempt ${job.attempts} of ${job.maxAttempts}`, cause).pipe(
          Effect.andThen(now),
          Effect.flatMap((now) => table.fail(job, now, Cause.pretty(cause)))
        )
      }),
      Effect.catchCause((cause) => Effect.logError(`Job ${job.name} stays locked`, cause)),
      Effect.ensuring(
        Effect.suspend(() => {
          unfinished--
          return signal.open
        })
      )
    )

  const loop = Effect.gen(function* () {
    for (;;) {
      yield* signal.close
      const call = calls
      const idle = unfinished === 0 && session.isIdle()
      const time = yield* now
      const jobs = yield* table.claim(time)
      if (jobs.length > 0) {
        unfinished += jobs.length
        yield* Effect.forEach(jobs, (job) => FiberSet.run(running, perform(job)), { discard: true })
        continue
      }
      if (idle) yield* completeDrains(call)
      const next = yield* nextRunAt
      const due = next === undefined ? Effect.never : Effect.sleep(Math.max(0, next.getTime() - time.getTime()))
      yield* Effect.raceFirst(signal.await, due)
    }
  })
  const worker = yield* Effect.forkScoped(Effect.orDie(loop))

  const drain = Effect.suspend(() => {
    const done = Deferred.makeUnsafe<void>()
    drains.push({ call: ++calls, done })
    return Effect.andThen(signal.open, Effect.raceFirst(Deferred.await(done), Fiber.join(worker)))
  }).pipe(Effect.withSpan("Worker.drain"))

  return { drain, nextRunAt: Effect.orDie(nextRunAt) }
})

/** The worker of `handlers` in this process. */
export const layer = <const T extends ReadonlyArray<JobHandler<unknown>>>(
  handlers: T
): Layer.Layer<Worker, never, HandlerServices<T[number]> | Database | WorkerSession | JobSignal> =>
  Layer.effect(Worker, make(handlers as ReadonlyArray<JobHandler<HandlerServices<T[number]>>>))
