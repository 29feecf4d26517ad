/** Whether areas have a point in common: the exact test of a search. */
import { type Area, pointAt } from "./Area.ts"
import { circleMeetsPolygons, circlesMeet } from "./circleMeets.ts"
import { polygonsMeet } from "./polygonsMeet.ts"

/** Whether two areas have a point in common on the sphere; touching counts. */
export const meets = (a: Area, b: Area): boolean => {
  if (a.kind === "circle") return b.kind === "circle" ? circlesMeet(a, b) : circleMeetsPolygons(a, b)
  return b.kind === "circle" ? circleMeetsPolygons(b, a) : polygonsMeet(a, b)
}

/** Whether an area contains a point in degrees; its edge belongs to it. */
export const contains = (area: Area, longitude: number, latitude: number): boolean =>
  meets(area, pointAt(longitude, latitude))
