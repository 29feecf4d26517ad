import { Deferred, Effect, Redacted, Schedule } from "effect"
import type { WorkerPool } from "graphile-worker"
import pg from "pg"
import { onWallClock } from "../../db/WallClock.ts"
import { WorkerSession, lockSeed, type Lease } from "../WorkerSession.ts"
import type { Gate } from "./Gate.ts"

// A machine that loses its power says no goodbye: its sessions, and with them its locks, last until these probes fail,
// after 20 seconds instead of two hours.
const sayWhetherAlive = "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3"

/**
 * Gives back the jobs of workers that are gone: ids in the jobs tables whose lock nobody holds.
 *
 * The lock of a dead id is held for this statement, so that a worker that takes its own lock again has to wait, and
 * cannot have taken a job in between that would be given away with the rest.
 */
const reap = `
  with held as materialized (
    select locked_by from graphile_worker._private_jobs where locked_by is not null
    union
    select locked_by from graphile_worker._private_job_queues where locked_by is not null
  ), dead as materialized (
    select locked_by from held
    where locked_by like 'pool-%' and locked_by <> $1
      and pg_try_advisory_xact_lock(hashtextextended(locked_by, $2))
  )
  select array_agg(locked_by) as ids, graphile_worker.force_unlock_workers(array_agg(locked_by))
  from dead having count(*) > 0`

// By the index of what is available, as far as one can do something about it.
const dueJobs = `
  select count(*)::int as count from (
    select from graphile_worker._private_jobs
    where is_available and run_at <= now()
      and task_id in (select id from graphile_worker._private_tasks where identifier = any($1))
    limit $2
  ) as due`

const query = <A>(evaluate: () => Promise<A>) => Effect.tryPromise({ try: evaluate, catch: (cause) => cause })

const connect = (url: Redacted.Redacted<string>) =>
  Effect.gen(function* () {
    const lost = yield* Deferred.make<never, unknown>()
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const client = new pg.Client({
          connectionString: Redacted.value(url),
          application_name: "property-network worker lock",
          keepAlive: true,
          keepAliveInitialDelayMillis: 5_000,
          connectionTimeoutMillis: 5_000,
          query_timeout: 10_000
        })
        client.on("error", (error) => Deferred.doneUnsafe(lost, Effect.fail(error)))
        client.on("end", () => Deferred.doneUnsafe(lost, Effect.fail(new Error("The connection was closed"))))
        return client
      }),
      // Not awaited: a server that is gone does not say so.
      (client) => Effect.sync(() => void client.end().catch(() => {}))
    )
    yield* query(() => client.connect())
    return { client, lost }
  })

/**
 * Tells other processes that a worker is alive, takes care of the jobs of those that are not, and looks for jobs whose
 * time has come: once for all of the worker's hands, which need not ask each by itself. It finds those too that were
 * enqueued while nobody listened.
 *
 * The worker's id is locked for as long as one session lasts, and its gate is open for just as long. When the session
 * is lost (Postgres was restarted, the network failed) the gate closes, so that the worker takes no job under an id
 * that looks dead, and opens once the id is locked again. Jobs that it was doing meanwhile go on, but another worker
 * may take them for abandoned and do them a second time, at the same time: that is why a task has to guard what it does
 * by what it finds in the database. Whichever ends first completes the job; a failure reported by the one that no
 * longer holds it is ignored.
 */
export const hold = Effect.fn("Lifeline.hold")(function* (options: {
  readonly url: Redacted.Redacted<string>
  readonly pool: WorkerPool
  readonly gate: Gate
  readonly tasks: ReadonlyArray<string>
  /** Milliseconds between looks for jobs whose time has come. */
  readonly lookEvery: number
  readonly maxConcurrency: number
}) {
  const { gate, pool } = options
  const workerId = pool.id
  const duty = yield* WorkerSession
  const session = Effect.gen(function* () {
    const { client, lost } = yield* connect(options.url)
    yield* query(() => client.query(sayWhetherAlive))
    yield* query(() => client.query("select pg_advisory_lock(hashtextextended($1, $2))", [workerId, lockSeed]))
    const held: Lease = { id: workerId, isShared: true }
    yield* Effect.acquireRelease(
      Effect.sync(() => duty.enter(held)),
      () => Effect.sync(() => duty.leave(held))
    )
    gate.open()
    const reapOnce = Effect.gen(function* () {
      const { rows } = yield* query(() => client.query<{ ids: ReadonlyArray<string> }>(reap, [workerId, lockSeed]))
      for (const { ids } of rows) {
        yield* Effect.logWarning(`Gave back the jobs of workers that are gone: ${ids.join(", ")}`)
      }
    })
    const lookOnce = Effect.gen(function* () {
      const {
        rows: [due]
      } = yield* query(() => client.query<{ count: number }>(dueJobs, [options.tasks, options.maxConcurrency]))
      if (due !== undefined && due.count > 0) pool.nudge(due.count)
    })
    return yield* Effect.raceFirst(
      Effect.all(
        [
          Effect.repeat(reapOnce, Schedule.spaced("5 seconds")),
          Effect.repeat(lookOnce, Schedule.spaced(options.lookEvery))
        ],
        { concurrency: 2, discard: true }
      ),
      Deferred.await(lost)
    )
  }).pipe(Effect.ensuring(Effect.sync(gate.close)), Effect.scoped)
  return yield* Effect.retry(
    Effect.tapError(session, (error) =>
      Effect.logWarning(`A worker takes no jobs until it has its lock again: ${error}`)
    ),
    Schedule.spaced("500 millis").pipe(Schedule.jittered)
  ).pipe(Effect.andThen(Effect.never), onWallClock)
})
