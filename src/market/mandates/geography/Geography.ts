/** The GeoJSON of an area, as clients send and read it. */
import { Result, Schema, SchemaIssue } from "effect"
import type { FaultValues } from "../../../core/fields/FaultCode.ts"
import { Degrees } from "../../../core/fields/Place.ts"
import { check } from "../../../core/fields/Text.ts"
import {
  type Area,
  type Circle,
  earthRadius,
  halfTurn,
  type Polygons,
  quarterTurn,
  type Ring,
  toDegrees,
  radiansPerUnit
} from "./Area.ts"
import { maxPositions, maxRings, parseGeography, parseValidated } from "./parseGeography.ts"
import { wind } from "./geometry.ts"

/** Longitude and latitude in degrees. */
type Position = readonly [longitude: number, latitude: number]

/** A polygon: the outer ring, then holes. */
type PolygonCoordinates = ReadonlyArray<ReadonlyArray<Position>>

/** A Polygon or MultiPolygon of RFC 7946. */
export type Geography =
  | { readonly type: "Polygon"; readonly coordinates: PolygonCoordinates }
  | { readonly type: "MultiPolygon"; readonly coordinates: ReadonlyArray<PolygonCoordinates> }

/** All positions of its rings. */
export const positionsOf = ({ coordinates, type }: Geography): ReadonlyArray<Position> =>
  type === "Polygon" ? coordinates.flat() : coordinates.flat(2)

/** The box around positions, in degrees. */
export const bboxOf = (
  positions: ReadonlyArray<Position>
): readonly [west: number, south: number, east: number, north: number] => {
  const longitudes = positions.map(([longitude]) => longitude)
  const latitudes = positions.map(([, latitude]) => latitude)
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)]
}

const position = {
  type: "array",
  items: { type: "number" },
  minItems: 2,
  description: "Longitude and latitude in degrees (WGS 84). A third number, the altitude, is dropped.",
  examples: [[11.5755, 48.1372]]
}

const polygon = {
  type: "array",
  items: { type: "array", items: position, minItems: 4 },
  minItems: 1,
  description: "The outer ring, then its holes. The last position of a ring repeats the first."
}

const geometry = (type: string, coordinates: object) => ({
  type: "object",
  properties: {
    type: { type: "string", enum: [type] },
    coordinates,
    bbox: { type: "array", items: { type: "number" }, description: "Is ignored, and never answered." }
  },
  required: ["type", "coordinates"],
  additionalProperties: false
})

const jsonSchema = {
  oneOf: [
    geometry("Polygon", polygon),
    geometry("MultiPolygon", {
      type: "array",
      items: polygon,
      minItems: 1,
      description: "The parts, which may overlap."
    })
  ]
}

const example: Geography = {
  type: "Polygon",
  coordinates: [
    [
      [11.36, 48.06],
      [11.72, 48.06],
      [11.72, 48.25],
      [11.36, 48.25],
      [11.36, 48.06]
    ]
  ]
}

const isGeography = Schema.makeFilter<Schema.Json>(
  (value) => {
    const parsed = parseGeography(value)
    return Result.isSuccess(parsed)
      ? undefined
      : parsed.failure.map(({ code, detail, other, path }) => ({
          path,
          issue: new SchemaIssue.InvalidValue({
            message: detail,
            code,
            ...(other === undefined ? {} : { values: { other } satisfies FaultValues })
          })
        }))
  },
  { toJsonSchema: () => jsonSchema }
)

/** Validates GeoJSON with {@link parseGeography}, so that faults point to positions. It does not normalize. */
export const Geography = Schema.Json.check(isGeography).annotate({
  identifier: "Geography",
  description: `An area as a GeoJSON Polygon or MultiPolygon (RFC 7946) of at most ${maxPositions.toLocaleString("en")} positions in ${maxRings} rings, all parts counted together. Edges are straight in longitude and latitude. Rings must be closed and must not cross or touch themselves; holes lie inside and may touch other rings in points only. Cut an area that crosses the antimeridian into a MultiPolygon there: an edge that spans more than 180° is rejected unless it goes from -180 to 180. Coordinates are rounded to seven decimals; altitudes, \`bbox\` and repeated positions are dropped; the winding of rings is corrected. \`crs\` is rejected.`,
  examples: [example]
})

/** The area of a geography that {@link Geography} validated. */
export const areaOf = (geography: Schema.Json): Polygons => Result.getOrThrow(parseValidated(geography))

/** The smallest and the greatest radius of a circle, in metres. */
export const [minRadius, maxRadius] = [100, 500_000]

const degrees = (name: string, limit: 90 | 180, example: number) =>
  Degrees(limit, "coordinate_out_of_range").annotate({
    description: `The ${name} in degrees (WGS 84).`,
    examples: [example]
  })

/** The centre of a circle. */
export const Near = Schema.Struct({
  latitude: degrees("latitude", 90, 48.1372),
  longitude: degrees("longitude", 180, 11.5755)
}).annotate({
  identifier: "Near",
  description: "The centre of a circle. Coordinates are rounded to seven decimals.",
  examples: [{ latitude: 48.1372, longitude: 11.5755 }]
})
export type Near = typeof Near.Type

/** The radius of a circle. */
export const Radius = Schema.Finite.check(
  check(
    "invalid_radius",
    `Must be from ${minRadius} to ${maxRadius} metres.`,
    (value: number) => value >= minRadius && value <= maxRadius,
    { minimum: minRadius, maximum: maxRadius }
  )
).annotate({
  description: "The radius in metres, measured on a sphere with a radius of 6,371,008.8 m.",
  examples: [25_000]
})

