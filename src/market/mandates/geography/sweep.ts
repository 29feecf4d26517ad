/**
 * Where edges touch and cross, in the time that sorting takes (Shamos and Hoey): a line moves over the edges from west to
 * east and keeps those that it cuts in order from south to north. Two edges that cross are neighbours on it before.
 * Predicates are exact, so the order is right until the first crossing, which ends the sweep.
 */
import { side } from "./side.ts"

/** Edges by number: four numbers each, the position that is further west, or south of the other one, first. */
export type SweepEdges = Float64Array

/** Writes an edge for {@link sweep}: its ends in either order. */
export const setEdge = (edges: SweepEdges, edge: number, ax: number, ay: number, bx: number, by: number): void => {
  const isForward = ax < bx || (ax === bx && ay < by)
  const [first, second] = isForward ? [0, 2] : [2, 0]
  edges[4 * edge + first] = ax
  edges[4 * edge + first + 1] = ay
  edges[4 * edge + second] = bx
  edges[4 * edge + second + 1] = by
}

/** What a sweep calls; an answer other than undefined ends it. */
export interface Visitor<A> {
  /** Two or more edges have an end, or a point between, at a position. */
  readonly touch: (edges: ReadonlyArray<number>, x: number, y: number) => A | undefined
  /** Two edges cross between their ends, or overlap. */
  readonly cross: (edge: number, other: number) => A
}

/** The edges that the line cuts, from south to north. */
class Status {
  readonly #edges: Int32Array
  size = 0

  constructor(capacity: number) {
    this.#edges = new Int32Array(capacity)
  }

  at(index: number): number {
    return this.#edges[index] as number
  }

  replace(start: number, end: number, edges: ReadonlyArray<number>): void {
    if (edges.length !== end - start) this.#edges.copyWithin(start + edges.length, end, this.size)
    this.#edges.set(edges, start)
    this.size += edges.length - (end - start)
  }
}

/** Calls the visitor at positions from west to east. Answers what ended the sweep. */
export const sweep = <A>(edges: SweepEdges, { cross, touch }: Visitor<A>): A | undefined => {
  const at = (edge: number, coordinate: 0 | 1 | 2 | 3) => edges[4 * edge + coordinate] as number
  const sideOf = (edge: number, x: number, y: number) => side(at(edge, 0), at(edge, 1), at(edge, 2), at(edge, 3), x, y)
  const sortedBy = (x: 0 | 2, y: 1 | 3) =>
    Uint32Array.from({ length: edges.length / 4 }, (_, edge) => edge).sort(
      (e, f) => at(e, x) - at(f, x) || at(e, y) - at(f, y)
    )
  const starts = sortedBy(0, 1)
  const ends = sortedBy(2, 3)
  const status = new Status(starts.length)

  /** Whether neighbours, the first south of the second, cross further east. */
  const crosses = (south: number, north: number) => {
    const [x, y] = [at(south, 2), at(south, 3)]
    const [otherX, otherY] = [at(north, 2), at(north, 3)]
    return x < otherX || (x === otherX && y < otherY) ? sideOf(north, x, y) > 0 : sideOf(south, otherX, otherY) < 0
  }

  let [started, ended] = [0, 0]
  while (ended < ends.length) {
    const [next, last] = [starts[started], ends[ended] as number]
    let [x, y] = [at(last, 2), at(last, 3)]
    if (next !== undefined && (at(next, 0) < x || (at(next, 0) === x && at(next, 1) < y))) {
      ;[x, y] = [at(next, 0), at(next, 1)]
    }
    // The edges of the line that have this position are next to each other.
    let [low, high] = [0, status.size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sideOf(status.at(middle), x, y) > 0) low = middle + 1
      else high = middle
    }
    const incident: Array<number> = []
    const onward: Array<number> = []
    for (high = low; high < status.size && sideOf(status.at(high), x, y) === 0; high += 1) {
      const edge = status.at(high)
      incident.push(edge)
      if (at(edge, 2) === x && at(edge, 3) === y) ended += 1
      else onward.push(edge)
    }
    for (; started < starts.length; started += 1) {
      const edge = starts[started] as number
      if (at(edge, 0) !== x || at(edge, 1) !== y) break
      incident.push(edge)
      onward.push(edge)
    }
    const found = incident.length > 1 ? touch(incident, x, y) : undefined
    if (found !== undefined) return found

    if (onward.length > 1) onward.sort((e, f) => -side(x, y, at(e, 2), at(e, 3), at(f, 2), at(f, 3)))
    for (let i = 1; i < onward.length; i += 1) {
      const [e, f] = [onward[i - 1] as number, onward[i] as number]
      if (side(x, y, at(e, 2), at(e, 3), at(f, 2), at(f, 3)) === 0) return cross(e, f)
    }
    status.replace(low, high, onward)
    const above = low + onward.length
    if (low > 0 && low < status.size && crosses(status.at(low - 1), status.at(low))) {
      return cross(status.at(low - 1), status.at(low))
    }
    if (above > low && above < status.size && crosses(status.at(above - 1), status.at(above))) {
      return cross(status.at(above - 1), status.at(above))
    }
  }
  return undefined
}
