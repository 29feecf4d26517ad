import { Effect, Predicate } from "effect"
import { Tenant } from "../db/TransactionPermits.ts"
import * as Job from "./Job.ts"

/** The implementation of a job. */
export interface Task<out R> {
  readonly job: Job.Job
  /**
   * Runs one job, given its payload as stored, and dies when the job has to be retried. It may run twice for one job (a
   * worker that lost its connection counts as dead while it finishes), so it has to check in the database what is left
   * to do.
   */
  readonly run: (json: unknown) => Effect.Effect<void, never, R>
}

/** The services that a task needs. */
export type Services<T> = T extends Task<infer R> ? R : never

/** Whom the transactions of a job count for: the team in its payload, or else all jobs of this name. */
const tenantOf = ({ name }: Job.Job, payload: unknown): string =>
  Predicate.hasProperty(payload, "teamId") && Predicate.isString(payload.teamId) ? payload.teamId : name

/**
 * Binds a job to its implementation. `run` handles failures that must not be retried; a defect makes the worker retry
 * the job later.
 */
export const make = <J extends Job.Job, R>(
  job: J,
  run: (payload: J["payload"]["Type"]) => Effect.Effect<void, never, R>
): Task<R> => ({
  job,
  run: (json) =>
    Job.decode(job, json).pipe(
      Effect.orDie,
      Effect.flatMap((payload) => Effect.provideService(run(payload), Tenant, tenantOf(job, payload))),
      Effect.withSpan(`job ${job.name}`, { kind: "consumer" }),
      Effect.annotateLogs("job", job.name)
    )
})
