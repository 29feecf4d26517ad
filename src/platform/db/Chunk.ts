/** The rows that one transaction takes of many. */
export interface Chunk<A> {
  readonly taken: ReadonlyArray<A>
  /** Whether there are more. */
  readonly left: "nothing" | "more"
}

/** The first `size` of these rows, of which one more was selected. */
export const chunkOf = <A>(found: ReadonlyArray<A>, size: number): Chunk<A> => ({
  taken: found.slice(0, size),
  left: found.length > size ? "more" : "nothing"
})
