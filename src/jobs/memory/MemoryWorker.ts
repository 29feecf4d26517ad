import { Cause, Clock, Deferred, Effect, Exit, Fiber, FiberSet } from "effect"
import { randomUUID } from "node:crypto"
import { Database } from "../../db/Database.ts"
import { WorkerSession, type Lease } from "../WorkerSession.ts"
import { JobSignal } from "../JobSignal.ts"
import type { Task } from "../Task.ts"
import * as JobTable from "./JobTable.ts"
import type { TakenJob } from "./JobTable.ts"

const present = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

/**
 * Does jobs in fibers of this process, on the clock that it is given: a test's clock moves it through hours in
 * milliseconds. It works on any `Database` whose jobs `Jobs.layerMemory` enqueues, and alone: what other processes
 * enqueue goes unnoticed until the next job here is due.
 */
export const make = Effect.fn("MemoryWorker.make")(function* <R>(tasks: ReadonlyArray<Task<R>>) {
  const sql = yield* Database
  const signal = yield* JobSignal
  const byName = new Map(tasks.map((task) => [task.job.name, task]))
  const duty = yield* WorkerSession
  const session: Lease = { id: `memory-${randomUUID()}`, isShared: false }
  const table = JobTable.make(sql, session.id, [...byName.keys()])
  yield* Effect.addFinalizer(() => Effect.ignoreCause(table.release))
  const running = yield* FiberSet.make<void>()
  yield* Effect.acquireRelease(
    Effect.sync(() => duty.enter(session)),
    () => Effect.sync(() => duty.leave(session))
  )

  // Each question whether all is done is answered by a look at the table that began after it was asked.
  let asked = 0
  let waiting: Array<{ readonly ticket: number; readonly answer: Deferred.Deferred<void> }> = []
  const answer = (ticket: number) => {
    const answered = waiting.filter((question) => question.ticket <= ticket)
    waiting = waiting.filter((question) => question.ticket > ticket)
    return Effect.forEach(answered, (question) => Deferred.succeed(question.answer, undefined), { discard: true })
  }

  let unfinished = 0
  const perform = (job: TakenJob) =>
    Effect.exit(byName.get(job.name)?.run(job.payload) ?? Effect.die(`No task for ${job.name}`)).pipe(
      Effect.flatMap((exit) => {
        if (Exit.isSuccess(exit)) return Effect.asVoid(table.complete(job))
        const cause = exit.cause
        return Effect.logError(`Job ${job.name} failed, attempt ${job.attempts} of ${job.maxAttempts}`, cause).pipe(
          Effect.andThen(present),
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
      const ticket = asked
      const idle = unfinished === 0 && duty.isIdle()
      const now = yield* present
      const jobs = yield* table.take(now)
      if (jobs.length > 0) {
        unfinished += jobs.length
        yield* Effect.forEach(jobs, (job) => FiberSet.run(running, perform(job)), { discard: true })
        continue
      }
      if (idle) yield* answer(ticket)
      const next = yield* table.next
      const due = next === undefined ? Effect.never : Effect.sleep(Math.max(0, next.getTime() - now.getTime()))
      yield* Effect.raceFirst(signal.await, due)
    }
  })
  const worker = yield* Effect.forkScoped(Effect.orDie(loop))

  const drain = Effect.suspend(() => {
    const question = { ticket: ++asked, answer: Deferred.makeUnsafe<void>() }
    waiting.push(question)
    return Effect.andThen(signal.open, Effect.raceFirst(Deferred.await(question.answer), Fiber.join(worker)))
  }).pipe(Effect.withSpan("Worker.drain"))

  return { drain, nextRunAt: Effect.orDie(table.next) }
})
