import { Effect } from "effect"
import * as Job from "./Job.ts"

/** Who does the jobs of one name. */
export interface Task<out R> {
  readonly job: Job.Job
  /**
   * Does one job, given its payload as stored. It dies when the job has to be tried again. It may run twice for one
   * job (a worker that lost its connection is taken for dead while it finishes), so what it does must be guarded by
   * what it finds in the database.
   */
  readonly run: (json: unknown) => Effect.Effect<void, never, R>
}

/** The services that tasks need. */
export type Services<T> = T extends Task<infer R> ? R : never

/**
 * Binds a job to what does it. Failures that the caller of the job should not retry are handled inside; a defect makes
 * the worker try again later.
 */
export const make = <J extends Job.Job, R>(
  job: J,
  run: (payload: J["payload"]["Type"]) => Effect.Effect<void, never, R>
): Task<R> => ({
  job,
  run: (json) =>
    Job.decode(job, json).pipe(
      Effect.orDie,
      Effect.flatMap(run),
      Effect.withSpan(`job ${job.name}`, { kind: "consumer" }),
      Effect.annotateLogs("job", job.name)
    )
})