// What reads answer for an area.

const degreesOf = (ring: Ring) =>
  Array.from({ length: ring.length / 2 }, (_, index): readonly [number, number] => [
    toDegrees(ring[2 * index] as number),
    toDegrees(ring[2 * index + 1] as number)
  ])

const outlineOf = (circle: Circle): ReadonlyArray<ReadonlyArray<Ring>> => circleOutline(circle).map((ring) => [ring])

/**
 * The geography of an area: what was parsed, normalized, or polygons whose positions lie on the circle. Parsing it again
 * gives the same geography.
 */
export const geographyOf = (area: Area): Geography => {
  const polygons = area.kind === "circle" ? outlineOf(area) : area.polygons.map(({ rings }) => rings)
  const coordinates: ReadonlyArray<PolygonCoordinates> = polygons.map((rings) => rings.map(degreesOf))
  const [first, ...others] = coordinates
  return first !== undefined && others.length === 0
    ? { type: "Polygon", coordinates: first }
    : { type: "MultiPolygon", coordinates }
}

// Circles on the sphere as rings of straight edges: for maps only, since circles are compared as circles.

/** The number of positions on a circle. */
const steps = 64

type Point = readonly [x: number, y: number]

/** A closed ring without repeated positions; undefined when it has no area. */
const closed = (positions: ReadonlyArray<Point>): Ring | undefined => {
  const rounded = positions.map(([x, y]): Point => [Math.round(x), Math.round(y)])
  const distinct = rounded.filter(([x, y], index) => {
    const [beforeX, beforeY] = rounded.at(index - 1) ?? []
    return x !== beforeX || y !== beforeY
  })
  const [first] = distinct
  return first === undefined || distinct.length < 3
    ? undefined
    : wind(Int32Array.from([...distinct, first].flat()), true)
}

/** A position on a circle, at a bearing given in steps from the north; its longitude may be beyond 180°. */
const positionAt = ({ latitude, longitude, radius }: Circle, step: number): Point => {
  const [phi, angle] = [latitude * radiansPerUnit, radius / earthRadius]
  // On the meridian of the centre, rounding must not turn the position around a pole that the circle nearly reaches.
  if (step % (steps / 2) === 0) return [longitude, latitude + (step === 0 ? angle : -angle) / radiansPerUnit]
  const bearing = (2 * Math.PI * step) / steps
  const sine = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(bearing)
  const east = Math.sin(bearing) * Math.sin(angle) * Math.cos(phi)
  const dx = Math.atan2(east, Math.cos(angle) - Math.sin(phi) * sine)
  return [longitude + dx / radiansPerUnit, Math.asin(sine) / radiansPerUnit]
}

/** The latitude of a circle around a pole at a longitude: beside the pole at most, so that the outline does not touch itself. */
const latitudeAt = ({ latitude, longitude, radius }: Circle, x: number): number => {
  const phi = latitude * radiansPerUnit
  const [sine, cosine] = [Math.sin(phi), Math.cos(phi) * Math.cos((x - longitude) * radiansPerUnit)]
  const towardsPole = Math.acos(Math.min(1, Math.cos(radius / earthRadius) / Math.hypot(sine, cosine)))
  const y = Math.atan2(sine, cosine) - Math.sign(latitude) * towardsPole
  return Math.max(1 - quarterTurn, Math.min(quarterTurn - 1, y / radiansPerUnit))
}

/** A circle that contains a pole: from -180 to 180, and back along the pole. */
const aroundPole = (circle: Circle): ReadonlyArray<Point> => {
  const pole = Math.sign(circle.latitude) * quarterTurn
  const onCircle = Array.from({ length: steps + 1 }, (_, step): Point => {
    const x = -halfTurn + (step * 2 * halfTurn) / steps
    return [x, latitudeAt(circle, x)]
  })
  return [...onCircle, [halfTurn, pole], [-halfTurn, pole]]
}

/** The part of a ring on one side of a meridian, with the positions where its edges cross it. */
const partOf = (positions: ReadonlyArray<Point>, meridian: number, sign: number): ReadonlyArray<Point> =>
  positions.flatMap(([x, y], index) => {
    const [nextX, nextY] = positions[(index + 1) % positions.length] as Point
    const isIn = sign * (x - meridian) >= 0
    const at = (meridian - x) / (nextX - x)
    const crossing: ReadonlyArray<Point> =
      isIn === sign * (nextX - meridian) >= 0 ? [] : [[meridian, y + at * (nextY - y)]]
    return [...(isIn ? [[x, y] as const] : []), ...crossing]
  })

/** The outer rings of polygons with the outline of a circle: two where it crosses the antimeridian. */
export const circleOutline = (circle: Circle): ReadonlyArray<Ring> => {
  const fromPole = (quarterTurn - Math.abs(circle.latitude)) * radiansPerUnit
  const isAroundPole = fromPole <= circle.radius / earthRadius
  const positions = isAroundPole
    ? aroundPole(circle)
    : Array.from({ length: steps }, (_, step) => positionAt(circle, step))
  const parts = [-2 * halfTurn, 0, 2 * halfTurn].map((shift) => {
    const shifted = positions.map(([x, y]): Point => [x + shift, y])
    return closed(partOf(partOf(shifted, -halfTurn, 1), halfTurn, -1))
  })
  return parts.filter((ring) => ring !== undefined)
}
