import { Cause, type Context, Deferred, type Duration, Effect, Exit, FiberSet, Redacted, Schedule, Scope } from "effect"
import {
  parseCrontab,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
  WorkerPreset
} from "graphile-worker"
import { EventEmitter } from "node:events"
import pg from "pg"
import { onWallClock } from "../../db/WallClock.ts"
import { WorkerSession } from "../WorkerSession.ts"
import type { Task } from "../Task.ts"
import * as Gate from "./Gate.ts"
import * as GraphileLogger from "./GraphileLogger.ts"
import * as Lifeline from "./WorkerLease.ts"

/** How a worker on Postgres works. */
export interface Options {
  readonly url: Redacted.Redacted<string>
  /** Jobs done at the same time; default 20. */
  readonly concurrency?: number
  /** Milliseconds between looks for jobs whose time has come; default 500. Those due at once are heard of at once. */
  readonly pollInterval?: number
  /**
   * How long jobs, and what they began, may go on once the worker stops, before they are interrupted and tried again;
   * default 10 seconds.
   */
  readonly gracePeriod?: Duration.Input
  /** Jobs that come round, in graphile-worker's crontab format. */
  readonly crontab?: string
}

// What jobs began and goes on without them is attempts of deliveries.
const taskTimeout = "12 seconds"

const makePool = (url: Redacted.Redacted<string>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      new pg.Pool({
        connectionString: Redacted.value(url),
        application_name: "property-network worker",
        keepAlive: true,
        connectionTimeoutMillis: 10_000,
        // One listens; the others take and complete jobs, in a millisecond each.
        max: 6
      })
        // A connection that breaks fails its query too: handled there.
        .on("error", () => {})
        .on("connect", (client) => client.on("error", () => {}))
    ),
    (pool) => Effect.promise(() => pool.end()).pipe(Effect.timeoutOption("5 seconds"), onWallClock)
  )

const makeTaskList = Effect.fnUntraced(function* <R>(
  tasks: ReadonlyArray<Task<R>>,
  context: Context.Context<R>,
  running: FiberSet.FiberSet<void>
) {
  const runPromise = yield* FiberSet.runtimePromise(running)()
  const list: TaskList = {}
  for (const { job, run } of tasks) {
    list[job.name] = (payload, { job: { attempts, max_attempts } }) =>
      Effect.exit(run(payload)).pipe(
        Effect.flatMap((exit) =>
          Exit.isSuccess(exit)
            ? Effect.void
            : Effect.andThen(
                Effect.logError(`Job ${job.name} failed, attempt ${attempts} of ${max_attempts}`, exit.cause),
                Effect.die(new Error(Cause.pretty(exit.cause)))
              )
        ),
        Effect.provideContext(context),
        runPromise
      )
  }
  return list
})

const noFlags: Array<string> = []

/** Which flags a job must not have, as soon as any may be taken. */
const passed = (gate: Gate.Gate): Array<string> | Promise<Array<string>> => gate.pass()?.then(() => noFlags) ?? noFlags

const stop = (
  {
    duty,
    gate,
    poolId,
    runner,
    running
  }: {
    readonly runner: Runner
    readonly running: FiberSet.FiberSet<void>
    readonly gate: Gate.Gate
    readonly duty: WorkerSession["Service"]
    readonly poolId: string | undefined
  },
  gracePeriod: Duration.Input
) =>
  Effect.gen(function* () {
    // It rejects when the runner stopped by itself before.
    const stopping = runner.stop().catch(() => {})
    // Who waits there must come through to see that it is over.
    gate.open()
    const session = duty.current()
    if (session !== undefined && session.id === poolId) duty.leave(session)
    const stopped = Effect.promise(() => stopping)
    if ((yield* Effect.timeoutOption(Effect.andThen(stopped, duty.idle), gracePeriod))._tag === "Some") return
    yield* Effect.logWarning("The worker stops and interrupts its jobs; they will be tried again")
    yield* FiberSet.clear(running)
    yield* Effect.timeoutOption(stopped, "5 seconds")
  })

/**
 * One runner of graphile-worker, from its start until it has stopped or is interrupted.
 *
 * One that could not say that a job is done takes no more jobs and never ends (graphile-worker 0.18 counts wrongly
 * then). So `broken` is told at once, that another can begin, and its lock is let go when the jobs that it was doing
 * have ended, and what they began: what it could not say is done again.
 */
