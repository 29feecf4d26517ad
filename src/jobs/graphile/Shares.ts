import { Effect } from "effect"

/** Keeps jobs of one flag from taking all of a worker's hands. */
export interface Shares {
  /** Counts a job of these flags as running for as long as it does. */
  readonly within: (flags: ReadonlyArray<string>) => <A, E, R>(job: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The flags of which as many jobs are running as may. */
  readonly full: () => Array<string>
}

/** `most`: how many jobs of one flag may run at a time. */
export const make = (most: number): Shares => {
  const running = new Map<string, number>()
  const add = (flags: ReadonlyArray<string>, count: number) => {
    for (const flag of flags) running.set(flag, (running.get(flag) ?? 0) + count)
  }
  return {
    within: (flags) => (job) =>
      Effect.acquireUseRelease(
        Effect.sync(() => add(flags, 1)),
        () => job,
        () => Effect.sync(() => add(flags, -1))
      ),
    full: () => [...running].flatMap(([flag, count]) => count >= most ? [flag] : [])
  }
}
