import { Effect, Exit } from "effect"

const size = 1000

/** Removes batch after batch, each in its own transaction, until a batch is not full. */
export const inBatches = <R>(
  remove: (limit: number) => Effect.Effect<number, never, R>
): Effect.Effect<void, never, R> =>
  remove(size).pipe(Effect.repeat({ while: (removed) => removed >= size }), Effect.asVoid)

/**
 * Like {@link inBatches}, for batches that may not be full although there is more to remove: repeats until one is
 * empty.
 */
export const untilEmpty = <R>(
  remove: (limit: number) => Effect.Effect<number, never, R>
): Effect.Effect<void, never, R> => remove(size).pipe(Effect.repeat({ while: (removed) => removed > 0 }), Effect.asVoid)

/** Runs each of these, one after the other, also if one before has failed; then it fails, too, so that the job is retried. */
export const each = <R>(...parts: ReadonlyArray<Effect.Effect<void, never, R>>): Effect.Effect<void, never, R> =>
  Effect.flatMap(
    Effect.forEach(parts, (part) => Effect.exit(part)),
    Exit.asVoidAll
  )
