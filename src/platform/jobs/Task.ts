import * as Job from "./Job.ts"
import { Effect, Predicate } from "effect"
import { forEach, inTeam } from "../db/CurrentCell.ts"
import { Database } from "../db/Database.ts"
import { Tenant } from "../db/TransactionPermits.ts"

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

const teamOf = (payload: unknown): string | undefined =>
  Predicate.hasProperty(payload, "teamId") && Predicate.isString(payload.teamId) ? payload.teamId : undefined

/** Runs a job for the team in its payload. Its transactions count for that team, or else for all jobs of this name. */
const forTeam = <A, E, R>({ name }: Job.Job, payload: unknown, run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const team = teamOf(payload)
  const counted = Effect.provideService(run, Tenant, team ?? name)
  return team === undefined ? counted : inTeam(team)(counted)
}

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
      Effect.flatMap((payload) => forTeam(job, payload, run(payload))),
      Effect.withSpan(`job ${job.name}`, { kind: "consumer" }),
      Effect.annotateLogs("job", job.name)
    )
})

/** Like `make`, for what looks at all teams: `run` runs in each of their cells, one after the other. */
export const inEachCell = <J extends Job.Job, R>(
  job: J,
  run: (payload: J["payload"]["Type"]) => Effect.Effect<void, never, R>
): Task<R | Database> => make(job, (payload) => Effect.flatMap(Database, (database) => forEach(database, run(payload))))
