import * as Job from "./Job.ts"
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import { JobSignal, WorkerSession } from "./Worker.ts"
import { now } from "../Time.ts"

/** One of the jobs that `enqueueAll` enqueues. */
export interface JobItem<J extends Job.Job> {
  readonly payload: J["payload"]["Type"]
  readonly runAt?: Date
  readonly jobKey?: string
}

interface JobClock {
  /** The time at which a job without `runAt` is due; null for the database's current time. */
  readonly now: Effect.Effect<Date | null>
  /** Runs after the commit of a transaction that enqueued jobs. */
  readonly onEnqueued: Effect.Effect<void>
}

const make = Effect.fnUntraced(function* (clock: JobClock) {
  const sql = yield* Database
  const notify = sql.afterCommit(clock.onEnqueued)

  /**
   * Enqueues one job as {@link enqueue} does, within a statement that the caller sends anyway: `send` gets the call of a function, which
   * must be in its `from`.
   */
  const enqueueWithin = Effect.fn("Jobs.enqueue")(function* <J extends Job.Job>(
    job: J,
    payload: J["payload"]["Type"],
    send: (call: Fragment) => Effect.Effect<unknown, SqlError>,
    options?: { readonly runAt?: Date; readonly jobKey?: string }
  ) {
    const json = yield* Job.encode(job, payload)
    const runAt = options?.runAt ?? (yield* clock.now)
    yield* send(sql`graphile_worker.add_job(
      identifier => ${job.name},
      payload => ${JSON.stringify(json)}::json,
      run_at => ${runAt}::timestamptz,
      max_attempts => ${job.maxAttempts ?? null}::int,
      priority => ${job.priority ?? null}::int,
      job_key => ${options?.jobKey ?? null}::text
    )`)
    yield* notify
  }, orDie)

  /** Enqueues one job, due immediately or at `runAt`. It replaces a queued job with the same `jobKey`. */
  const enqueue = <J extends Job.Job>(
    job: J,
    payload: J["payload"]["Type"],
    options?: { readonly runAt?: Date; readonly jobKey?: string }
  ) => enqueueWithin(job, payload, (call) => sql`select 1 from ${call}`, options)

  /** Enqueues many jobs with one statement. No two of them may have the same key. */
  const enqueueAll = Effect.fn("Jobs.enqueueAll")(function* <J extends Job.Job>(
    job: J,
    items: ReadonlyArray<JobItem<J>>
  ) {
    if (items.length === 0) return
    const now = yield* clock.now
    const rows = yield* Effect.forEach(items, (item) =>
      Effect.map(Job.encode(job, item.payload), (payload) => ({
        // As text: a JSON null would become SQL's null, and graphile-worker stores that as the empty object.
        payload: JSON.stringify(payload),
        run_at: item.runAt ?? now,
        job_key: item.jobKey ?? null
      }))
    )
    yield* sql`select count(*) from graphile_worker.add_jobs(array(
      select row(
        ${job.name}::text, item.payload::json, null, item.run_at, ${job.maxAttempts ?? null}::int, item.job_key,
        ${job.priority ?? null}::int, null
      )::graphile_worker.job_spec
      from json_to_recordset(${sql.json(rows)}::json) as item (payload text, run_at timestamptz, job_key text)
    ))`
    yield* notify
  }, orDie)

  return { enqueue, enqueueWithin, enqueueAll }
})

/**
 * Enqueues jobs inside the transaction of the change that needs them, so that they exist if and only if it commits. A
 * failure of the database is a defect (see `orDie`).
 */
export class Jobs extends Context.Service<Jobs, Effect.Success<ReturnType<typeof make>>>()("platform/jobs/Jobs") {
  /** On the database's clock, for `GraphileWorker`. */
  static readonly layer: Layer.Layer<Jobs | WorkerSession, never, Database> = Layer.effect(
    Jobs,
    make({ now: Effect.succeed(null), onEnqueued: Effect.void })
  ).pipe(Layer.merge(WorkerSession.layer))

  /** On the application's clock, for `MemoryWorker`. */
  static readonly layerMemory: Layer.Layer<Jobs | WorkerSession | JobSignal, never, Database> = Layer.effect(
    Jobs,
    Effect.flatMap(JobSignal, (signal) =>
      make({
        now,
        onEnqueued: Effect.asVoid(signal.open)
      })
    )
  ).pipe(
    Layer.merge(
      Layer.effect(
        WorkerSession,
        Effect.flatMap(JobSignal, (signal) => WorkerSession.make(() => void signal.openUnsafe()))
      )
    ),
    Layer.provideMerge(JobSignal.layer)
  )
}
