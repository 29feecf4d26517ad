/** Whether the rings of a polygon lie as they must: none crosses another or itself, and the holes lie inside. */
import type { Ring } from "./Area.ts"
import { crossings } from "./covers.ts"
import type { GeographyFault } from "./GeographyFault.ts"
import type { SourceRing } from "./readRing.ts"
import { side } from "./side.ts"
import { setEdge, sweep } from "./sweep.ts"

/** The edges of rings, numbered through. */
interface NumberedEdges {
  readonly edges: Float64Array
  /** The ring of each edge. */
  readonly ringOf: Int32Array
  /** The number of the first edge of each ring. */
  readonly firstOf: ReadonlyArray<number>
}

const numberEdges = (rings: ReadonlyArray<SourceRing>): NumberedEdges => {
  const count = rings.reduce((total, { indexes }) => total + indexes.length - 1, 0)
  const edges = new Float64Array(4 * count)
  const ringOf = new Int32Array(count)
  let edge = 0
  const firstOf = rings.map(({ ring }, index) => {
    const first = edge
    for (let i = 2; i < ring.length; i += 2) {
      setEdge(edges, edge, ring[i - 2] as number, ring[i - 1] as number, ring[i] as number, ring[i + 1] as number)
      ringOf[edge] = index
      edge += 1
    }
    return first
  })
  return { edges, ringOf, firstOf }
}

/** A direction from a position, along an edge of a ring. */
interface Ray {
  readonly edge: number
  readonly ring: number
  readonly x: number
  readonly y: number
}

const raysFrom = (
  { edges, ringOf }: NumberedEdges,
  incident: ReadonlyArray<number>,
  x: number,
  y: number
): ReadonlyArray<Ray> =>
  incident
    .flatMap((edge) =>
      [0, 2].map((end) => ({
        edge,
        ring: ringOf[edge] as number,
        x: edges[4 * edge + end] as number,
        y: edges[4 * edge + end + 1] as number
      }))
    )
    .filter((ray) => ray.x !== x || ray.y !== y)

/** Orders rays from (x, y) counterclockwise, from the east on; 0 when they have one direction. */
const byDirection =
  (x: number, y: number) =>
  (a: Ray, b: Ray): number => {
    const isLower = (ray: Ray) => ray.y < y || (ray.y === y && ray.x < x)
    return Number(isLower(a)) - Number(isLower(b)) || -side(x, y, a.x, a.y, b.x, b.y)
  }

/**
 * Two edges by which rings that meet in (x, y) do more there than touch. Each ring must pass the position once, and those
 * that do must not cross: around it, no ring leaves between the two rays of another and arrives beside them.
 */
const conflictAt = (
  numbered: NumberedEdges,
  incident: ReadonlyArray<number>,
  x: number,
  y: number
): readonly [number, number] | undefined => {
  const rays = raysFrom(numbered, incident, x, y)
  const byRing = Map.groupBy(rays, ({ ring }) => ring)
  for (const [ring, own] of byRing) {
    if (own.length === 2) continue
    const ofRing = own.map(({ edge }) => edge).sort((e, f) => e - f)
    const [first, last] = [ofRing[0] as number, ofRing.at(-1) as number]
    // The first and the last edge of a ring are neighbours, so one between is meant.
    const isClosing =
      first === numbered.firstOf[ring] && last + 1 === (numbered.firstOf[ring + 1] ?? numbered.ringOf.length)
    return [first, isClosing ? (ofRing[ofRing.length >> 1] as number) : last]
  }
  const order = byDirection(x, y)
  const sorted = rays.toSorted(order)
  const open: Array<Ray> = []
  for (const [index, ray] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before !== undefined && order(before, ray) === 0) return [before.edge, ray.edge]
    if (open.at(-1)?.ring === ray.ring) open.pop()
    else open.push(ray)
  }
  const [one, other] = open
  return one === undefined || other === undefined ? undefined : [one.edge, other.edge]
}

/** Whether a ring lies inside another one, which it may touch but does not cross. */
const isInside = (inner: Ring, outer: Ring): boolean => {
  for (let i = 0; i < inner.length; i += 2) {
    const count = crossings(outer, inner[i] as number, inner[i + 1] as number)
    if (count !== undefined) return count % 2 === 1
  }
  // All positions touch the other ring. An edge touches it in as many positions as it has at most, so one of these points
  // does not.
  const [ax, ay, bx, by] = inner as ArrayLike<number> as readonly [number, number, number, number]
  for (let parts = 2; parts <= 8192; parts *= 2) {
    for (let part = 1; part < parts; part += 2) {
      const count = crossings(outer, ax + ((bx - ax) * part) / parts, ay + ((by - ay) * part) / parts)
      if (count !== undefined) return count % 2 === 1
    }
  }
  return false
}

const pointer = (path: ReadonlyArray<string | number>) => `/${path.join("/")}`

/** What is wrong with a crossing of two edges, at the position where the later one begins. */
const crossingFault = (
  rings: ReadonlyArray<SourceRing>,
  { firstOf, ringOf }: NumberedEdges,
  edges: readonly [number, number]
): GeographyFault => {
  const begins = edges
    .toSorted((e, f) => e - f)
    .map((edge) => {
      const ring = ringOf[edge] as number
      const { indexes, path } = rings[ring] as SourceRing
      return { ring, path: [...path, indexes[edge - (firstOf[ring] as number)] as number] }
    })
  const [one, other] = begins as [(typeof begins)[0], (typeof begins)[0]]
  const isSame = one.ring === other.ring
  return {
    path: other.path,
    code: isSame ? "ring_crosses_itself" : "rings_cross",
    detail: isSame
      ? `The edge from here crosses or touches the one from ${pointer(one.path)} of the same ring.`
      : `The edge from here crosses or overlaps the one from ${pointer(one.path)}; rings may touch in points only.`
  }
}

const holeFault = (rings: ReadonlyArray<SourceRing>): GeographyFault | undefined => {
  const [outer, ...holes] = rings
  for (const [index, hole] of holes.entries()) {
    if (outer !== undefined && !isInside(hole.ring, outer.ring)) {
      return { path: hole.path, code: "hole_outside", detail: "Must lie inside the outer ring." }
    }
    const around = holes.find((other, at) => at !== index && isInside(hole.ring, other.ring))
    if (around !== undefined) {
      return { path: hole.path, code: "holes_overlap", detail: `Must not lie inside the hole ${pointer(around.path)}.` }
    }
  }
  return undefined
}

/** The first fault of the rings of a polygon: the outer one, then holes. Rings may touch one another in points. */
export const topologyFault = (rings: ReadonlyArray<SourceRing>): GeographyFault | undefined => {
  const numbered = numberEdges(rings)
  const crossed = sweep(numbered.edges, {
    touch: (incident, x, y) => (incident.length > 2 ? conflictAt(numbered, incident, x, y) : undefined),
    cross: (edge, other) => [edge, other] as const
  })
  return crossed === undefined ? holeFault(rings) : crossingFault(rings, numbered, crossed)
}
