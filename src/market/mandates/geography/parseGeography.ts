/** Reads and normalizes GeoJSON, and says what is wrong with it, and where. */
import { Predicate, Result } from "effect"
import type { FaultCode } from "../../../core/fields/FaultCode.ts"
import { halfTurn, type Polygon, polygonOf, type Polygons, type Ring, toDegrees, toUnits } from "./Area.ts"
import { crossings, setEdge, side, sweep, wind } from "./geometry.ts"
import { isWithinDegrees } from "../../../core/fields/Place.ts"

/** What is wrong with a geography; `path` leads from the geography to the position or member. */
export interface GeographyFault {
  readonly path: ReadonlyArray<string | number>
  readonly code: FaultCode
  readonly detail: string
  /** Of crossings and of holes in holes: the path of the other one. */
  readonly other?: ReadonlyArray<string | number>
}

/** Faults beyond this number are left out: a refusal does not show more. */
export const maxFaults = 100

/** The maximum number of positions of a geography, those that close rings included. */
export const maxPositions = 5_000

/** The maximum number of rings of a geography. */
export const maxRings = 200

type Path = ReadonlyArray<string | number>

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

/** What exceeds the limits, counted before anything is read. */
const complexityFault = (parts: ReadonlyArray<unknown>): GeographyFault | undefined => {
  let rings = 0
  let positions = 0
  for (const part of parts) {
    rings += lengthOf(part)
    if (rings > maxRings) break
    for (const ring of Array.isArray(part) ? part : []) positions += lengthOf(ring)
  }
  return rings > maxRings || positions > maxPositions || parts.length > maxRings
    ? {
        path: ["coordinates"],
        code: "area_too_complex",
        detail: `Must have at most ${maxPositions} positions in at most ${maxRings} rings, all parts counted together.`
      }
    : undefined
}

/** What is wrong with how the rings of a polygon lie. */
type Topology = (rings: ReadonlyArray<SourceRing>) => GeographyFault | undefined

const readPart = (
  value: unknown,
  path: Path,
  topology: Topology,
  faults: Array<GeographyFault>
): Polygon | undefined => {
  if (!Array.isArray(value)) {
    faults.push({ path, code: "wrong_type", detail: "Must be an array of rings." })
    return undefined
  }
  if (value.length === 0) {
    faults.push({ path, code: "too_few_positions", detail: "Must have at least one ring." })
    return undefined
  }
  const rings: Array<SourceRing> = []
  for (const [index, ring] of value.entries()) {
    if (faults.length >= maxFaults) return undefined
    const read = readRing(ring, [...path, index], faults)
    if (read !== undefined) rings.push(read)
  }
  if (rings.length < value.length) return undefined
  const fault = topology(rings)
  if (fault !== undefined) {
    faults.push(fault)
    return undefined
  }
  return polygonOf(rings.map(({ ring }, index) => wind(ring, index === 0)))
}

const knownMembers = new Set(["type", "coordinates", "bbox"])

const memberFaults = (geography: object): ReadonlyArray<GeographyFault> =>
  Object.keys(geography)
    .filter((name) => !knownMembers.has(name))
    .slice(0, maxFaults)
    .map((name) => ({
      path: [name],
      code: "unknown_member",
      detail:
        name === "crs"
          ? "Must be left out: coordinates are longitude and latitude in WGS 84."
          : "Unknown member. Known names: type, coordinates, bbox."
    }))

const typeFault = (type: unknown): GeographyFault => {
  const hint = type === "Feature" ? " Send the feature's `geometry`." : ""
  return type === undefined
    ? { path: ["type"], code: "required", detail: "Is required." }
    : { path: ["type"], code: "not_allowed", detail: `Must be one of: Polygon, MultiPolygon.${hint}` }
}

const read = (value: unknown, topology: Topology): Result.Result<Polygons, ReadonlyArray<GeographyFault>> => {
  if (!Predicate.isObject(value)) return Result.fail([{ path: [], code: "wrong_type", detail: "Must be an object." }])
  const { coordinates, type } = value as { readonly coordinates?: unknown; readonly type?: unknown }
  const faults: Array<GeographyFault> = [...memberFaults(value)]
  if (type !== "Polygon" && type !== "MultiPolygon") return Result.fail([typeFault(type)])
  if (!Array.isArray(coordinates)) {
    const code = coordinates === undefined ? "required" : "wrong_type"
    return Result.fail([
      ...faults,
      { path: ["coordinates"], code, detail: code === "required" ? "Is required." : "Must be an array." }
    ])
  }
  const parts: ReadonlyArray<unknown> = type === "Polygon" ? [coordinates] : coordinates
  const tooComplex = complexityFault(parts)
  if (tooComplex !== undefined) return Result.fail([...faults, tooComplex])
  if (parts.length === 0) {
    return Result.fail([
      ...faults,
      { path: ["coordinates"], code: "too_few_positions", detail: "Must have at least one polygon." }
    ])
  }
  const polygons: Array<Polygon> = []
  for (const [index, part] of parts.entries()) {
    const path = type === "Polygon" ? ["coordinates"] : ["coordinates", index]
    const polygon = faults.length < maxFaults ? readPart(part, path, topology, faults) : undefined
    if (polygon !== undefined) polygons.push(polygon)
  }
  return faults.length > 0 ? Result.fail(faults) : Result.succeed({ kind: "polygons", polygons })
}

