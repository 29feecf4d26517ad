/** The GeoJSON that reads answer for an area. */
import { type Area, type Circle, type Ring, toDegrees } from "./Area.ts"
import { circleOutline } from "./circleOutline.ts"
import type { Geography, PolygonCoordinates } from "./Geography.ts"

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
