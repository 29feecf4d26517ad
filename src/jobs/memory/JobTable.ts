import { Effect } from "effect"
import type { Database } from "../../db/Database.ts"

/** A job that was taken and has to be completed, failed or given back. */
export interface TakenJob {
  readonly id: bigint
  readonly name: string
  readonly payload: unknown
  readonly attempts: number
  readonly maxAttempts: number
}

/**
 * graphile-worker's tables (schema revision 20) as seen by a worker on the application's clock.
 *
 * Its public functions leave locked jobs alone and its own statements say `now()`, so these are its statements of
 * getJobs, completeJobs and failJobs on its private tables, with the time as a parameter. Queues by name and flags are
 * left out: no job here has them.
 */
export const make = (sql: Database["Service"], workerId: string, names: ReadonlyArray<string>) => ({
  /** Takes every job that is due, the most urgent first. */
  take: (now: Date) =>
    sql<TakenJob>`
      with due as (
        select jobs.id, tasks.identifier
        from graphile_worker._private_jobs as jobs
        join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
        where jobs.is_available and jobs.run_at <= ${now} and tasks.identifier = any(${names}::text[])
        for update of jobs skip locked
      ), taken as (
        update graphile_worker._private_jobs as jobs
        set attempts = jobs.attempts + 1, locked_by = ${workerId}, locked_at = ${now}
        from due
        where jobs.id = due.id
        returning jobs.id, due.identifier as name, jobs.payload, jobs.attempts::int, jobs.max_attempts::int,
          jobs.priority, jobs.run_at
      )
      select id, name, payload, attempts, max_attempts as "maxAttempts" from taken order by priority, run_at, id`,

  /** When the next job will be due, if any is waiting: rounded up to what a Date can say, so that it is due then. */
  next: Effect.map(
    sql<{ run_at: Date | null }>`
      select date_trunc('milliseconds', min(jobs.run_at) + interval '999 microseconds') as run_at
      from graphile_worker._private_jobs as jobs
      join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
      where jobs.is_available and tasks.identifier = any(${names}::text[])`,
    (rows) => rows[0]?.run_at ?? undefined
  ),

  complete: (job: TakenJob) => sql`delete from graphile_worker._private_jobs where id = ${job.id}`,

  /** Gives a job back to be tried again, e^attempts seconds from now. */
  fail: (job: TakenJob, now: Date, message: string) =>
    sql`
      update graphile_worker._private_jobs
      set last_error = ${message}, locked_by = null, locked_at = null,
        run_at = greatest(${now}, run_at) + exp(least(attempts, 10)) * interval '1 second'
      where id = ${job.id} and locked_by = ${workerId}`,

  /** Gives back what was taken and not finished. */
  release: sql`select graphile_worker.force_unlock_workers(array[${workerId}])`
})
