/** Whether two sets of edges have a point in common. */
import { side } from "./side.ts"
import { setEdge, sweep } from "./sweep.ts"

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
