/** Whether polygons have a point in common. */
import { type Box, halfTurn, type Polygon, type Polygons, quarterTurn } from "./Area.ts"
import { covers } from "./covers.ts"
import { crossInPairs, crossInSweep, type Edges } from "./crossing.ts"

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
