/**
 * Every statement on the private tables of graphile-worker, which may change with any of its versions.
 * `writtenFor` names the version that this file was checked against, and a test compares it with the one installed.
 * Everything else goes through the public view `graphile_worker.jobs` and the public functions.
 *
 * The view does not suffice here, for two reasons:
 * - It lacks `is_available`, the condition of the table's partial indexes. A poll over the view would read all queued jobs,
 *   and every worker polls twice a second.
 * - It lacks the payload, and the public functions `complete_jobs` and `reschedule_jobs` leave claimed jobs alone, so that
 *   `MemoryWorker` could neither run a job nor complete it.
 */
import * as Time from "../Time.ts"
import { Effect } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"

/** The version of graphile-worker that this file was checked against, and the last migration of its schema. */
export const writtenFor = { version: "0.18.0", migration: 20 }

/** Counts the jobs of the names `$1` that are due, up to `$2`. */
export const countDue = `
  select count(*)::int as count from (
    select from graphile_worker._private_jobs
    where is_available and run_at <= now()
      and task_id in (select id from graphile_worker._private_tasks where identifier = any($1))
    limit $2
  ) as due`

const maxCounted = 100_000

/**
 * The jobs that no worker has claimed: how many are `due`, and how many are `waiting` for their time, counted up to
 * 100,000 together; and for how long the oldest has been due, in seconds, 0 when none is. Walks the index from priority
 * to priority.
 */
export const backlog = Effect.gen(function* () {
  const sql = yield* Database
  const now = yield* Time.now
  const [row] = yield* orDie(sql<{ readonly due: number; readonly waiting: number; readonly first: Date | null }>`
    with recursive priorities as (
      (select priority from graphile_worker._private_jobs where is_available order by priority limit 1)
      union all
      select (
        select jobs.priority from graphile_worker._private_jobs jobs
        where jobs.is_available and jobs.priority > priorities.priority order by jobs.priority limit 1
      ) from priorities where priorities.priority is not null
    )
    select counted.due, counted.waiting, (
      select min(earliest.run_at) from priorities cross join lateral (
        select jobs.run_at from graphile_worker._private_jobs jobs
        where jobs.is_available and jobs.priority = priorities.priority order by jobs.run_at limit 1
      ) earliest where earliest.run_at <= ${now}
    ) as first
    from (
      select count(*) filter (where available.run_at <= ${now})::int as due,
        count(*) filter (where available.run_at > ${now})::int as waiting
      from (
        select run_at from graphile_worker._private_jobs where is_available order by priority, run_at limit ${maxCounted}
      ) available
    ) counted`)
  const first = row?.first ?? null
  return {
    due: row?.due ?? 0,
    waiting: row?.waiting ?? 0,
    oldestDueSeconds: first === null ? 0 : (now.getTime() - first.getTime()) / 1000
  }
})

/**
 * The jobs whose latest attempt failed, by name: those that wait for a retry, and those that were given up, up to 100,000 together.
 * The index `property_network_failed_jobs` (sql/0017_job_runs.sql) has these and no other jobs.
 */
export const failed = Effect.gen(function* () {
  const sql = yield* Database
  return yield* orDie(sql<{ readonly name: string; readonly waiting: number; readonly givenUp: number }>`
    select tasks.identifier as name, count(*) filter (where failing.attempts < failing.max_attempts)::int as waiting,
      count(*) filter (where failing.attempts >= failing.max_attempts)::int as "givenUp"
    from (
      select task_id, attempts, max_attempts from graphile_worker._private_jobs
      where attempts > 0 and locked_at is null and last_error is not null limit ${maxCounted}
    ) failing
    join graphile_worker._private_tasks tasks on tasks.id = failing.task_id
    group by tasks.identifier order by tasks.identifier`)
})

/** A job whose latest attempt failed. */
export interface FailedJob {
  readonly id: string
  readonly name: string
  readonly attempts: number
  readonly maxAttempts: number
  readonly error: string
  readonly createdAt: Date
  /** When it is tried again; long ago if it was given up. */
  readonly runAt: Date
}

/** The jobs whose latest attempt failed, at most `limit`, the latest first: those that were given up, and those that wait for a retry. */
export const listFailed = Effect.fn("PrivateTables.listFailed")(function* (limit: number) {
  const sql = yield* Database
  return yield* orDie(sql<FailedJob>`
    select failing.id::text, tasks.identifier as name, failing.attempts::int, failing.max_attempts::int as "maxAttempts",
      failing.last_error as error, failing.created_at as "createdAt", failing.run_at as "runAt"
    from graphile_worker._private_jobs failing
    join graphile_worker._private_tasks tasks on tasks.id = failing.task_id
    where failing.attempts > 0 and failing.locked_at is null and failing.last_error is not null
    order by failing.id desc limit ${limit}`)
})

/** Has failed jobs run again now, with all their attempts: the one with this id, or at most 1,000 of a name. Returns how many. */
export const retryFailed = Effect.fn("PrivateTables.retryFailed")(function* (
  which: { readonly id: string } | { readonly name: string }
) {
  const sql = yield* Database
  const one = "id" in which ? sql`failing.id = ${which.id}::bigint` : sql`tasks.identifier = ${which.name}`
  const queued = yield* orDie(sql<{ readonly id: string }>`
    select job.id::text from graphile_worker.reschedule_jobs(array(
      select failing.id from graphile_worker._private_jobs failing
      join graphile_worker._private_tasks tasks on tasks.id = failing.task_id
      where failing.attempts > 0 and failing.locked_at is null and failing.last_error is not null and ${one}
      limit 1000
    ), run_at => ${yield* Time.now}::timestamptz, attempts => 0) as job`)
  return queued.length
})

/** A job that a worker has claimed, and has to complete, fail or release. */
export interface ClaimedJob {
  readonly id: bigint
  readonly name: string
  readonly payload: unknown
  readonly attempts: number
  readonly maxAttempts: number
}

/**
 * Claims, completes and fails jobs as graphile-worker's own statements do, with the current time as a parameter instead
 * of `now()`. Named queues and flags are left out: no job of this service has either.
 */
export const make = (sql: Database["Service"], workerId: string, names: ReadonlyArray<string>) => ({
  /** Claims every job that is due, the most urgent first. */
  claim: (now: Date) =>
    sql<ClaimedJob>`
      with due as (
        select jobs.id, tasks.identifier
        from graphile_worker._private_jobs as jobs
        join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
        where jobs.is_available and jobs.run_at <= ${now} and tasks.identifier = any(${names}::text[])
        for update of jobs skip locked
      ), claimed as (
        update graphile_worker._private_jobs as jobs
        set attempts = jobs.attempts + 1, locked_by = ${workerId}, locked_at = ${now}
        from due
        where jobs.id = due.id
        returning jobs.id, due.identifier as name, jobs.payload, jobs.attempts::int, jobs.max_attempts::int,
          jobs.priority, jobs.run_at
      )
      select id, name, payload, attempts, max_attempts as "maxAttempts" from claimed order by priority, run_at, id`,

  complete: (job: ClaimedJob) => sql`delete from graphile_worker._private_jobs where id = ${job.id}`,

  /** Releases a job for a retry, e^attempts seconds from now. */
  fail: (job: ClaimedJob, now: Date, message: string) =>
    sql`
      update graphile_worker._private_jobs
      set last_error = ${message}, locked_by = null, locked_at = null,
        run_at = greatest(${now}, run_at) + exp(least(attempts, 10)) * interval '1 second'
      where id = ${job.id} and locked_by = ${workerId}`
})
