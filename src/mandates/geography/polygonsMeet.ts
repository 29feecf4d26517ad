/** Whether polygons have a point in common. */
import { type Box, halfTurn, type Polygon, type Polygons, quarterTurn } from "./Area.ts"
import { covers } from "./covers.ts"
import { crossing } from "./crossing.ts"

/** Whether two boxes have a point in common, the second shifted to the east. */
export const boxesMeet = (a: Box, b: Box, shift: number): boolean =>
  a.west <= b.east + shift && b.west + shift <= a.east && a.south <= b.north && b.south <= a.north

/** The edges of a polygon that may have a point in a box, each as its two positions, shifted to the east. */
const edgesIn = ({ rings }: Polygon, box: Box, shift: number): ReadonlyArray<number> => {
  const edges: Array<number> = []
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

const partsMeet = (a: Polygon, b: Polygon, shift: number): boolean => {
  if (!boxesMeet(a.box, b.box, shift)) return false
  const common: Box = {
    west: Math.max(a.box.west, b.box.west + shift),
    south: Math.max(a.box.south, b.box.south),
    east: Math.min(a.box.east, b.box.east + shift),
    north: Math.min(a.box.north, b.box.north)
  }
  if (crossing(edgesIn(a, common, 0), edgesIn(b, common, shift))) return true
  // Where no edges meet, one contains the other as a whole, or they are apart.
  return containsStart(a, b, shift) || containsStart(b, a, -shift)
}

/** Whether a polygon has the pole of this latitude. */
export const touchesPole = ({ box }: Polygon, latitude: number): boolean =>
  box.north === latitude || box.south === latitude

/** Whether two areas have a point in common on the sphere, where 180° and -180°, and all longitudes of a pole, are one. */
export const polygonsMeet = (a: Polygons, b: Polygons): boolean => {
  for (const one of a.polygons) {
    for (const other of b.polygons) {
      for (const shift of [0, -2 * halfTurn, 2 * halfTurn]) if (partsMeet(one, other, shift)) return true
    }
  }
  return [quarterTurn, -quarterTurn].some(
    (pole) =>
      a.polygons.some((polygon) => touchesPole(polygon, pole)) &&
      b.polygons.some((polygon) => touchesPole(polygon, pole))
  )
}
