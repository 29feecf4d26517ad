/** Outlines as rings on a grid: measured, simplified, joined, made valid, and widened to the territories of countries. Pure. */
import { partsPerDegree } from "../format.ts"
import { Clipper, EndType, FillRule, JoinType, type Paths64 } from "clipper2-ts"

/** Longitude and latitude in parts of a degree. */
export type Position = readonly [x: number, y: number]

/** An open ring: its last position is not its first. */
export type Ring = ReadonlyArray<Position>

/** An outer ring, counterclockwise, then its holes, clockwise. */
export type Polygon = ReadonlyArray<Ring>

const [halfTurn, quarterTurn] = [180 * partsPerDegree, 90 * partsPerDegree]
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

// Areas that share borders: simplified alike on both sides, and joined along them.

const edgesOf = (ring: Ring) => ring.map((from, i) => [from, ring[(i + 1) % ring.length] as Position] as const)

/** The positions in which borders of three areas meet: those whose neighbours differ from ring to ring. */
const junctionsOf = (rings: Iterable<Ring>): ReadonlySet<number> => {
  const neighbours = new Map<number, readonly [number, number]>()
  const junctions = new Set<number>()
  for (const ring of rings) {
    const keys = ring.map(keyOf)
    for (const [i, key] of keys.entries()) {
      const a = keys.at(i - 1) as number
      const b = keys[(i + 1) % keys.length] as number
      const pair = a < b ? ([a, b] as const) : ([b, a] as const)
      const known = neighbours.get(key)
      if (known === undefined) neighbours.set(key, pair)
      else if (known[0] !== pair[0] || known[1] !== pair[1]) junctions.add(key)
    }
  }
  return junctions
}

/** The arcs of a ring: from junction to junction, or, in a ring without one, all of it from its smallest position. */
const arcsOf = (ring: Ring, junctions: ReadonlySet<number>): ReadonlyArray<ReadonlyArray<Position>> => {
  const keys = ring.map(keyOf)
  const atJunction = keys.findIndex((key) => junctions.has(key))
  const start = atJunction === -1 ? keys.indexOf(keys.reduce((a, b) => Math.min(a, b))) : atJunction
  const turned = [...ring.slice(start), ...ring.slice(0, start), ring[start] as Position]
  const arcs: Array<ReadonlyArray<Position>> = []
  let from = 0
  for (let i = 1; i < turned.length; i += 1) {
    if (i < turned.length - 1 && !junctions.has(keyOf(turned[i] as Position))) continue
    arcs.push(turned.slice(from, i + 1))
    from = i
  }
  return arcs
}

/** Douglas and Peucker's: drops what is nearer than `tolerance` metres to the line between what stays. */
const simplifyLine = (line: ReadonlyArray<Position>, tolerance: number): ReadonlyArray<Position> => {
  const kept = new Uint8Array(line.length)
  const stack: Array<readonly [number, number]> = [[0, line.length - 1]]
  kept[0] = 1
  kept[line.length - 1] = 1
  for (let range = stack.pop(); range !== undefined; range = stack.pop()) {
    const [first, last] = range
    let [farthest, distance] = [-1, tolerance]
    for (let i = first + 1; i < last; i += 1) {
      const away = distanceToLine(line[i] as Position, line[first] as Position, line[last] as Position)
      if (away > distance) [farthest, distance] = [i, away]
    }
    if (farthest === -1) continue
    kept[farthest] = 1
    stack.push([first, farthest], [farthest, last])
  }
  return line.filter((_, i) => kept[i] === 1)
}

const isForwards = (arc: ReadonlyArray<Position>): boolean => {
  const [first, last] = [keyOf(arc[0] as Position), keyOf(arc.at(-1) as Position)]
  return first === last ? keyOf(arc[1] as Position) <= keyOf(arc.at(-2) as Position) : first < last
}

/** An arc begins and ends with an edge that no other has. */
const nameOf = (arc: ReadonlyArray<Position>) =>
  [arc[0], arc[1], arc.at(-2), arc.at(-1)].map((position) => keyOf(position as Position)).join(" ")

