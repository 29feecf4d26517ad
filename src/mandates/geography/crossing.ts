/** Whether two sets of edges have a point in common. */
import { side } from "./side.ts"

/** Edges, each as its two positions: four numbers. */
export type Edges = ReadonlyArray<number>

/** Whether an edge of one set touches or crosses an edge of the other. */
export const crossing = (a: Edges, b: Edges): boolean => {
  for (let i = 0; i < a.length; i += 4) {
    const ax = a[i] as number
    const ay = a[i + 1] as number
    const bx = a[i + 2] as number
    const by = a[i + 3] as number
    const [west, east] = ax < bx ? [ax, bx] : [bx, ax]
    const [south, north] = ay < by ? [ay, by] : [by, ay]
    for (let j = 0; j < b.length; j += 4) {
      const cx = b[j] as number
      const dx = b[j + 2] as number
      if ((cx < west && dx < west) || (cx > east && dx > east)) continue
      const cy = b[j + 1] as number
      const dy = b[j + 3] as number
      if ((cy < south && dy < south) || (cy > north && dy > north)) continue
      // Boxes meet, so collinear edges meet.
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
