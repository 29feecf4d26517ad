/** Makes outlines valid: no ring meets itself or another of its polygon, and they stay within the bounds of an area. Pure. */
import { areaOf, isInside, type Polygon, type Position, type Ring, turn } from "./outlines.ts"
import { simplify } from "./topology.ts"

/** Below the 5,000 positions and 200 rings that an area may have: coast.ts adds up to 60 polygons of 9. */
const maxPositions = 3900
const maxRings = 130

interface Edge {
  readonly ring: number
  readonly index: number
  readonly from: Position
  readonly to: Position
}

const isBetween = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b)

const isOn = (position: Position, { from, to }: Edge) =>
  turn(from, to, position) === 0 && isBetween(position[0], from[0], to[0]) && isBetween(position[1], from[1], to[1])

const meet = (a: Edge, b: Edge): boolean => {
  const [a1, a2] = [Math.sign(turn(a.from, a.to, b.from)), Math.sign(turn(a.from, a.to, b.to))]
  const [b1, b2] = [Math.sign(turn(b.from, b.to, a.from)), Math.sign(turn(b.from, b.to, a.to))]
  if (a1 * a2 < 0 && b1 * b2 < 0) return true
  return isOn(b.from, a) || isOn(b.to, a) || isOn(a.from, b) || isOn(a.to, b)
}

/** The first two edges that meet and should not. */
const findContact = (rings: ReadonlyArray<Ring>): readonly [Edge, Edge] | undefined => {
  const edges = rings.flatMap((ring, r) =>
    ring.map((from, index): Edge => ({ ring: r, index, from, to: ring[(index + 1) % ring.length] as Position }))
  )
  const westOf = ({ from, to }: Edge) => Math.min(from[0], to[0])
  edges.sort((a, b) => westOf(a) - westOf(b))
  let open: Array<Edge> = []
  for (const edge of edges) {
    const west = westOf(edge)
    open = open.filter(({ from, to }) => Math.max(from[0], to[0]) >= west)
    for (const other of open) {
      const length = (rings[edge.ring] as Ring).length
      const [first, second] = (other.index + 1) % length === edge.index ? [other, edge] : [edge, other]
      if (edge.ring === other.ring && (first.index + 1) % length === second.index) {
        // Neighbours may share their position only.
        if (turn(first.from, first.to, second.to) === 0 && (isOn(second.to, first) || isOn(first.from, second))) {
          return [first, second]
        }
      } else if (meet(edge, other)) return [edge, other]
    }
    open.push(edge)
  }
  return undefined
}

const without = (ring: Ring, index: number): Ring => ring.filter((_, i) => i !== index)

/** Drops the position whose loss changes least, of those at two edges that meet. */
const dropPosition = (rings: ReadonlyArray<Ring>, contact: readonly [Edge, Edge]): ReadonlyArray<Ring> => {
  const loss = (edge: Edge, offset: number) => {
    const ring = rings[edge.ring] as Ring
    const index = (edge.index + offset) % ring.length
    const around = [ring.at(index - 1), ring[index], ring[(index + 1) % ring.length]] as [Position, Position, Position]
    return { ring: edge.ring, index, loss: Math.abs(turn(...around)) }
  }
  const [least] = contact.flatMap((edge) => [loss(edge, 0), loss(edge, 1)]).sort((a, b) => a.loss - b.loss)
  return rings.map((ring, r) => (r === least?.ring ? without(ring, least.index) : ring))
}

/** The polygon without contacts, or undefined when nothing is left of it. */
const repairPolygon = (polygon: Polygon): Polygon | undefined => {
  let rings: ReadonlyArray<Ring> = polygon
  for (let contact = findContact(rings); contact !== undefined; contact = findContact(rings)) {
    rings = dropPosition(rings, contact)
    const [outer] = rings
    if (outer === undefined || outer.length < 3) return undefined
    rings = rings.filter((ring) => ring.length >= 3)
  }
  const [outer, ...holes] = rings
  if (outer === undefined || areaOf(outer) === 0) return undefined
  const inside = holes.filter((hole) => isInside(hole[0] as Position, outer))
  const apart = inside.filter((hole) => !inside.some((other) => other !== hole && isInside(hole[0] as Position, other)))
  const turned = (ring: Ring, sign: number) => (areaOf(ring) * sign < 0 ? ring.toReversed() : ring)
  return [turned(outer, 1), ...apart.map((hole) => turned(hole, -1))]
}

const count = (polygons: ReadonlyArray<Polygon>) => polygons.flat().reduce((sum, ring) => sum + ring.length + 1, 0)

/** The polygons with the largest rings only. */
const largestRings = (polygons: ReadonlyArray<Polygon>): ReadonlyArray<Polygon> => {
  const sizes = polygons
    .flat()
    .map((ring) => Math.abs(areaOf(ring)))
    .sort((a, b) => b - a)
  const least = sizes[maxRings - 1] ?? 0
  return polygons
    .map((polygon) => polygon.filter((ring) => Math.abs(areaOf(ring)) >= least))
    .filter((polygon, i) => polygon[0] === polygons[i]?.[0] && polygon.length > 0)
    .slice(0, maxRings)
}

/** A valid area within the bounds, as near to the given one as they allow. */
export const repair = (polygons: ReadonlyArray<Polygon>, most = maxPositions): ReadonlyArray<Polygon> => {
  let kept = largestRings(polygons)
  for (let tolerance = 250; count(kept) > most; tolerance *= 1.4) {
    kept = kept.map((polygon) => simplify([{ rings: polygon, tolerance }])[0] as Polygon)
  }
  return kept.map(repairPolygon).filter((polygon) => polygon !== undefined)
}
