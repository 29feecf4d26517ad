/** Whether a polygon contains a position. */
import type { Polygon, Ring } from "./Area.ts"
import { side } from "./side.ts"

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
