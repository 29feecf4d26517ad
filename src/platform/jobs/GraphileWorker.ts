/**
 * A worker for production: it runs jobs with graphile-worker, on Postgres. It builds without a Postgres and outlives
 * its restarts: a runner that fails is replaced a second later, and the jobs that it had claimed are completed by it or
 * released to others (see {@link holdLease}).
 */
import pg from "pg"
import * as PrivateTables from "./PrivateTables.ts"
import {
  Cause,
  type Context,
  Deferred,
  type Duration,
  Effect,
  Exit,
  FiberSet,
  Layer,
  type Redacted,
  Schedule,
  Scope
} from "effect"
import {
  Logger,
  parseCrontab,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
  WorkerPreset
} from "graphile-worker"
import { EventEmitter } from "node:events"
import { pgConfigOf } from "../db/Tls.ts"
import { failedForSpace, isOfFullDisk } from "../StorageSpace.ts"
import { prettyCause } from "../telemetry/Stacks.ts"
import { onWallClock } from "../Time.ts"
import { type Lease, lockSeed, type JobHandler, type HandlerServices, Worker, WorkerSession } from "./Worker.ts"

/** The settings of a worker on Postgres. */
export interface Options {
  readonly url: Redacted.Redacted<string>
  /** How many jobs run at the same time; default 20. */
  readonly concurrency?: number
  /**
   * Milliseconds between polls for scheduled jobs; default 500. Postgres notifies the worker of jobs that are due at
   * once.
   */
  readonly pollInterval?: number
  /**
   * For how long jobs, and the background work that they started, may continue when the worker stops. What still
   * runs after that is interrupted and retried later; default 10 seconds.
   */
  readonly gracePeriod?: Duration.Input
  /** Recurring jobs, in graphile-worker's crontab format. */
  readonly crontab?: string
}

// The background work that jobs start is attempts of deliveries, each limited to ten seconds.
const backgroundTimeout = "12 seconds"

const makePool = (url: Redacted.Redacted<string>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      new pg.Pool({
        ...pgConfigOf(url),
        application_name: "property-network worker",
        keepAlive: true,
        connectionTimeoutMillis: 10_000,
        // One listens for notifications; the others claim and complete jobs, in a millisecond each.
        max: 6
      })
        // A connection that breaks fails its query too, which is handled there.
        .on("error", () => {})
        .on("connect", (client) => client.on("error", () => {}))
    ),
    (pool) => Effect.promise(() => pool.end()).pipe(Effect.timeoutOption("5 seconds"), onWallClock)
  )

const makeTaskList = Effect.fnUntraced(function* <R>(
  handlers: ReadonlyArray<JobHandler<R>>,
  context: Context.Context<R>,
  running: FiberSet.FiberSet<void>
) {
  const runPromise = yield* FiberSet.runtimePromise(running)()
  const list: TaskList = {}
  for (const { job, run } of handlers) {
    list[job.name] = (payload, { job: { attempts, max_attempts } }) =>
      Effect.exit(run(payload)).pipe(
        Effect.flatMap((exit) =>
          Exit.isSuccess(exit)
            ? Effect.void
            : Effect.andThen(
                Effect.logError(`Job ${job.name} failed, attempt ${attempts} of ${max_attempts}`, exit.cause),
                Effect.die(new Error(prettyCause(exit.cause)))
              )
        ),
        Effect.provideContext(context),
        runPromise
      )
  }
  return list
})

const noFlags: Array<string> = []

/**
 * graphile-worker gets the forbidden flags before each fetch, so that a promise that waits for the gate delays the fetch.
 */
const forbiddenFlagsOnceOpen = (gate: Gate): Array<string> | Promise<Array<string>> =>
  gate.whenOpen()?.then(() => noFlags) ?? noFlags

const stop = (
  {
    gate,
    poolId,
    runner,
    running,
    session
  }: {
    readonly runner: Runner
    readonly running: FiberSet.FiberSet<void>
    readonly gate: Gate
    readonly session: WorkerSession["Service"]
    readonly poolId: string | undefined
  },
  gracePeriod: Duration.Input
) =>
  Effect.gen(function* () {
    // It rejects when the runner stopped by itself before.
    const stopping = runner.stop().catch(() => {})
    // A fetch that waits at the gate has to pass it to notice that the runner stops.
    gate.open()
    if (poolId !== undefined) session.endLease(poolId)
    const stopped = Effect.promise(() => stopping)
    if ((yield* Effect.timeoutOption(Effect.andThen(stopped, session.awaitIdle), gracePeriod))._tag === "Some") return
    yield* Effect.logWarning("The worker stops and interrupts its jobs; they will be retried")
    yield* FiberSet.clear(running)
    yield* Effect.timeoutOption(stopped, "5 seconds")
  })

