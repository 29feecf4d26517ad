import { Context, type Effect, Layer } from "effect"
import type { Database } from "../db/Database.ts"
import type { WorkerSession } from "./WorkerSession.ts"
import type { JobSignal } from "./JobSignal.ts"
import * as GraphileWorker from "./graphile/GraphileWorker.ts"
import type { Options } from "./graphile/GraphileWorker.ts"
import * as MemoryWorker from "./memory/MemoryWorker.ts"
import type { Services, Task } from "./Task.ts"

/** Does the jobs that `Jobs` enqueues, as long as its layer lives. */
export class Worker extends Context.Service<
  Worker,
  {
    /**
     * Completes when no job is due or being done at the present clock, nor what jobs began: what a test waits for. Jobs of a later time are
     * left waiting, and so are those that wait for a retry.
     */
    readonly drain: Effect.Effect<void>
    /** When the next job is due that waits now, if any does. */
    readonly nextRunAt: Effect.Effect<Date | undefined>
  }
>()("jobs/Worker") {
  /** Does jobs with graphile-worker, on Postgres (see `GraphileWorker.make`). */
  static readonly layer = <const T extends ReadonlyArray<Task<unknown>>>(
    tasks: T,
    options: Options
  ): Layer.Layer<Worker, never, Services<T[number]> | WorkerSession> =>
    Layer.effect(Worker, GraphileWorker.make(tasks as ReadonlyArray<Task<Services<T[number]>>>, options))

  /** Does jobs in fibers of this process on the application's clock, for tests (see `MemoryWorker.make`). */
  static readonly layerMemory = <const T extends ReadonlyArray<Task<unknown>>>(
    tasks: T
  ): Layer.Layer<Worker, never, Services<T[number]> | Database | WorkerSession | JobSignal> =>
    Layer.effect(Worker, MemoryWorker.make(tasks as ReadonlyArray<Task<Services<T[number]>>>))
}
