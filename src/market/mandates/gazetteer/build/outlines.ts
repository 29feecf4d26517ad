/** Rings on a grid, and what is measured on them. Pure. */
import { partsPerDegree } from "../format.ts"

/** Longitude and latitude in parts of a degree. */
export type Position = readonly [x: number, y: number]

/** An open ring: its last position is not its first. */
export type Ring = ReadonlyArray<Position>

/** An outer ring, counterclockwise, then its holes, clockwise. */
export type Polygon = ReadonlyArray<Ring>

const halfTurn = 180 * partsPerDegree
const metresPerUnit = 111_195 / partsPerDegree

/** A number for each position. */
export const keyOf = ([x, y]: Position): number => (x + halfTurn) * (2 * halfTurn) + y + halfTurn

export const positionOf = (key: number): Position => [
  Math.floor(key / (2 * halfTurn)) - halfTurn,
  (key % (2 * halfTurn)) - halfTurn
]

const radians = (units: number) => (units / partsPerDegree) * (Math.PI / 180)

/** Square kilometres on the sphere; positive when the ring is counterclockwise. */
export const areaOf = (ring: Ring): number => {
  let sum = 0
  for (const [i, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(i + 1) % ring.length] as Position
    sum += radians(nextX - x) * (Math.sin(radians(y)) + Math.sin(radians(nextY)))
  }
  return -(sum / 2) * 6371.0088 ** 2
}

/** The metres from a position to the line between two others, near enough for simplification. */
export const distanceToLine = ([x, y]: Position, [ax, ay]: Position, [bx, by]: Position): number => {
  const shrink = Math.cos(radians((ay + by) / 2))
  const [dx, dy] = [(bx - ax) * shrink, by - ay]
  const [px, py] = [(x - ax) * shrink, y - ay]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length))
  return Math.hypot(px - along * dx, py - along * dy) * metresPerUnit
}

/** Twice the area of a triangle; positive when it is counterclockwise. Exact. */
export const turn = ([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): number =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

/** Whether a position is inside a ring; on its edges, either. */
export const isInside = ([x, y]: Position, ring: Ring): boolean => {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const [ax, ay] = ring[i] as Position
    const [bx, by] = ring[j] as Position
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

/** Outer rings, each with the holes that are inside it. Rings are simple; holes are the clockwise ones. */
export const polygonsOf = (rings: ReadonlyArray<Ring>): ReadonlyArray<Polygon> => {
  const outer = rings
    .filter((ring) => areaOf(ring) > 0)
    .map((ring) => ({ ring, area: areaOf(ring), holes: new Array<Ring>() }))
    .sort((a, b) => a.area - b.area)
  for (const hole of rings.filter((ring) => areaOf(ring) < 0)) {
    const size = -areaOf(hole)
    const holder = outer.find(
      ({ area, ring }) => area > size && 2 * hole.filter((position) => isInside(position, ring)).length > hole.length
    )
    holder?.holes.push(hole)
  }
  return outer.map(({ holes, ring }) => [ring, ...holes]).reverse()
}
