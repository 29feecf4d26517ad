/** Distances on the sphere. */
import { earthRadius, unitsPerDegree } from "./Area.ts"

const radians = Math.PI / 180 / unitsPerDegree

/** The square of half the chord between two positions on the unit sphere: 0 when they are one, 1 when opposite. */
export const haversine = (ax: number, ay: number, bx: number, by: number): number => {
  const [dy, dx] = [Math.sin(((by - ay) * radians) / 2), Math.sin(((bx - ax) * radians) / 2)]
  return dy * dy + Math.cos(ay * radians) * Math.cos(by * radians) * dx * dx
}

/** The haversine of a distance in metres, at most half around the sphere. */
export const haversineOf = (metres: number): number => {
  const half = Math.sin(Math.min(metres / earthRadius, Math.PI) / 2)
  return half * half
}