const work = <R>(
  options: Options,
  pool: pg.Pool,
  tasks: ReadonlyArray<Task<R>>,
  context: Context.Context<R>,
  broken: Deferred.Deferred<never, unknown>
) =>
  Effect.gen(function* () {
    const gate = Gate.make()
    const duty = yield* WorkerSession
    const running = yield* FiberSet.make<void>()
    const concurrency = options.concurrency ?? 20
    const taskList = yield* makeTaskList(tasks, context, running)
    const workerPool = yield* Deferred.make<WorkerPool>()
    const events: WorkerEvents = new EventEmitter()
    let poolId: string | undefined
    events.on("pool:create", (created) => {
      poolId = created.workerPool.id
      Deferred.doneUnsafe(workerPool, Effect.succeed(created.workerPool))
    })
    events.on("pool:gracefulShutdown", ({ message }) => Deferred.doneUnsafe(broken, Effect.fail(message)))
    // Before the runner, so that it is let go after it.
    yield* Effect.forkScoped(
      Effect.flatMap(Deferred.await(workerPool), (pool) =>
        Lifeline.hold({
          url: options.url,
          pool,
          gate,
          tasks: Object.keys(taskList),
          lookEvery: options.pollInterval ?? 500,
          maxConcurrency: concurrency
        })
      )
    )
    const logger = yield* GraphileLogger.make
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
            forbiddenFlags: () => passed(gate),
            preset: {
              extends: [WorkerPreset],
              worker: {
                concurrentJobs: concurrency,
                // They are told when there is something (see `Lifeline`): so many hands asking by themselves would ask a
                // lot.
                pollInterval: 60_000,
                // Without these, jobs that end while the worker stops would stay locked.
                completeJobBatchDelay: 0,
                failJobBatchDelay: 0
              }
            }
          }),
        catch: (cause) => cause
      }),
      (runner) => stop({ runner, running, gate, duty, poolId }, options.gracePeriod ?? "10 seconds")
    )
    const stopped = Effect.tryPromise({ try: () => runner.promise, catch: (cause) => cause })
    yield* Effect.raceFirst(
      Effect.andThen(stopped, Effect.fail("it stopped")),
      // A second more, to say that the last of them is done.
      Effect.exit(Deferred.await(broken)).pipe(
        Effect.andThen(FiberSet.awaitEmpty(running)),
        Effect.andThen(Effect.timeoutOption(duty.idle, taskTimeout)),
        Effect.andThen(Effect.sleep("1 second"))
      )
    )
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) => Deferred.failCause(broken, cause))
  )

const unfinished = `
  select exists (
    select from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
    where tasks.identifier = any($1)
      and (jobs.locked_by is not null or (jobs.is_available and jobs.run_at <= now()))
  ) as unfinished`

const nextRunAt = `
  select min(jobs.run_at) as next from graphile_worker._private_jobs as jobs
  join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
  where jobs.is_available and tasks.identifier = any($1)`

/**
 * Does jobs with graphile-worker. It needs no Postgres to be built, and outlives Postgres' restarts: what fails is
 * started again a second later, and what it had begun is finished by it or another (see `Lifeline`).
 */
export const make = Effect.fn("GraphileWorker.make")(function* <R>(tasks: ReadonlyArray<Task<R>>, options: Options) {
  const pool = yield* makePool(options.url)
  // On the application's clock, which is not that of the runners.
  const context = yield* Effect.context<R>()
  const duty = yield* WorkerSession
  const names = tasks.map((task) => task.job.name)

  // Closed after the loop that opens runners in it has ended.
  const runners = yield* Effect.acquireRelease(Scope.make("parallel"), (scope, exit) => Scope.close(scope, exit))
  yield* Effect.gen(function* () {
    const broken = yield* Deferred.make<never, unknown>()
    yield* Effect.forkIn(work(options, pool, tasks, context, broken), runners)
    const cause = yield* Effect.flip(Effect.sandbox(Deferred.await(broken)))
    yield* Effect.logWarning(`The worker is started again, because it failed: ${Cause.squash(cause)}`)
    yield* Effect.sleep("1 second")
  }).pipe(Effect.forever, onWallClock, Effect.forkScoped)

  const isUnfinished = Effect.promise(() => pool.query<{ unfinished: boolean }>(unfinished, [names])).pipe(
    Effect.map(({ rows }) => rows[0]?.unfinished === true || !duty.isIdle())
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
