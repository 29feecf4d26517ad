/**
 * When the recurring jobs ran last, and when they last succeeded: across restarts, and the same for every process. So is when a backup
 * was made last.
 */
import { Cause, Effect } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import { now } from "../Time.ts"
import type { JobHandler } from "./Worker.ts"

/** What is known of a recurring job. */
export interface JobRun {
  readonly name: string
  /** When a worker that runs it first ran any of them. */
  readonly knownSince: Date
  readonly ranAt: Date | null
  readonly succeededAt: Date | null
}

// Among the names of jobs, which all have a slash.
const backup = "backup"

/** Notes that a job begins. Jobs of these names become known, so that one that never runs is seen; others are forgotten. */
const begin = Effect.fn("JobRuns.begin")(function* (name: string, names: ReadonlyArray<string>) {
  const sql = yield* Database
  yield* orDie(sql`
    with forgotten as (delete from job_runs where name <> all(${[...names, backup]}::text[]))
    insert into job_runs (name, known_since, ran_at)
    select known.name, ${yield* now}::timestamptz, case when known.name = ${name} then ${yield* now}::timestamptz end
    from unnest(${names}::text[]) known (name)
    order by known.name
    on conflict (name) do update set ran_at = excluded.ran_at where excluded.ran_at is not null`)
})

const succeed = Effect.fn("JobRuns.succeed")(function* (name: string) {
  const sql = yield* Database
  yield* orDie(sql`update job_runs set succeeded_at = ${yield* now} where name = ${name}`)
})

/** The handlers of all recurring jobs, which also note when they run. */
export const recorded = <R>(handlers: ReadonlyArray<JobHandler<R>>): ReadonlyArray<JobHandler<R | Database>> => {
  const names = handlers.map(({ job }) => job.name)
  return handlers.map(({ job, run }) => ({
    job,
    run: (json) => begin(job.name, names).pipe(Effect.andThen(run(json)), Effect.andThen(succeed(job.name)))
  }))
}

/** Notes that a backup was made. A role that may only read makes backups, too, of which nothing is known then. */
export const noteBackup = Effect.gen(function* () {
  const sql = yield* Database
  const at = yield* now
  yield* orDie(sql`
    insert into job_runs (name, known_since, ran_at, succeeded_at) values (${backup}, ${at}, ${at}, ${at})
    on conflict (name) do update set ran_at = excluded.ran_at, succeeded_at = excluded.succeeded_at`)
}).pipe(
  Effect.catchCauseIf(
    (cause) => !Cause.hasInterrupts(cause),
    () => Effect.logDebug("When the backup was made could not be noted.")
  ),
  Effect.withSpan("JobRuns.noteBackup")
)

/** All recurring jobs that are known, by their names, and when a backup was made last; null if none was. */
export const all = Effect.gen(function* () {
  const sql = yield* Database
  const rows = yield* orDie(sql<JobRun>`
    select name, known_since as "knownSince", ran_at as "ranAt", succeeded_at as "succeededAt" from job_runs order by name`)
  return {
    jobs: rows.filter(({ name }) => name !== backup),
    backupAt: rows.find(({ name }) => name === backup)?.succeededAt ?? null
  }
}).pipe(Effect.withSpan("JobRuns.all"))
