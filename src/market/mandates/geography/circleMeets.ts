/** Whether a circle on the sphere has a point in common with another area. */
import { type Box, type Circle, halfTurn, type Polygon, type Polygons, quarterTurn, unitsPerDegree } from "./Area.ts"
import { boxOfCircle } from "./boxes.ts"
import { covers } from "./covers.ts"
import { haversine, haversineOf } from "./distance.ts"
import { boxesMeet, touchesPole } from "./polygonsMeet.ts"

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
