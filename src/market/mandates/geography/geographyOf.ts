/** The GeoJSON that reads answer for an area. */
import {
  type Area,
  type Circle,
  earthRadius,
  halfTurn,
  quarterTurn,
  type Ring,
  toDegrees,
  unitsPerDegree
} from "./Area.ts"
import type { Geography, PolygonCoordinates } from "./Geography.ts"
import { wind } from "./geometry.ts"

const positionsOf = (ring: Ring) =>
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
  const coordinates: ReadonlyArray<PolygonCoordinates> = polygons.map((rings) => rings.map(positionsOf))
  const [first, ...others] = coordinates
  return first !== undefined && others.length === 0
    ? { type: "Polygon", coordinates: first }
    : { type: "MultiPolygon", coordinates }
}

// Circles on the sphere as rings of straight edges: for maps only, since circles are compared as circles.

/** The number of positions on a circle. */
const steps = 64

const radians = Math.PI / 180 / unitsPerDegree

type Position = readonly [x: number, y: number]

/** A closed ring without repeated positions; undefined when it has no area. */
const closed = (positions: ReadonlyArray<Position>): Ring | undefined => {
  const rounded = positions.map(([x, y]): Position => [Math.round(x), Math.round(y)])
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
const positionAt = ({ latitude, longitude, radius }: Circle, step: number): Position => {
  const [phi, angle] = [latitude * radians, radius / earthRadius]
  // On the meridian of the centre, rounding must not turn the position around a pole that the circle nearly reaches.
  if (step % (steps / 2) === 0) return [longitude, latitude + (step === 0 ? angle : -angle) / radians]
  const bearing = (2 * Math.PI * step) / steps
  const sine = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(bearing)
  const east = Math.sin(bearing) * Math.sin(angle) * Math.cos(phi)
  const dx = Math.atan2(east, Math.cos(angle) - Math.sin(phi) * sine)
  return [longitude + dx / radians, Math.asin(sine) / radians]
}

/** The latitude of a circle around a pole at a longitude: beside the pole at most, so that the outline does not touch itself. */
const latitudeAt = ({ latitude, longitude, radius }: Circle, x: number): number => {
  const phi = latitude * radians
  const [sine, cosine] = [Math.sin(phi), Math.cos(phi) * Math.cos((x - longitude) * radians)]
  const towardsPole = Math.acos(Math.min(1, Math.cos(radius / earthRadius) / Math.hypot(sine, cosine)))
  const y = Math.atan2(sine, cosine) - Math.sign(latitude) * towardsPole
  return Math.max(1 - quarterTurn, Math.min(quarterTurn - 1, y / radians))
}

/** A circle that contains a pole: from -180 to 180, and back along the pole. */
const aroundPole = (circle: Circle): ReadonlyArray<Position> => {
  const pole = Math.sign(circle.latitude) * quarterTurn
  const onCircle = Array.from({ length: steps + 1 }, (_, step): Position => {
    const x = -halfTurn + (step * 2 * halfTurn) / steps
    return [x, latitudeAt(circle, x)]
  })
  return [...onCircle, [halfTurn, pole], [-halfTurn, pole]]
}

/** The part of a ring on one side of a meridian, with the positions where its edges cross it. */
const partOf = (positions: ReadonlyArray<Position>, meridian: number, sign: number): ReadonlyArray<Position> =>
  positions.flatMap(([x, y], index) => {
    const [nextX, nextY] = positions[(index + 1) % positions.length] as Position
    const isIn = sign * (x - meridian) >= 0
    const at = (meridian - x) / (nextX - x)
    const crossing: ReadonlyArray<Position> =
      isIn === sign * (nextX - meridian) >= 0 ? [] : [[meridian, y + at * (nextY - y)]]
    return [...(isIn ? [[x, y] as const] : []), ...crossing]
  })

/** The outer rings of polygons with the outline of a circle: two where it crosses the antimeridian. */
export const circleOutline = (circle: Circle): ReadonlyArray<Ring> => {
  const fromPole = (quarterTurn - Math.abs(circle.latitude)) * radians
  const isAroundPole = fromPole <= circle.radius / earthRadius
  const positions = isAroundPole
    ? aroundPole(circle)
    : Array.from({ length: steps }, (_, step) => positionAt(circle, step))
  const parts = [-2 * halfTurn, 0, 2 * halfTurn].map((shift) => {
    const shifted = positions.map(([x, y]): Position => [x + shift, y])
    return closed(partOf(partOf(shifted, -halfTurn, 1), halfTurn, -1))
  })
  return parts.filter((ring) => ring !== undefined)
}
