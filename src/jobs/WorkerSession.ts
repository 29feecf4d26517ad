import { Context, Effect, Latch, Layer } from "effect"

/** The time for which others can see that a worker of this process lives. One that begins anew is another one. */
export interface Lease {
  /** The id that others see. */
  readonly id: string
  /** Whether others could be working on the same database, and would take over what this one holds when it is gone. */
  readonly isShared: boolean
}

/** The seed of the hash that turns a session's id into the key of its lock: any number that nobody else takes. */
export const lockSeed = 7_264_018_356

/**
 * What a worker of this process does beside its jobs: work that a job began, and that goes on when the job has ended. It is
 * held under the id of the worker's session, so that others take it over should this process die.
 */
export class WorkerSession extends Context.Service<
  WorkerSession,
  {
    /** The session under which something may be begun now; undefined: nothing may, as in a process without a worker. */
    readonly current: () => Lease | undefined
    /** Begins a session. It is the worker's to call, and so is `leave`. */
    readonly enter: (session: Lease) => void
    /** Ends a session, if it is the current one. */
    readonly leave: (session: Lease) => void
    /** Calls `listener` whenever a session ends. */
    readonly onLeave: (listener: () => void) => void
    /** Something was begun: the worker is not done, and waits for it when it stops, until `end` is called as often. */
    readonly begin: () => void
    readonly end: () => void
    readonly isIdle: () => boolean
    /** Completes when nothing goes on. */
    readonly idle: Effect.Effect<void>
  }
>()("jobs/Duty") {
  /** `ended` is called when the last of what was begun has ended. */
  static readonly make = (ended: () => void): Effect.Effect<WorkerSession["Service"]> =>
    Effect.map(Latch.make(true), (latch) => {
      let session: Lease | undefined
      let ongoing = 0
      const listeners: Array<() => void> = []
      const change = (next: Lease | undefined) => {
        const isOver = session !== undefined
        session = next
        if (isOver) for (const listener of listeners) listener()
      }
      return WorkerSession.of({
        current: () => session,
        enter: (entered) => change(entered),
        leave: (left) => {
          if (session === left) change(undefined)
        },
        onLeave: (listener) => void listeners.push(listener),
        begin: () => {
          if (++ongoing === 1) latch.closeUnsafe()
        },
        end: () => {
          if (--ongoing > 0) return
          latch.openUnsafe()
          ended()
        },
        isIdle: () => ongoing === 0,
        idle: latch.await
      })
    })

  static readonly layer: Layer.Layer<WorkerSession> = Layer.effect(
    WorkerSession,
    WorkerSession.make(() => {})
  )
}
