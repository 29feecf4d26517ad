/**
 * Geometry on the Earth: on which side of a line a point is, where edges cross, whether a polygon contains a position, and whether areas
 * have a point in common, which is the exact test of a search.
 */
import { orient2d } from "robust-predicates"
import {
  type Area,
  type Box,
  boxOfCircle,
  type Circle,
  earthRadius,
  halfTurn,
  pointAt,
  type Polygon,
  type Polygons,
  quarterTurn,
  type Ring,
  radiansPerUnit
} from "./Area.ts"

/**
 * Positive when (x, y) is left of the line from a to b, negative when right, 0 when on it: exact for coordinates in units,
 * also shifted by turns.
 */
export const side = (ax: number, ay: number, bx: number, by: number, x: number, y: number): number =>
  -orient2d(ax, ay, bx, by, x, y)

// The winding of rings.

/** Whether a ring that does not cross or touch itself goes counterclockwise. */
const isCounterclockwise = (ring: Ring): boolean => {
  const last = ring.length - 2
  let lowest = 0
  for (let i = 2; i < last; i += 2) {
    const [x, y] = [ring[i] as number, ring[i + 1] as number]
    const [lowestX, lowestY] = [ring[lowest] as number, ring[lowest + 1] as number]
    if (x < lowestX || (x === lowestX && y < lowestY)) lowest = i
  }
  const before = lowest === 0 ? last - 2 : lowest - 2
  const after = lowest + 2
  const at = (index: number) => ring[index] as number
  return side(at(before), at(before + 1), at(lowest), at(lowest + 1), at(after), at(after + 1)) > 0
}

/** The ring in the given direction, from the same first position. */
export const wind = (ring: Ring, counterclockwise: boolean): Ring => {
  if (isCounterclockwise(ring) === counterclockwise) return ring
  const reversed = new Int32Array(ring.length)
  for (let i = 0; i < ring.length; i += 2) {
    reversed[i] = ring[ring.length - 2 - i] as number
    reversed[i + 1] = ring[ring.length - 1 - i] as number
  }
  return reversed
}

// Where edges touch and cross, in the time that sorting takes (Shamos and Hoey): a line moves over the edges from west to
// east and keeps those that it cuts in order from south to north. Two edges that cross are neighbours on it before.
// Predicates are exact, so the order is right until the first crossing, which ends the sweep.

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

// Whether two sets of edges have a point in common.

/** Edges, each as its two positions: four numbers. */
export type Edges = ReadonlyArray<number>

/**
 * Whether an edge of one set touches or crosses an edge of the other, by looking at all pairs, but at most at a number of
 * them: undefined when that does not decide.
 */
export const crossInPairs = (a: Edges, b: Edges, limit: number): boolean | undefined => {
  let left = limit
  for (let i = 0; i < a.length; i += 4) {
    left -= b.length / 4
    if (left < 0) return undefined
    const ax = a[i] as number
    const ay = a[i + 1] as number
    const bx = a[i + 2] as number
    const by = a[i + 3] as number
    const west = ax < bx ? ax : bx
    const east = ax < bx ? bx : ax
    const south = ay < by ? ay : by
    const north = ay < by ? by : ay
    for (let j = 0; j < b.length; j += 4) {
      const cx = b[j] as number
      const dx = b[j + 2] as number
      if ((cx < west && dx < west) || (cx > east && dx > east)) continue
      const cy = b[j + 1] as number
      const dy = b[j + 3] as number
      if ((cy < south && dy < south) || (cy > north && dy > north)) continue
      // Their boxes meet, so edges on one line meet.
      const c = side(ax, ay, bx, by, cx, cy)
      const d = side(ax, ay, bx, by, dx, dy)
      if ((c > 0 && d > 0) || (c < 0 && d < 0)) continue
      const e = side(cx, cy, dx, dy, ax, ay)
      const f = side(cx, cy, dx, dy, bx, by)
      if ((e > 0 && f > 0) || (e < 0 && f < 0)) continue
      return true
    }
  }
  return false
}

/**
 * As {@link crossInPairs}, in the time that sorting takes. Undefined when edges of one set cross each other before, as
 * those of parts that overlap do.
 */
