/** When the recurring jobs ran last, and when they last succeeded: across restarts, and the same for every process. */
import { Effect } from "effect"
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

/** Notes that a job begins. Jobs of these names become known, so that one that never runs is seen; others are forgotten. */
const begin = Effect.fn("JobRuns.begin")(function* (name: string, names: ReadonlyArray<string>) {
  const sql = yield* Database
  yield* orDie(sql`
    with forgotten as (delete from job_runs where name <> all(${names}::text[]))
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

/** All that are known, by their names. */
export const all = Effect.gen(function* () {
  const sql = yield* Database
  return yield* orDie(sql<JobRun>`
    select name, known_since as "knownSince", ran_at as "ranAt", succeeded_at as "succeededAt" from job_runs order by name`)
}).pipe(Effect.withSpan("JobRuns.all"))
