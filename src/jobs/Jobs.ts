import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import { WorkerSession } from "./WorkerSession.ts"
import * as Job from "./Job.ts"
import { JobSignal } from "./JobSignal.ts"

/** When a job with the same key is waiting already: take this one's place, keep its time, or let it be. */
export type JobKeyMode = "replace" | "preserve_run_at" | "unsafe_dedupe"

/** One of many jobs. */
export interface Item<J extends Job.Job> {
  readonly payload: J["payload"]["Type"]
  readonly runAt?: Date
  readonly jobKey?: string
}

interface JobClock {
  /** When a job is due that nobody gave a time; null leaves it to the database. */
  readonly now: Effect.Effect<Date | null>
  /** Runs once the job is there for others to see. */
  readonly enqueued: Effect.Effect<void>
}

const make = Effect.fnUntraced(function* (clock: JobClock) {
  const sql = yield* Database
  const announce = sql.afterCommit(clock.enqueued)

  const enqueue = Effect.fn("Jobs.enqueue")(function* <J extends Job.Job>(
    job: J,
    payload: J["payload"]["Type"],
    options?: { readonly runAt?: Date; readonly jobKey?: string; readonly jobKeyMode?: JobKeyMode }
  ) {
    const json = yield* Job.encode(job, payload)
    const runAt = options?.runAt ?? (yield* clock.now)
    yield* sql`select 1 from graphile_worker.add_job(
      identifier => ${job.name},
      payload => ${JSON.stringify(json)}::json,
      run_at => ${runAt}::timestamptz,
      max_attempts => ${job.maxAttempts ?? null}::int,
      priority => ${job.priority ?? null}::int,
      job_key => ${options?.jobKey ?? null}::text,
      job_key_mode => ${options?.jobKeyMode ?? "replace"}::text
    )`
    yield* announce
  }, orDie)

  const enqueueAll = Effect.fn("Jobs.enqueueAll")(function* <J extends Job.Job>(job: J, items: ReadonlyArray<Item<J>>) {
    if (items.length === 0) return
    const now = yield* clock.now
    const rows = yield* Effect.forEach(items, (item) =>
      Effect.map(Job.encode(job, item.payload), (payload) => ({
        // As text: a JSON null would become the null of SQL, and that the empty object.
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
    yield* announce
  }, orDie)

  return { enqueue, enqueueAll, dueAtOnce: clock.now, announce: orDie(announce) }
})

/**
 * Enqueues jobs inside the transaction of the change that calls for them: they are there when it commits, and never
 * were when it does not. A database that fails is a defect (see `orDie`).
 */
export class Jobs extends Context.Service<
  Jobs,
  {
    /** Promises one job, due at once or at `runAt`. With a `jobKey` there is at most one such job waiting. */
    readonly enqueue: <J extends Job.Job>(
      job: J,
      payload: J["payload"]["Type"],
      options?: { readonly runAt?: Date; readonly jobKey?: string; readonly jobKeyMode?: JobKeyMode }
    ) => Effect.Effect<void>
    /** Promises many jobs in one statement. No two of them may have the same key. */
    readonly enqueueAll: <J extends Job.Job>(job: J, items: ReadonlyArray<Item<J>>) => Effect.Effect<void>
    /** For a statement that enqueues jobs by itself, as a part of it: when they are due at once; null: by the database's clock. */
    readonly dueAtOnce: Effect.Effect<Date | null>
    /** Tells of the jobs of such a statement, when they are there for others to see. */
    readonly announce: Effect.Effect<void>
  }
>()("jobs/Jobs") {
  /** For `Worker.layer`, on the database's clock. */
  static readonly layer: Layer.Layer<Jobs | WorkerSession, never, Database> = Layer.effect(
    Jobs,
    make({ now: Effect.succeed(null), enqueued: Effect.void })
  ).pipe(Layer.merge(WorkerSession.layer))

  /** For `Worker.layerMemory`, on the application's clock. */
  static readonly layerMemory: Layer.Layer<Jobs | WorkerSession | JobSignal, never, Database> = Layer.effect(
    Jobs,
    Effect.flatMap(JobSignal, (signal) =>
      make({
        now: Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis)),
        enqueued: Effect.asVoid(signal.open)
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
