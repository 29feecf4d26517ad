/** Whether areas have a point in common: the exact test of a search. */
import {
  type Area,
  type Box,
  type Circle,
  halfTurn,
  pointAt,
  type Polygon,
  type Polygons,
  quarterTurn,
  unitsPerDegree
} from "./Area.ts"
import { covers, crossInPairs, crossInSweep, type Edges, haversine, haversineOf } from "./geometry.ts"
import { boxOfCircle } from "./boxes.ts"

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

const radians = Math.PI / 180 / unitsPerDegree

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
  const [dx, dy] = [Math.abs(bx - ax) * radians, Math.abs(by - ay) * radians]
  const nearEquator = ay < 0 !== by < 0 ? 0 : Math.min(Math.abs(ay), Math.abs(by))
  const cosine = Math.cos(nearEquator * radians)
  const sine = Math.sin(Math.max(Math.abs(ay), Math.abs(by)) * radians)
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
