import { Context, type Effect } from "effect"

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
