/** Reads and normalizes GeoJSON, and says what is wrong with it. */
import { Predicate, Result } from "effect"
import { type Polygon, polygonOf, type Polygons } from "./Area.ts"
import { type GeographyFault, maxFaults } from "./GeographyFault.ts"
import { readRing, type SourceRing } from "./readRing.ts"
import { topologyFault } from "./topology.ts"
import { wind } from "./wind.ts"

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
