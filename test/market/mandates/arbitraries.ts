/** Random places as clients send them: dense, so that many meet, and some at the antimeridian and the poles. */
import * as fc from "fast-check"
import { Result } from "effect"
import type { Area } from "../../../src/market/mandates/geography/Area.ts"
import { nowhere, type SentPlace, wantedPlace } from "../../../src/market/mandates/rules.ts"

const steps = fc.integer({ min: 0, max: 8 })

/** Corners of a grid, as offsets to its corner in the south-west, in degrees. */
const grids = [
  { west: 8, south: 47, step: 0.5 },
  { west: 172, south: -20, step: 1 },
  { west: -180, south: -18, step: 1 },
  { west: 0, south: 82, step: 1 },
  { west: 11.5755003, south: 48.1372007, step: 0.0001 }
]

const grid = fc.constantFrom(...grids)

const rectangle = (west: number, south: number, east: number, north: number) => [
  [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south]
  ]
]

const anyRectangle = fc
  .tuple(grid, steps, steps, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
  .map(([{ south, step, west }, x, y, width, height]) => {
    const left = Math.min(west + x * step, 180 - step)
    const bottom = Math.min(south + y * step, 90 - step)
    return rectangle(left, bottom, Math.min(left + width * step, 180), Math.min(bottom + height * step, 90))
  })

const anyTriangle = fc.tuple(grid, steps, steps).map(([{ south, step, west }, x, y]) => {
  const left = Math.min(west + x * step, 178)
  const bottom = Math.min(south + y * step, 88)
  return [
    [
      [left, bottom],
      [left + step, bottom],
      [left, bottom + step],
      [left, bottom]
    ]
  ]
})

const anyPolygon = fc.oneof(anyRectangle, anyTriangle)

const anyGeography = fc.oneof(
  anyPolygon.map((coordinates) => ({ type: "Polygon", coordinates })),
  fc.array(anyPolygon, { minLength: 1, maxLength: 20 }).map((coordinates) => ({ type: "MultiPolygon", coordinates }))
)

const anyCircle = fc
  .tuple(grid, steps, steps, fc.constantFrom(100, 1_000.5, 60_000, 111_195, 500_000))
  .map(([{ south, step, west }, x, y, radius]) => ({
    near: { latitude: Math.min(south + y * step, 90), longitude: Math.min(west + x * step, 180) },
    radius
  }))

/** A place in one of its modes but a name. */
export const anyPlace = fc.oneof(
  anyGeography.map((geography) => ({ geography })),
  anyCircle
)

/** The area of a place as clients send it; undefined for none. */
export const areaOfSent = (sent: SentPlace): Area | undefined => {
  const wanted = Result.getOrThrow(wantedPlace(sent, nowhere))
  return wanted.kind === "area" ? wanted.area : undefined
}