/**
 * One runner of graphile-worker, from its start until it has stopped or is interrupted.
 *
 * A runner that could not report a job as completed claims no more jobs and never ends (graphile-worker 0.18 miscounts
 * then). `broken` therefore fails immediately, and the next runner starts; this one releases its lock when its running
 * jobs, and the background work that they started, have ended. The job that it could not report is run again.
 */
const runUntilBroken = <R>(
  options: Options,
  pool: pg.Pool,
  handlers: ReadonlyArray<JobHandler<R>>,
  context: Context.Context<R>,
  broken: Deferred.Deferred<never, unknown>
) =>
  Effect.gen(function* () {
    const gate = makeGate()
    const session = yield* WorkerSession
    const running = yield* FiberSet.make<void>()
    const concurrency = options.concurrency ?? 20
    const taskList = yield* makeTaskList(handlers, context, running)
    const workerPool = yield* Deferred.make<WorkerPool>()
    const events: WorkerEvents = new EventEmitter()
    let poolId: string | undefined
    events.on("pool:create", (created) => {
      poolId = created.workerPool.id
      Deferred.doneUnsafe(workerPool, Effect.succeed(created.workerPool))
    })
    events.on("pool:gracefulShutdown", ({ message }) => Deferred.doneUnsafe(broken, Effect.fail(message)))
    // Forked before the runner starts, so that the lock is released after the runner has stopped.
    yield* Effect.forkScoped(
      Effect.flatMap(Deferred.await(workerPool), (pool) =>
        holdLease({
          url: options.url,
          pool,
          gate,
          tasks: Object.keys(taskList),
          pollInterval: options.pollInterval ?? 500,
          maxConcurrency: concurrency
        })
      )
    )
    const logger = yield* makeGraphileLogger
    const runner = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () =>
          run({
            pgPool: pool,
            taskList,
            parsedCronItems: parseCrontab(options.crontab ?? ""),
            events,
            logger,
            noHandleSignals: true,
            forbiddenFlags: () => forbiddenFlagsOnceOpen(gate),
            preset: {
              extends: [WorkerPreset],
              worker: {
                concurrentJobs: concurrency,
                // The lease polls once for all and nudges them: polls of each of the concurrent workers would add
                // up.
                pollInterval: 60_000,
                // With a delay, jobs that end while the worker stops would stay locked.
                completeJobBatchDelay: 0,
                failJobBatchDelay: 0
              }
            }
          }),
        catch: (cause) => cause
      }),
      (runner) => stop({ runner, running, gate, session, poolId }, options.gracePeriod ?? "10 seconds")
    )
    const stopped = Effect.tryPromise({ try: () => runner.promise, catch: (cause) => cause })
    yield* Effect.raceFirst(
      Effect.andThen(stopped, Effect.fail("it stopped")),
      // One more second, to report the last of them as completed.
      Effect.exit(Deferred.await(broken)).pipe(
        Effect.andThen(FiberSet.awaitEmpty(running)),
        Effect.andThen(Effect.timeoutOption(session.awaitIdle, backgroundTimeout)),
        Effect.andThen(Effect.sleep("1 second"))
      )
    )
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) => Deferred.failCause(broken, cause))
  )

const unfinished = `
  select exists (
    select from graphile_worker.jobs
    where task_identifier = any($1) and (locked_by is not null or (attempts < max_attempts and run_at <= now()))
  ) as unfinished`

const nextRunAt = `
  select min(run_at) as next from graphile_worker.jobs
  where locked_at is null and attempts < max_attempts and task_identifier = any($1)`

