import pg from "pg"
import * as PrivateTables from "../PrivateTables.ts"
import { Deferred, Effect, Redacted, Schedule } from "effect"
import type { WorkerPool } from "graphile-worker"
import { onWallClock } from "../../db/WallClock.ts"
import { type Lease, lockSeed, WorkerSession } from "../Worker.ts"
import type { Gate } from "./Gate.ts"

// A machine that loses power does not close its connections: its sessions, and with them its locks, last until these
// probes fail, after 20 seconds instead of two hours.
const detectDeadPeer = "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3"

// A standby grants locks, too, of which nobody else knows. There, this fails, and the next connection may lead to the primary.
const requirePrimary = "select pg_current_wal_insert_lsn()"

/**
 * Releases the jobs of dead workers: those claimed under an id whose lock nobody holds.
 *
 * The statement holds the lock of a dead id while it runs, so that a worker that takes its own lock again has to wait,
 * and cannot claim a job in between that would be released with the others. Named queues, which have locks as well, are
 * not in use.
 */
const releaseJobsOfDeadWorkers = `
  with claimed as materialized (
    select distinct locked_by from graphile_worker.jobs where locked_by is not null
  ), dead as materialized (
    select locked_by from claimed
    where locked_by like 'pool-%' and locked_by <> $1
      and pg_try_advisory_xact_lock(hashtextextended(locked_by, $2))
  )
  select array_agg(locked_by) as ids, graphile_worker.force_unlock_workers(array_agg(locked_by))
  from dead having count(*) > 0`

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
      // Not awaited: a server that is gone does not answer.
      (client) => Effect.sync(() => void client.end().catch(() => {}))
    )
    yield* query(() => client.connect())
    return { client, lost }
  })

/**
 * Shows other processes that a worker is alive, releases the jobs of workers that are not, and polls for scheduled
 * jobs: once for all concurrent workers of the pool, which do not poll by themselves. The poll also finds jobs that
 * were enqueued while no worker listened.
 *
 * A database session holds an advisory lock on the worker's id, and the gate is open for just as long. When the session
 * is lost (Postgres restarted, the network failed) the gate closes, so that the worker claims no job under an id that
 * looks dead, and opens once the id is locked again. Running jobs continue meanwhile, but another worker may claim
 * them as abandoned and run them a second time, concurrently. A task therefore checks in the database what is left to do. Whichever run ends first completes the job; a failure reported by a worker that no longer holds
 * the job is ignored.
 */
export const hold = Effect.fn("WorkerLease.hold")(function* (options: {
  readonly url: Redacted.Redacted<string>
  readonly pool: WorkerPool
  readonly gate: Gate
  readonly tasks: ReadonlyArray<string>
  /** Milliseconds between polls for scheduled jobs. */
  readonly pollInterval: number
  readonly maxConcurrency: number
}) {
  const { gate, pool } = options
  const workerId = pool.id
  const session = yield* WorkerSession
  const heldLease = Effect.gen(function* () {
    const { client, lost } = yield* connect(options.url)
    yield* query(() => client.query(detectDeadPeer))
    yield* query(() => client.query(requirePrimary))
    yield* query(() => client.query("select pg_advisory_lock(hashtextextended($1, $2))", [workerId, lockSeed]))
    const lease: Lease = { id: workerId, isVisible: true }
    yield* Effect.acquireRelease(
      Effect.sync(() => session.startLease(lease)),
      () => Effect.sync(() => session.endLease(workerId))
    )
    gate.open()
    const releaseDead = Effect.gen(function* () {
      const { rows } = yield* query(() =>
        client.query<{ ids: ReadonlyArray<string> }>(releaseJobsOfDeadWorkers, [workerId, lockSeed])
      )
      for (const { ids } of rows) {
        yield* Effect.logWarning(`Released the jobs of dead workers: ${ids.join(", ")}`)
      }
    })
    const poll = Effect.gen(function* () {
      const {
        rows: [due]
      } = yield* query(() =>
        client.query<{ count: number }>(PrivateTables.countDue, [options.tasks, options.maxConcurrency])
      )
      if (due !== undefined && due.count > 0) pool.nudge(due.count)
    })
    return yield* Effect.raceFirst(
      Effect.all(
        [
          Effect.repeat(releaseDead, Schedule.spaced("5 seconds")),
          Effect.repeat(poll, Schedule.spaced(options.pollInterval))
        ],
        { concurrency: 2, discard: true }
      ),
      Deferred.await(lost)
    )
  }).pipe(Effect.ensuring(Effect.sync(gate.close)), Effect.scoped)
  return yield* Effect.retry(
    Effect.tapError(heldLease, (error) =>
      Effect.logWarning(`The worker claims no jobs until it holds its lock again: ${error}`)
    ),
    Schedule.spaced("500 millis").pipe(Schedule.jittered)
  ).pipe(Effect.andThen(Effect.never), onWallClock)
})
