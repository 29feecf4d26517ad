/** Areas that share borders: simplified alike on both sides, and joined along them. Pure. */
import {
  areaOf,
  distanceToLine,
  keyOf,
  type Polygon,
  polygonsOf,
  type Position,
  positionOf,
  type Ring
} from "./outlines.ts"

const edgesOf = (ring: Ring) => ring.map((from, i) => [from, ring[(i + 1) % ring.length] as Position] as const)

/** The positions in which borders of three areas meet: those whose neighbours differ from ring to ring. */
const junctionsOf = (rings: Iterable<Ring>): ReadonlySet<number> => {
  const neighbours = new Map<number, readonly [number, number]>()
  const junctions = new Set<number>()
  for (const ring of rings) {
    const keys = ring.map(keyOf)
    for (const [i, key] of keys.entries()) {
      const a = keys.at(i - 1) as number
      const b = keys[(i + 1) % keys.length] as number
      const pair = a < b ? ([a, b] as const) : ([b, a] as const)
      const known = neighbours.get(key)
      if (known === undefined) neighbours.set(key, pair)
      else if (known[0] !== pair[0] || known[1] !== pair[1]) junctions.add(key)
    }
  }
  return junctions
}

/** The arcs of a ring: from junction to junction, or, in a ring without one, all of it from its smallest position. */
const arcsOf = (ring: Ring, junctions: ReadonlySet<number>): ReadonlyArray<ReadonlyArray<Position>> => {
  const keys = ring.map(keyOf)
  const atJunction = keys.findIndex((key) => junctions.has(key))
  const start = atJunction === -1 ? keys.indexOf(keys.reduce((a, b) => Math.min(a, b))) : atJunction
  const turned = [...ring.slice(start), ...ring.slice(0, start), ring[start] as Position]
  const arcs: Array<ReadonlyArray<Position>> = []
  let from = 0
  for (let i = 1; i < turned.length; i += 1) {
    if (i < turned.length - 1 && !junctions.has(keyOf(turned[i] as Position))) continue
    arcs.push(turned.slice(from, i + 1))
    from = i
  }
  return arcs
}

/** Douglas and Peucker's: drops what is nearer than `tolerance` metres to the line between what stays. */
const simplifyLine = (line: ReadonlyArray<Position>, tolerance: number): ReadonlyArray<Position> => {
  const kept = new Uint8Array(line.length)
  const stack: Array<readonly [number, number]> = [[0, line.length - 1]]
  kept[0] = 1
  kept[line.length - 1] = 1
  for (let range = stack.pop(); range !== undefined; range = stack.pop()) {
    const [first, last] = range
    let [farthest, distance] = [-1, tolerance]
    for (let i = first + 1; i < last; i += 1) {
      const away = distanceToLine(line[i] as Position, line[first] as Position, line[last] as Position)
      if (away > distance) [farthest, distance] = [i, away]
    }
    if (farthest === -1) continue
    kept[farthest] = 1
    stack.push([first, farthest], [farthest, last])
  }
  return line.filter((_, i) => kept[i] === 1)
}

const isForwards = (arc: ReadonlyArray<Position>): boolean => {
  const [first, last] = [keyOf(arc[0] as Position), keyOf(arc.at(-1) as Position)]
  return first === last ? keyOf(arc[1] as Position) <= keyOf(arc.at(-2) as Position) : first < last
}

/** An arc begins and ends with an edge that no other has. */
const nameOf = (arc: ReadonlyArray<Position>) =>
  [arc[0], arc[1], arc.at(-2), arc.at(-1)].map((position) => keyOf(position as Position)).join(" ")

/** An area before it is simplified, and by how many metres its border may move. */
export interface Simplifiable {
  readonly rings: ReadonlyArray<Ring>
  readonly tolerance: number
}

/** The rings of each area with fewer positions. Where two areas share a border, the smaller tolerance holds for both. */
export const simplify = (areas: ReadonlyArray<Simplifiable>): ReadonlyArray<ReadonlyArray<Ring>> => {
  const junctions = junctionsOf(areas.flatMap(({ rings }) => rings))
  const directed = areas.map(({ rings, tolerance }) => ({
    tolerance,
    rings: rings.map((ring) =>
      arcsOf(ring, junctions).map((arc) => {
        const forwards = isForwards(arc)
        const line = forwards ? arc : arc.toReversed()
        return { forwards, line, name: nameOf(line) }
      })
    )
  }))
  const tolerances = new Map<string, number>()
  for (const { rings, tolerance } of directed) {
    for (const { name } of rings.flat()) tolerances.set(name, Math.min(tolerance, tolerances.get(name) ?? tolerance))
  }
  return directed.map(({ rings }) => {
    const simplified = rings.map((arcs) =>
      arcs.flatMap(({ forwards, line, name }) => {
        const short = simplifyLine(line, tolerances.get(name) as number)
        return (forwards ? short : short.toReversed()).slice(0, -1)
      })
    )
    const whole = simplified.filter((ring) => ring.length >= 3)
    // An islet that is its whole area stays as it was.
    return whole.length > 0
      ? whole
      : rings.map((arcs) => arcs.flatMap(({ forwards, line }) => (forwards ? line : line.toReversed()).slice(0, -1)))
  })
}

const angle = ([ax, ay]: Position, [bx, by]: Position) => Math.atan2(by - ay, bx - ax)

/** The union of areas that overlap nowhere: the edges that only one of them has. */
export const dissolve = (rings: ReadonlyArray<Ring>): ReadonlyArray<Polygon> => {
  const next = new Map<number, Set<number>>()
  for (const ring of rings) {
    for (const [from, to] of edgesOf(ring)) {
      const [a, b] = [keyOf(from), keyOf(to)]
      if (next.get(b)?.delete(a) === true) continue
      const ends = next.get(a)
      if (ends === undefined) next.set(a, new Set([b]))
      else ends.add(b)
    }
  }
  const joined: Array<Ring> = []
  for (const start of [...next.keys()].sort((a, b) => a - b)) {
    while ((next.get(start)?.size ?? 0) > 0) joined.push(...walk(start, next))
  }
  return polygonsOf(joined.filter((ring) => ring.length >= 3 && Math.abs(areaOf(ring)) > 0.01))
}

/** Follows edges until none is left, and cuts off a ring at each position that it comes back to. */
const walk = (start: number, next: Map<number, Set<number>>): ReadonlyArray<Ring> => {
  const rings: Array<Ring> = []
  const path = [start]
  const places = new Map([[start, 0]])
  for (;;) {
    const key = path.at(-1) as number
    const ends = next.get(key)
    if (ends === undefined || ends.size === 0) return rings
    const here = positionOf(key)
    const back = path.length > 1 ? angle(here, positionOf(path.at(-2) as number)) : 0
    // With the inside at the left, the same inside goes on at the first edge clockwise.
    const clockwise = (end: number) => (back - angle(here, positionOf(end)) + 4 * Math.PI) % (2 * Math.PI)
    const [end] = [...ends].sort((a, b) => clockwise(a) - clockwise(b)) as [number]
    ends.delete(end)
    const known = places.get(end)
    if (known === undefined) {
      places.set(end, path.length)
      path.push(end)
      continue
    }
    const ring = path.splice(known + 1)
    for (const passed of ring) places.delete(passed)
    rings.push([end, ...ring].map(positionOf))
  }
}
