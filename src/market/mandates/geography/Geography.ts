/** The GeoJSON of an area, as clients send and read it. */
import { Result, Schema, SchemaIssue } from "effect"
import { Degrees } from "../../../core/fields/Place.ts"
import { check } from "../../../core/fields/Text.ts"
import type { Polygons } from "./Area.ts"
import { maxPositions, maxRings, parseGeography, parseValidated } from "./parseGeography.ts"

/** Longitude and latitude in degrees. */
type Position = readonly [longitude: number, latitude: number]

/** A polygon: the outer ring, then holes. */
export type PolygonCoordinates = ReadonlyArray<ReadonlyArray<Position>>

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
      : parsed.failure.map(({ code, detail, path }) => ({
          path,
          issue: new SchemaIssue.InvalidValue({ message: detail, code })
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