/**
 * The area of a GeoJSON Polygon or MultiPolygon, or all its faults; of a polygon whose rings lie wrong, the first one. Coordinates
 * are rounded to units, altitudes and repeated positions are dropped, and rings are wound as RFC 7946 has them.
 */
export const parseGeography = (value: unknown): Result.Result<Polygons, ReadonlyArray<GeographyFault>> =>
  read(value, topologyFault)

/** As {@link parseGeography}, of what it accepted before: how rings lie is not checked again, which takes most of the time. */
export const parseValidated = (geography: unknown): Result.Result<Polygons, ReadonlyArray<GeographyFault>> =>
  read(geography, () => undefined)

// Reads the positions of one ring.

/** A ring as read, with where in the request its positions are. */
export interface SourceRing {
  readonly ring: Ring
  /** From the geography to the ring. */
  readonly path: ReadonlyArray<string | number>
  /** The index, as sent, of each position. Repeated positions are dropped, so it can be greater than the position's own. */
  readonly indexes: Int32Array
}

const isRange = (value: unknown, max: number): value is number =>
  typeof value === "number" && isWithinDegrees(value, max)

const positionFault = (position: unknown, path: ReadonlyArray<string | number>): GeographyFault => {
  const [longitude, latitude] = Array.isArray(position) ? (position as ReadonlyArray<unknown>) : []
  if (typeof longitude !== "number" || typeof latitude !== "number") {
    return { path, code: "wrong_type", detail: "Must be a position: an array of longitude and latitude in degrees." }
  }
  const hint = isRange(longitude, 90) && isRange(latitude, 180) ? " Are the two swapped? Longitude comes first." : ""
  return {
    path,
    code: "coordinate_out_of_range",
    detail: `Longitude must be from -180 to 180, latitude from -90 to 90.${hint}`
  }
}

const isPosition = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && isRange(value[0], 180) && isRange(value[1], 90)

/** Whether the longitudes of an edge leave open which way round the Earth it goes. */
const isAmbiguous = (from: number, to: number): boolean => {
  const span = Math.abs(to - from)
  return span > halfTurn && span !== 2 * halfTurn
}

const format = (x: number, y: number) => `[${toDegrees(x)}, ${toDegrees(y)}]`

/**
 * A ring without repeated positions, or undefined when it has a fault, which is added to `faults`. Altitudes are dropped.
 */
export const readRing = (
  value: unknown,
  path: ReadonlyArray<string | number>,
  faults: Array<GeographyFault>
): SourceRing | undefined => {
  const before = faults.length
  const report = (index: number | undefined, code: GeographyFault["code"], detail: string) => {
    faults.push({ path: index === undefined ? path : [...path, index], code, detail })
    return undefined
  }
  if (!Array.isArray(value) || typeof value[0] === "number")
    return report(undefined, "wrong_type", "Must be a ring: an array of positions.")
  const positions: ReadonlyArray<unknown> = value
  const ring = new Int32Array(2 * positions.length)
  const indexes = new Int32Array(positions.length)
  let length = 0
  for (const [index, position] of positions.entries()) {
    if (!isPosition(position)) {
      faults.push(positionFault(position, [...path, index]))
      if (faults.length >= maxFaults) return undefined
      continue
    }
    const [x, y] = [toUnits(position[0]), toUnits(position[1])]
    if (length > 0 && ring[2 * length - 2] === x && ring[2 * length - 1] === y) continue
    ring[2 * length] = x
    ring[2 * length + 1] = y
    indexes[length] = index
    length += 1
  }
  if (faults.length > before) return undefined
  if (positions.length < 4) {
    return report(undefined, "too_few_positions", "Must have at least four positions, of which the last is the first.")
  }
  const [firstX = 0, firstY = 0] = ring
  if (ring[2 * length - 2] !== firstX || ring[2 * length - 1] !== firstY) {
    return report(positions.length - 1, "ring_not_closed", `Must repeat the first position, ${format(firstX, firstY)}.`)
  }
  if (length < 4) return report(undefined, "too_few_positions", "Must have at least three different positions.")
  for (let i = 1; i < length; i += 1) {
    if (!isAmbiguous(ring[2 * i - 2] as number, ring[2 * i] as number)) continue
    report(
      indexes[i],
      "ambiguous_edge",
      "The edge to this position spans more than 180° of longitude. Cut an area that crosses the antimeridian into a MultiPolygon there, or, if the long way is meant, add a position between."
    )
    if (faults.length >= maxFaults) return undefined
  }
  return faults.length > before
    ? undefined
    : { ring: ring.slice(0, 2 * length), path, indexes: indexes.slice(0, length) }
}

// Whether the rings of a polygon lie as they must: none crosses another or itself, and the holes lie inside.

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
      : `The edge from here crosses or overlaps the one from ${pointer(one.path)}; rings may touch in points only.`,
    other: one.path
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
      return {
        path: hole.path,
        code: "holes_overlap",
        detail: `Must not lie inside the hole ${pointer(around.path)}.`,
        other: around.path
      }
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
