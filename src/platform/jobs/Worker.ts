/**
 * What performs the jobs that `Jobs` enqueues: handlers, which implement them; the worker that runs these, and what wakes it in memory; and
 * what it shares with background work that outlives a job.
 */
import * as Job from "./Job.ts"
import { Context, Effect, Latch, Layer, Predicate } from "effect"
import { forEach, inTeam } from "../db/Cells.ts"
import { Database } from "../db/Database.ts"
import { Tenant } from "../db/TransactionPermits.ts"

/** The implementation of a job. */
export interface JobHandler<out R> {
  readonly job: Job.Job
  /**
   * Runs one job, given its payload as stored, and dies when the job has to be retried. It may run twice for one job (a
   * worker that lost its connection counts as dead while it finishes), so it has to check in the database what is left
   * to do.
   */
  readonly run: (json: unknown) => Effect.Effect<void, never, R>
}

/** The services that a handler needs. */
export type HandlerServices<T> = T extends JobHandler<infer R> ? R : never

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
export const makeHandler = <J extends Job.Job, R>(
  job: J,
  run: (payload: J["payload"]["Type"]) => Effect.Effect<void, never, R>
): JobHandler<R> => ({
  job,
  run: (json) =>
    Job.decode(job, json).pipe(
      Effect.orDie,
      Effect.flatMap((payload) => forTeam(job, payload, run(payload))),
      Effect.withSpan(`job ${job.name}`, { kind: "consumer" }),
      Effect.annotateLogs("job", job.name)
    )
})

/** Like {@link makeHandler}, for what looks at all teams: `run` runs in each of their cells, one after the other. */
export const makeHandlerInEachCell = <J extends Job.Job, R>(
  job: J,
  run: (payload: J["payload"]["Type"]) => Effect.Effect<void, never, R>
): JobHandler<R | Database> =>
  makeHandler(job, (payload) => Effect.flatMap(Database, (database) => forEach(database, run(payload))))

/**
 * Performs the jobs that `Jobs` enqueues, for as long as its layer lives: `GraphileWorker.layer` on Postgres,
 * `MemoryWorker.layer` on the application's clock.
 */
export class Worker extends Context.Service<
  Worker,
  {
    /**
     * Completes once no job is due or running at the current time, nor any work that a job started in the background.
     * Jobs scheduled for later stay in the queue, and so do those that wait for a retry. For tests.
     */
    readonly drain: Effect.Effect<void>
    /** The time at which the next queued job is due; undefined when none is queued. */
    readonly nextRunAt: Effect.Effect<Date | undefined>
  }
>()("platform/jobs/Worker") {}

/**
 * Wakes `MemoryWorker`: `Jobs.layerMemory` opens the latch when a job was enqueued, and the worker closes it before it
 * queries.
 */
export class JobSignal extends Context.Service<JobSignal, Latch.Latch>()("platform/jobs/JobSignal") {
  static readonly layer: Layer.Layer<JobSignal> = Layer.effect(JobSignal, Latch.make())
}

/**
 * A period in which the worker of this process may claim. A worker on Postgres holds an advisory lock on the lease's id for
 * just as long, by which other processes see that it is alive. A worker that loses its lock and acquires it again has a
 * new lease.
 */
export interface Lease {
  /** The id under which the worker claims jobs and deliveries. */
  readonly id: string
  /**
   * Whether other processes can see this lease, and take over what was claimed under it once it ends. The in-memory
   * worker has no lock: false.
   */
  readonly isVisible: boolean
}

/**
 * The seed of the hash that maps a lease's id to the key of its advisory lock. Arbitrary, but unique in the database.
 */
export const lockSeed = 7_264_018_356

/** `onIdle` is called when the last piece of background work ends. */
const makeSession = (onIdle: () => void) =>
  Effect.map(Latch.make(true), (idle) => {
    let leases: ReadonlyArray<Lease> = []
    let inFlight = 0
    const listeners: Array<() => void> = []
    const hold = (held: ReadonlyArray<Lease>) => {
      const before = leases.at(-1)
      leases = held
      if (before !== undefined && before !== held.at(-1)) for (const listener of listeners) listener()
    }
    return {
      /** The lease under which work may start now; undefined when none may, as in a process without a worker. */
      currentLease: () => leases.at(-1),

      /**
       * Starts a lease, which becomes the current one. Only the worker calls it, and `endLease`. Several leases are held
       * while a failed runner finishes its jobs and the next runner has started: either of them may start or end first.
       */
      startLease: (lease: Lease) => hold([...leases, lease]),

      /** Ends the lease with this id, if there is one. The latest of the others, if any, becomes the current one again. */
      endLease: (id: string) => hold(leases.filter((lease) => lease.id !== id)),

      /** Calls `listener` whenever the current lease is no longer the current one. */
      onLeaseEnd: (listener: () => void) => void listeners.push(listener),

      /** Counts a piece of background work, for which a stopping worker waits until `endWork` is called. */
      startWork: () => {
        if (++inFlight === 1) idle.closeUnsafe()
      },

      endWork: () => {
        if (--inFlight > 0) return
        idle.openUnsafe()
        onIdle()
      },

      /** Whether no background work is in flight. */
      isIdle: () => inFlight === 0,

      /** Completes when no background work is in flight. */
      awaitIdle: idle.await
    }
  })

/**
 * What the worker of this process shares with background work: its current lease, and the count of the work in flight. It
 * is not the database session (`GraphileWorker.ts`). A job starts background work, such as attempts of deliveries,
 * which outlives it. Background work claims under the id of the current lease, so that other processes take over if this
 * one dies.
 */
export class WorkerSession extends Context.Service<WorkerSession, Effect.Success<ReturnType<typeof makeSession>>>()(
  "platform/jobs/WorkerSession"
) {
  static readonly make = makeSession

  static readonly layer: Layer.Layer<WorkerSession> = Layer.effect(
    WorkerSession,
    WorkerSession.make(() => {})
  )
}
