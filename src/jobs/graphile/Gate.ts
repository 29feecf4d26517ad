/** Holds a worker's fetching of jobs back while it is closed. Closed at first. */
export interface Gate {
  readonly open: () => void
  readonly close: () => void
  /** Passes at once or when the gate opens; in the shape of graphile-worker's `forbiddenFlags`: none is forbidden. */
  readonly pass: () => Array<string> | Promise<Array<string>>
}

export const make = (): Gate => {
  let closed: PromiseWithResolvers<Array<string>> | undefined = Promise.withResolvers()
  return {
    open: () => {
      closed?.resolve([])
      closed = undefined
    },
    close: () => {
      closed ??= Promise.withResolvers()
    },
    pass: () => closed?.promise ?? []
  }
}