/** An area before it is simplified, and by how many metres its border may move. */
export interface Simplifiable {
  readonly rings: ReadonlyArray<Ring>
  readonly tolerance: number
}

/** The rings of each area with fewer positions. Where two areas share a border, the smaller tolerance holds for both. */
export const simplify = (areas: ReadonlyArray<Simplifiable>): ReadonlyArray<ReadonlyArray<Ring>> => {
  const junctions = junctionsOf(areas.flatMap(({ rings }) => rings))
  const directed = areas.map(({ rings, tolerance }) => ({
    tolerance,
    rings: rings.map((ring) =>
      arcsOf(ring, junctions).map((arc) => {
        const forwards = isForwards(arc)
        const line = forwards ? arc : arc.toReversed()
        return { forwards, line, name: nameOf(line) }
      })
    )
  }))
  const tolerances = new Map<string, number>()
  for (const { rings, tolerance } of directed) {
    for (const { name } of rings.flat()) tolerances.set(name, Math.min(tolerance, tolerances.get(name) ?? tolerance))
  }
  return directed.map(({ rings }) => {
    const simplified = rings.map((arcs) =>
      arcs.flatMap(({ forwards, line, name }) => {
        const short = simplifyLine(line, tolerances.get(name) as number)
        return (forwards ? short : short.toReversed()).slice(0, -1)
      })
    )
    const whole = simplified.filter((ring) => ring.length >= 3)
    // An islet that is its whole area stays as it was.
    return whole.length > 0
      ? whole
      : rings.map((arcs) => arcs.flatMap(({ forwards, line }) => (forwards ? line : line.toReversed()).slice(0, -1)))
  })
}

const angle = ([ax, ay]: Position, [bx, by]: Position) => Math.atan2(by - ay, bx - ax)

/** The union of areas that overlap nowhere: the edges that only one of them has. */
export const dissolve = (rings: ReadonlyArray<Ring>): ReadonlyArray<Polygon> => {
  const next = new Map<number, Set<number>>()
  for (const ring of rings) {
    for (const [from, to] of edgesOf(ring)) {
      const [a, b] = [keyOf(from), keyOf(to)]
      if (next.get(b)?.delete(a) === true) continue
      const ends = next.get(a)
      if (ends === undefined) next.set(a, new Set([b]))
      else ends.add(b)
    }
  }
  const joined: Array<Ring> = []
  for (const start of [...next.keys()].sort((a, b) => a - b)) {
    while ((next.get(start)?.size ?? 0) > 0) joined.push(...walk(start, next))
  }
  return polygonsOf(joined.filter((ring) => ring.length >= 3 && Math.abs(areaOf(ring)) > 0.01))
}

/** Follows edges until none is left, and cuts off a ring at each position that it comes back to. */
const walk = (start: number, next: Map<number, Set<number>>): ReadonlyArray<Ring> => {
  const rings: Array<Ring> = []
  const path = [start]
  const places = new Map([[start, 0]])
  for (;;) {
    const key = path.at(-1) as number
    const ends = next.get(key)
    if (ends === undefined || ends.size === 0) return rings
    const here = positionOf(key)
    const back = path.length > 1 ? angle(here, positionOf(path.at(-2) as number)) : 0
    // With the inside at the left, the same inside goes on at the first edge clockwise.
    const clockwise = (end: number) => (back - angle(here, positionOf(end)) + 4 * Math.PI) % (2 * Math.PI)
    const [end] = [...ends].sort((a, b) => clockwise(a) - clockwise(b)) as [number]
    ends.delete(end)
    const known = places.get(end)
    if (known === undefined) {
      places.set(end, path.length)
      path.push(end)
      continue
    }
    const ring = path.splice(known + 1)
    for (const passed of ring) places.delete(passed)
    rings.push([end, ...ring].map(positionOf))
  }
}

// Makes outlines valid: no ring meets itself or another of its polygon, and they stay within the bounds of an area.

/** Below the 5,000 positions and 200 rings that an area may have: assemble.ts adds up to 60 polygons of 9. */
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

// The territory of a country: its outline, and what lies up to 25 km off its coast and in no other country.

