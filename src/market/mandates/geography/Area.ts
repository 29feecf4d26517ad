/** Areas on the Earth as the service keeps and compares them. */
import { partsPerDegree } from "../../../core/fields/Place.ts"

/** Coordinates are whole numbers of this many parts of a degree. */
export const unitsPerDegree = partsPerDegree

/** 180° in units. */
export const halfTurn = 180 * unitsPerDegree

/** 90° in units. */
export const quarterTurn = 90 * unitsPerDegree

/** The radius in metres of the sphere on which distances are measured. */
export const earthRadius = 6_371_008.8

/**
 * A closed ring: longitude and latitude of each position in turn, in units; the last position repeats the first. Edges
 * are straight in longitude and latitude.
 */
export type Ring = Int32Array

/** A rectangle in units; its sides belong to it. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** One part of an area: the outer ring, counterclockwise, then its holes, clockwise. Their edges belong to the part. */
export interface Polygon {
  readonly rings: ReadonlyArray<Ring>
  readonly box: Box
}

/** The union of polygons, which may overlap. */
export interface Polygons {
  readonly kind: "polygons"
  readonly polygons: ReadonlyArray<Polygon>
}

/** All within a distance of a point. With radius 0, a point. */
export interface Circle {
  readonly kind: "circle"
  /** In units. */
  readonly longitude: number
  /** In units. */
  readonly latitude: number
  /** In metres on the sphere. */
  readonly radius: number
}

/** What a mandate, or a search, covers. */
export type Area = Polygons | Circle

/** Degrees as units. Never -0. */
export const toUnits = (degrees: number): number => Math.round(degrees * unitsPerDegree) + 0

/** Units as degrees. */
export const toDegrees = (units: number): number => units / unitsPerDegree

/** A circle around a point in degrees; its radius is in metres. */
export const circleAt = (longitude: number, latitude: number, radius: number): Circle => ({
  kind: "circle",
  longitude: toUnits(longitude),
  latitude: toUnits(latitude),
  radius
})

/** A point in degrees, as an area. */
export const pointAt = (longitude: number, latitude: number): Circle => circleAt(longitude, latitude, 0)

const boxOfRing = (ring: Ring): Box => {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i] as number
    const y = ring[i + 1] as number
    if (x < west) west = x
    if (x > east) east = x
    if (y < south) south = y
    if (y > north) north = y
  }
  return { west, south, east, north }
}

/** A polygon of valid rings, with its box. */
export const polygonOf = (rings: ReadonlyArray<Ring>): Polygon => ({
  rings,
  box: boxOfRing(rings[0] ?? new Int32Array())
})