export const crossInSweep = (a: Edges, b: Edges): boolean | undefined => {
  const edges = new Float64Array(a.length + b.length)
  for (const [set, first] of [[a, 0] as const, [b, a.length] as const]) {
    for (let i = 0; i < set.length; i += 4) {
      setEdge(
        edges,
        (first + i) / 4,
        set[i] as number,
        set[i + 1] as number,
        set[i + 2] as number,
        set[i + 3] as number
      )
    }
  }
  const isOfA = (edge: number) => 4 * edge < a.length
  const found = sweep<"contact" | "crossing of one set">(edges, {
    touch: (incident) => (incident.some(isOfA) && !incident.every(isOfA) ? "contact" : undefined),
    cross: (edge, other) => (isOfA(edge) === isOfA(other) ? "crossing of one set" : "contact")
  })
  return found === "crossing of one set" ? undefined : found === "contact"
}

// Whether a polygon contains a position.

/** How often a ring crosses the ray from a position to the west; undefined when the position is on the ring. */
export const crossings = (ring: Ring, x: number, y: number): number | undefined => {
  let count = 0
  let ax = ring[0] as number
  let ay = ring[1] as number
  for (let i = 2; i < ring.length; i += 2) {
    const bx = ring[i] as number
    const by = ring[i + 1] as number
    if (ay === y && by === y) {
      if (x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return undefined
    } else if (y >= Math.min(ay, by) && y <= Math.max(ay, by) && x >= Math.min(ax, bx)) {
      const at = x > Math.max(ax, bx) ? 1 : by > ay ? -side(ax, ay, bx, by, x, y) : side(ax, ay, bx, by, x, y)
      if (at === 0) return undefined
      // An edge has its lower end, and not its upper one: a ray through a position of the ring meets one edge of two.
      if (at > 0 && y < Math.max(ay, by)) count += 1
    }
    ax = bx
    ay = by
  }
  return count
}

/** Whether a polygon contains a position; its edges belong to it. */
export const covers = ({ box, rings }: Polygon, x: number, y: number): boolean => {
  if (x < box.west || x > box.east || y < box.south || y > box.north) return false
  let count = 0
  for (const ring of rings) {
    const crossed = crossings(ring, x, y)
    if (crossed === undefined) return true
    count += crossed
  }
  return count % 2 === 1
}

// Distances on the sphere.

/** The square of half the chord between two positions on the unit sphere: 0 when they are one, 1 when opposite. */
const haversine = (ax: number, ay: number, bx: number, by: number): number => {
  const [dy, dx] = [Math.sin(((by - ay) * radiansPerUnit) / 2), Math.sin(((bx - ax) * radiansPerUnit) / 2)]
  return dy * dy + Math.cos(ay * radiansPerUnit) * Math.cos(by * radiansPerUnit) * dx * dx
}

/** The haversine of a distance in metres, at most half around the sphere. */
const haversineOf = (metres: number): number => {
  const half = Math.sin(Math.min(metres / earthRadius, Math.PI) / 2)
  return half * half
}

// Whether areas have a point in common: the exact test of a search.

/** Whether two areas have a point in common on the sphere; touching counts. */
export const meets = (a: Area, b: Area): boolean => {
  if (a.kind === "circle") return b.kind === "circle" ? circlesMeet(a, b) : circleMeetsPolygons(a, b)
  return b.kind === "circle" ? circleMeetsPolygons(b, a) : polygonsMeet(a, b)
}

/** Whether an area contains a point in degrees; its edge belongs to it. */
export const contains = (area: Area, longitude: number, latitude: number): boolean =>
  meets(area, pointAt(longitude, latitude))

// Whether polygons have a point in common.

/** Whether two boxes have a point in common, the second shifted to the east. */
export const boxesMeet = (a: Box, b: Box, shift: number): boolean =>
  a.west <= b.east + shift && b.west + shift <= a.east && a.south <= b.north && b.south <= a.north

/** Adds the edges of a polygon that may have a point in a box, shifted to the east. */
const addEdgesIn = (edges: Array<number>, { rings }: Polygon, box: Box, shift: number): Array<number> => {
  const [west, east] = [box.west - shift, box.east - shift]
  for (const ring of rings) {
    let ax = ring[0] as number
    let ay = ring[1] as number
    for (let i = 2; i < ring.length; i += 2) {
      const bx = ring[i] as number
      const by = ring[i + 1] as number
      const isApart =
        (ax < west && bx < west) ||
        (ax > east && bx > east) ||
        (ay < box.south && by < box.south) ||
        (ay > box.north && by > box.north)
      if (!isApart) edges.push(ax + shift, ay, bx + shift, by)
      ax = bx
      ay = by
    }
  }
  return edges
}

const isWithin = (inner: Box, outer: Box, shift: number): boolean =>
  inner.west + shift >= outer.west &&
  inner.east + shift <= outer.east &&
  inner.south >= outer.south &&
  inner.north <= outer.north

/** Whether a polygon contains the first position of another one, shifted to the east. */
const containsStart = (polygon: Polygon, other: Polygon, shift: number): boolean => {
  const [x = 0, y = 0] = other.rings[0] ?? []
  return isWithin(other.box, polygon.box, shift) && covers(polygon, x + shift, y)
}

const everywhere: Box = { west: -Infinity, south: -Infinity, east: Infinity, north: Infinity }

/** What two boxes have in common, the second shifted to the east. */
const commonOf = (a: Box, b: Box, shift: number): Box => ({
  west: Math.max(a.west, b.west + shift),
  south: Math.max(a.south, b.south),
  east: Math.min(a.east, b.east + shift),
  north: Math.min(a.north, b.north)
})

/** Pairs of polygons whose boxes meet. */
function* pairsOf(a: Polygons, b: Polygons, shift: number): Generator<Pair> {
  for (const one of a.polygons) {
    for (const other of b.polygons) if (boxesMeet(one.box, other.box, shift)) yield [one, other]
  }
}

type Pair = readonly [Polygon, Polygon]

const edgesOfPair = ([a, b]: Pair, shift: number): readonly [Edges, Edges] => {
  const common = commonOf(a.box, b.box, shift)
  return [addEdgesIn([], a, common, 0), addEdgesIn([], b, common, shift)]
}

// A sweep takes about as long for an edge as this number of pairs of edges.
const pairsOfSweep = 250

const edgeCount = (polygons: Iterable<Polygon>): number => {
  let count = 0
  for (const { rings } of polygons) for (const ring of rings) count += ring.length / 2 - 1
  return count
}

const pairsOfEdges = (a: Edges, b: Edges): number => (a.length * b.length) / 16

/** Whether edges of two polygons meet. */
const edgesOfPairMeet = (pair: Pair, shift: number): boolean => {
  const [a, b] = edgesOfPair(pair, shift)
  // The edges of one polygon do not cross each other, so the sweep decides.
  return crossInPairs(a, b, (pairsOfSweep * (a.length + b.length)) / 4) ?? crossInSweep(a, b) === true
}

/** Whether edges of pairs of polygons meet. */
const edgesMeet = (pairs: ReadonlyArray<Pair>, shift: number): boolean => {
  if (pairs.length === 0) return false
  const [one, other] = [new Set(pairs.map(([a]) => a)), new Set(pairs.map(([, b]) => b))]
  let budget = pairsOfSweep * (edgeCount(one) + edgeCount(other))
  for (const pair of pairs) {
    const [a, b] = edgesOfPair(pair, shift)
    const found = crossInPairs(a, b, budget)
    if (found === true) return true
    if (found === undefined) {
      const all = [...one].flatMap((polygon) => addEdgesIn([], polygon, everywhere, 0))
      const others = [...other].flatMap((polygon) => addEdgesIn([], polygon, everywhere, shift))
      return crossInSweep(all, others) ?? pairs.some((each) => edgesOfPairMeet(each, shift))
    }
    budget -= pairsOfEdges(a, b)
  }
  return false
}

const meetShifted = (a: Polygons, b: Polygons, shift: number): boolean => {
  const pairs = [...pairsOf(a, b, shift)]
  return (
    edgesMeet(pairs, shift) ||
    // Where no edges meet, one polygon contains the other as a whole, or they are apart.
    pairs.some(([one, other]) => containsStart(one, other, shift) || containsStart(other, one, -shift))
  )
}

/** Whether a polygon has the pole of this latitude. */
export const touchesPole = ({ box }: Polygon, latitude: number): boolean =>
  box.north === latitude || box.south === latitude

/** Whether two areas have a point in common on the sphere, where 180° and -180°, and all longitudes of a pole, are one. */
export const polygonsMeet = (a: Polygons, b: Polygons): boolean =>
  [0, -2 * halfTurn, 2 * halfTurn].some((shift) => meetShifted(a, b, shift)) ||
  [quarterTurn, -quarterTurn].some(
    (pole) =>
      a.polygons.some((polygon) => touchesPole(polygon, pole)) &&
      b.polygons.some((polygon) => touchesPole(polygon, pole))
  )

// Whether a circle on the sphere has a point in common with another area.

// Pieces of an edge that bend less than this are not divided further: as a haversine, at most 1 mm at a distance of 100 m,
// and less where the distance is greater.
const tolerance = 1e-15

/**
 * Whether a point of the straight edge is as near as the limit, a haversine. The haversine along an edge is at most
 * `bend` / 8 below the lesser of its ends, where `bend` bounds its second derivative: the edge is halved until the ends
 * decide. That takes few steps, because the bend falls to a quarter each time.
 */
const edgeIsNear = (
  circle: Circle,
  limit: number,
  ends: readonly [number, number, number, number],
  near: readonly [number, number],
  bend: number
): boolean => {
  const [ax, ay, bx, by] = ends
  if (Math.min(...near) <= limit) return true
  if (bend / 8 < tolerance || Math.min(...near) - bend / 8 > limit) return false
  const [x, y] = [(ax + bx) / 2, (ay + by) / 2]
  const middle = haversine(circle.longitude, circle.latitude, x, y)
  return (
    edgeIsNear(circle, limit, [ax, ay, x, y], [near[0], middle], bend / 4) ||
    edgeIsNear(circle, limit, [x, y, bx, by], [middle, near[1]], bend / 4)
  )
}

/** A bound of the second derivative of the haversine to any point along an edge, from 0 at its begin to 1 at its end. */
const bendOf = (ax: number, ay: number, bx: number, by: number): number => {
  const [dx, dy] = [Math.abs(bx - ax) * radiansPerUnit, Math.abs(by - ay) * radiansPerUnit]
  const nearEquator = ay < 0 !== by < 0 ? 0 : Math.min(Math.abs(ay), Math.abs(by))
  const cosine = Math.cos(nearEquator * radiansPerUnit)
  const sine = Math.sin(Math.max(Math.abs(ay), Math.abs(by)) * radiansPerUnit)
  return (cosine * dx * dx + 2 * sine * dx * dy + dy * dy) / 2
}

const isNearEdges = ({ rings }: Polygon, circle: Circle, limit: number, box: Box, shift: number): boolean => {
  const [west, east] = [box.west + shift, box.east + shift]
  for (const ring of rings) {
    let ax = ring[0] as number
    let ay = ring[1] as number
    for (let i = 2; i < ring.length; i += 2) {
      const bx = ring[i] as number
      const by = ring[i + 1] as number
      const isApart =
        (ax < west && bx < west) ||
        (ax > east && bx > east) ||
        (ay < box.south && by < box.south) ||
        (ay > box.north && by > box.north)
      if (!isApart) {
        const near = [
          haversine(circle.longitude, circle.latitude, ax, ay),
          haversine(circle.longitude, circle.latitude, bx, by)
        ] as const
        if (edgeIsNear(circle, limit, [ax, ay, bx, by], near, bendOf(ax, ay, bx, by))) return true
      }
      ax = bx
      ay = by
    }
  }
  return false
}

/** Whether a circle has a point in common with polygons: it has its centre in one, or an edge is within its radius. */
export const circleMeetsPolygons = (circle: Circle, { polygons }: Polygons): boolean => {
  const box = boxOfCircle(circle)
  const limit = haversineOf(circle.radius)
  for (const shift of [0, -2 * halfTurn, 2 * halfTurn]) {
    for (const polygon of polygons) {
      if (!boxesMeet(polygon.box, box, shift)) continue
      if (covers(polygon, circle.longitude + shift, circle.latitude)) return true
      if (isNearEdges(polygon, circle, limit, box, shift)) return true
    }
  }
  // All longitudes of a pole are one position, which rounding can put beside an edge that ends there.
  return Math.abs(circle.latitude) === quarterTurn && polygons.some((polygon) => touchesPole(polygon, circle.latitude))
}

/** Whether two circles have a point in common. */
export const circlesMeet = (a: Circle, b: Circle): boolean =>
  haversine(a.longitude, a.latitude, b.longitude, b.latitude) <= haversineOf(a.radius + b.radius)
