/**
 * Keeps a runner of graphile-worker from fetching jobs while it is closed. It is closed at first. It is a promise and not a
 * latch of Effect, because the runner calls `forbiddenFlags`, which may return a promise.
 */
export interface Gate {
  readonly open: () => void
  readonly close: () => void
  /** Resolves when the gate opens; undefined while it is open. */
  readonly whenOpen: () => Promise<void> | undefined
}

export const make = (): Gate => {
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