/** How far off its coast a country reaches, in parts of a degree of latitude: 25 km. */
const reach = (25 / 111.195) * partsPerDegree

/** By how much a circle of that radius may be dented: 250 m. Its corners are on the circle. */
const dent = reach / 100

/** Nothing is added to a territory: it may have as many positions as an area. */
const maxTerritoryPositions = 4_990

/** What a territory is made of. */
export interface Coast {
  /** The rings of the country before small islands were left out. */
  readonly rings: ReadonlyArray<Ring>
  readonly outline: ReadonlyArray<Polygon>
  /** The centres of its towns. */
  readonly towns: ReadonlyArray<Position>
}

const pathsOf = (rings: ReadonlyArray<Ring>): Paths64 => rings.map((ring) => ring.map(([x, y]) => ({ x, y })))

const ringsOf = (paths: Paths64): ReadonlyArray<Ring> => paths.map((path) => path.map(({ x, y }): Position => [x, y]))

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const boxOf = (paths: Paths64): Box => Clipper.getBoundsPaths(paths)

const meets = (a: Box, b: Box) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom

const shifted = (paths: Paths64, scale: number): Paths64 =>
  paths.map((path) => path.map(({ x, y }) => ({ x: Math.round(x * scale), y })))

/** Bands of latitude in which a degree of longitude has nearly one length. */
const bandHeight = (latitude: number) =>
  Math.abs(latitude) < 60 * partsPerDegree ? partsPerDegree : partsPerDegree / 4

/** All within reach of an area, band by band; it may go beyond 180°. */
const around = (paths: Paths64): Paths64 => {
  const { bottom, left, right, top } = boxOf(paths)
  const buffers: Paths64 = []
  for (let from = top, to = top; from < bottom || from === top; from = to) {
    to = from + bandHeight(from)
    const band = Clipper.rectClip({ left, right, top: from, bottom: to }, paths)
    const shrink = Math.max(0.02, Math.cos(((from + to) / 2 / partsPerDegree) * (Math.PI / 180)))
    const buffer = Clipper.inflatePaths(shifted(band, shrink), reach, JoinType.Round, EndType.Polygon, 2, dent)
    buffers.push(...shifted(buffer, 1 / shrink))
  }
  return Clipper.union(buffers, FillRule.NonZero)
}

const world = { left: -halfTurn, right: halfTurn, top: -quarterTurn, bottom: quarterTurn }

/** What is beyond 180° is on the other side. */
const onEarth = (paths: Paths64): Paths64 =>
  Clipper.union(
    [-2 * halfTurn, 0, 2 * halfTurn].flatMap((turn) => Clipper.rectClip(world, Clipper.translatePaths(paths, turn, 0))),
    FillRule.NonZero
  )

const islet = ([x, y]: Position): Ring => [
  [x - 1, y - 1],
  [x + 1, y - 1],
  [x + 1, y + 1],
  [x - 1, y + 1]
]

/** The territories of countries, in their order. */
export const territoriesOf = (countries: ReadonlyArray<Coast>): ReadonlyArray<ReadonlyArray<Polygon>> => {
  const outlines = countries.map(({ outline }) => {
    const paths = pathsOf(outline.flat())
    return { paths, box: boxOf(paths) }
  })
  return countries.map(({ outline, rings, towns }, index) => {
    // The islands of some towns are on no map of this scale.
    const islets = towns.filter(
      (town) => !outline.some((polygon) => polygon.filter((ring) => isInside(town, ring)).length % 2 === 1)
    )
    const all = pathsOf([...rings, ...outline.flat(), ...islets.map(islet)])
    const waters = onEarth(around(Clipper.union(all, FillRule.NonZero)))
    const box = boxOf(waters)
    const others = outlines.filter((other, at) => at !== index && meets(other.box, box)).flatMap(({ paths }) => paths)
    const off = Clipper.difference(waters, Clipper.union(others, FillRule.NonZero), FillRule.NonZero)
    const own = outlines[index]?.paths ?? []
    return repair(polygonsOf(ringsOf(Clipper.union([...off, ...own], FillRule.NonZero))), maxTerritoryPositions)
  })
}
