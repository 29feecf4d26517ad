import { Effect } from "effect"

const size = 1000

/** Removes a batch after another, each in a transaction of its own, until one comes up short. */
export const inBatches = <R>(remove: (limit: number) => Effect.Effect<number, never, R>): Effect.Effect<void, never, R> =>
  remove(size).pipe(
    Effect.repeat({ while: (removed) => removed >= size }),
    Effect.asVoid
  )
