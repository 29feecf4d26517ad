import { Effect } from "effect"

const size = 1000

/** Removes a batch after another, each in a transaction of its own, until one comes up short. */
export const inBatches = <R>(
  remove: (limit: number) => Effect.Effect<number, never, R>
): Effect.Effect<void, never, R> =>
  remove(size).pipe(Effect.repeat({ while: (removed) => removed >= size }), Effect.asVoid)

/** As {@link inBatches}, where a step may come up short although there is more to do: until one finds nothing. */
export const stepByStep = <R>(
  remove: (limit: number) => Effect.Effect<number, never, R>
): Effect.Effect<void, never, R> => remove(size).pipe(Effect.repeat({ while: (removed) => removed > 0 }), Effect.asVoid)
