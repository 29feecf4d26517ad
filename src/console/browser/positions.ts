/**
 * Areas as people write them: a corner a line, as latitude and longitude; an empty line begins another polygon, and a line with `-` a hole
 * in the one above. GeoJSON is read, too. Forms are read and written by it, and so is the map that draws in them. Pure.
 */

/** Longitude and latitude in degrees, as GeoJSON has them. */
export type Position = readonly [longitude: number, latitude: number]

/** The corners of a polygon, then of its holes; none is repeated at the end. */
export type Rings = ReadonlyArray<ReadonlyArray<Position>>

/** A line of a text that stands for a corner. */
export interface Corner {
  /** From 1. */
  readonly line: number
  readonly text: string
  /** Undefined for a text that is no position. */
  readonly position: Position | undefined
}

const degrees = String.raw`([+-]?\d+(?:[.,]\d+)?)\s*°?`
const alone = new RegExp(`^${degrees}$`)
const corner = new RegExp(`^${degrees}\\s*[,;\\s]\\s*${degrees}$`)

/** The degrees in a text, with a point or a comma; undefined if it has none. */
export const degreesIn = (text: string): number | undefined => {
  const [, found] = alone.exec(text.trim()) ?? []
  return found === undefined ? undefined : Number(found.replace(",", "."))
}

const positionIn = (text: string): Position | undefined => {
  const [, latitude, longitude] = corner.exec(text) ?? []
  return latitude === undefined || longitude === undefined
    ? undefined
    : [Number(longitude.replace(",", ".")), Number(latitude.replace(",", "."))]
}

const isSame = (one: Corner | undefined, other: Corner | undefined) =>
  one?.position !== undefined &&
  other?.position !== undefined &&
  one.position[0] === other.position[0] &&
  one.position[1] === other.position[1]

/** The corners that a text has, by polygon and ring. A last corner that repeats the first one of its ring is left out. */
export const cornersIn = (text: string): ReadonlyArray<ReadonlyArray<ReadonlyArray<Corner>>> => {
  const polygons: Array<Array<Array<Corner>>> = [[[]]]
  for (const [index, line] of text.split("\n").entries()) {
    const trimmed = line.trim()
    if (trimmed === "") polygons.push([[]])
    else if (/^[-–—]$/.test(trimmed)) polygons.at(-1)?.push([])
    else
      polygons
        .at(-1)
        ?.at(-1)
        ?.push({ line: index + 1, text: trimmed, position: positionIn(trimmed) })
  }
  return polygons
    .map((rings) => rings.filter((ring) => ring.length > 0))
    .filter((rings) => rings.length > 0)
    .map((rings) => rings.map((ring) => (ring.length > 1 && isSame(ring[0], ring.at(-1)) ? ring.slice(0, -1) : ring)))
}

const degreesOf = (value: number) => String(Number(value.toFixed(7)))

/** The text of polygons. */
export const textOf = (polygons: ReadonlyArray<Rings>): string =>
  polygons
    .map((rings) =>
      rings
        .map((ring) =>
          ring.map(([longitude, latitude]) => `${degreesOf(latitude)}, ${degreesOf(longitude)}`).join("\n")
        )
        .join("\n-\n")
    )
    .join("\n\n")

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "number"

const open = (ring: unknown): ReadonlyArray<Position> =>
  Array.isArray(ring) ? ring.filter(isPosition).slice(0, -1) : []

/** The polygons of GeoJSON whose rings are closed; none of what is something else. */
export const polygonsOf = (geography: unknown): ReadonlyArray<Rings> => {
  if (typeof geography !== "object" || geography === null) return []
  const { coordinates, type } = geography as { readonly coordinates?: unknown; readonly type?: unknown }
  const polygons: unknown = type === "Polygon" ? [coordinates] : coordinates
  return Array.isArray(polygons) ? polygons.map((rings) => (Array.isArray(rings) ? rings.map(open) : [])) : []
}

/** What a text says in GeoJSON; the text itself where that is none. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether a text is meant as GeoJSON. */
export const isJson = (text: string): boolean => text.trimStart().startsWith("{")

/** The polygons of a text, without the lines that are no corners. */
export const polygonsIn = (text: string): ReadonlyArray<Rings> =>
  isJson(text)
    ? polygonsOf(jsonIn(text))
    : cornersIn(text).map((rings) =>
        rings.map((ring) => ring.flatMap(({ position }) => (position === undefined ? [] : [position])))
      )