const make = Effect.fn("GraphileWorker.make")(function* <R>(handlers: ReadonlyArray<JobHandler<R>>, options: Options) {
  const pool = yield* makePool(options.url)
  // Jobs run on the application's clock; the runners do not.
  const context = yield* Effect.context<R>()
  const session = yield* WorkerSession
  const names = handlers.map((handler) => handler.job.name)

  // Closed after the loop that starts runners in it has ended.
  const runners = yield* Effect.acquireRelease(Scope.make("parallel"), (scope, exit) => Scope.close(scope, exit))
  yield* Effect.gen(function* () {
    const broken = yield* Deferred.make<never, unknown>()
    yield* Effect.forkIn(runUntilBroken(options, pool, handlers, context, broken), runners)
    const cause = yield* Effect.flip(Effect.sandbox(Deferred.await(broken)))
    yield* Effect.logWarning(`The worker failed and restarts: ${Cause.squash(cause)}`)
    yield* Effect.sleep("1 second")
  }).pipe(Effect.forever, onWallClock, Effect.forkScoped)

  const isUnfinished = Effect.promise(() => pool.query<{ unfinished: boolean }>(unfinished, [names])).pipe(
    Effect.map(({ rows }) => rows[0]?.unfinished === true || !session.isIdle())
  )
  return {
    drain: isUnfinished.pipe(
      Effect.repeat({ schedule: Schedule.spaced("10 millis"), while: (value) => value }),
      Effect.asVoid,
      onWallClock
    ),
    nextRunAt: Effect.promise(() => pool.query<{ next: Date | null }>(nextRunAt, [names])).pipe(
      Effect.map(({ rows }) => rows[0]?.next ?? undefined)
    )
  }
})

/** The worker of `handlers` on the Postgres at `options.url`. */
export const layer = <const T extends ReadonlyArray<JobHandler<unknown>>>(
  handlers: T,
  options: Options
): Layer.Layer<Worker, never, HandlerServices<T[number]> | WorkerSession> =>
  Layer.effect(Worker, make(handlers as ReadonlyArray<JobHandler<HandlerServices<T[number]>>>, options))

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
          ...pgConfigOf(url),
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

/** The time between two log lines about a lock that cannot be taken, in milliseconds. */
const logInterval = 10_000

/**
 * Shows other processes that a worker is alive, releases the jobs of workers that are not, and polls for scheduled
 * jobs: once for all concurrent workers of the pool, which do not poll by themselves. The poll also finds jobs that
 * were enqueued while no worker listened.
 *
 * A database session holds an advisory lock on the worker's id, and the gate is open for just as long. When the session
 * is lost (Postgres restarted, the network failed) the gate closes, so that the worker claims no job under an id that
 * looks dead, and opens once the id is locked again. Running jobs continue meanwhile, but another worker may claim
 * them as abandoned and run them a second time, concurrently. A handler therefore checks in the database what is left to do. Whichever
 * run ends first completes the job; a failure reported by a worker that no longer holds the job is ignored.
 */
const holdLease = Effect.fn("holdLease")(function* (options: {
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
  // It is tried twice a second, and may fail for hours, as on a full disk.
  let loggedAt = -Infinity
  const report = Effect.fnUntraced(function* (error: unknown) {
    if (isOfFullDisk(error)) yield* failedForSpace("database")
    if (performance.now() - loggedAt < logInterval) return
    loggedAt = performance.now()
    yield* Effect.logWarning(`The worker claims no jobs until it holds its lock again: ${error}`)
  })
  return yield* Effect.retry(
    Effect.tapError(heldLease, report),
    Schedule.spaced("500 millis").pipe(Schedule.jittered)
  ).pipe(Effect.andThen(Effect.never), onWallClock)
})

/**
 * Keeps a runner of graphile-worker from fetching jobs while it is closed. It is closed at first. It is a promise and not a
 * latch of Effect, because the runner calls `forbiddenFlags`, which may return a promise.
 */
interface Gate {
  readonly open: () => void
  readonly close: () => void
  /** Resolves when the gate opens; undefined while it is open. */
  readonly whenOpen: () => Promise<void> | undefined
}

const makeGate = (): Gate => {
  let closed: PromiseWithResolvers<void> | undefined = Promise.withResolvers()
  return {
    open: () => {
      closed?.resolve()
      closed = undefined
    },
    close: () => {
      closed ??= Promise.withResolvers()
    },
    whenOpen: () => closed?.promise
  }
}

/**
 * graphile-worker's log messages in Effect's log: information at debug level, warnings and errors as they are. A failed
 * job is at debug level as well, because the task list has logged it with its cause.
 */
const makeGraphileLogger: Effect.Effect<Logger> = Effect.map(Effect.context<never>(), (context) => {
  const fork = Effect.runForkWith(context)
  return new Logger(() => (level, message, meta) => {
    const isExpected =
      meta?.["failure"] === true ||
      // It recommends a connection for each concurrent job; ours need one for a millisecond to claim and to complete.
      message.includes("having maxPoolSize")
    const log = isExpected
      ? Effect.logDebug(message)
      : level === "error"
        ? Effect.logError(message)
        : level === "warning"
          ? Effect.logWarning(message)
          : Effect.logDebug(message)
    fork(Effect.annotateLogs(log, "module", "graphile-worker"))
  })
})
