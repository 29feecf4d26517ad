/** Holds a worker's fetching of jobs back while it is closed. Closed at first. */
export interface Gate {
  readonly open: () => void
  readonly close: () => void
  /** Resolves when the gate opens; undefined while it is open. */
  readonly pass: () => Promise<void> | undefined
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
    pass: () => closed?.promise
  }
}
