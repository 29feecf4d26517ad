/** Random geography, mostly on small grids, where edges touch, coincide and lie on one line. */
import * as fc from "fast-check"
import { Result } from "effect"
import { type Area, circleAt, type Polygons } from "../../../../src/market/mandates/geography/Area.ts"
import { parseGeography } from "../../../../src/market/mandates/geography/parseGeography.ts"
import { times } from "../../../support/campaign.ts"

/** A position in units. */
export type Position = readonly [x: number, y: number]

/** How often a property is tried: GEOGRAPHY_RUNS for more. */
export const numRuns = times("GEOGRAPHY_RUNS", 150, 1_500)

const positions = (size: number) => {
  const coordinate = fc.integer({ min: 0, max: size })
  return fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 12 })
}

/** The positions in the order of their direction from a point off the grid: mostly a ring that does not cross itself. */
const star = (points: ReadonlyArray<Position>): ReadonlyArray<Position> => {
  const x = points.reduce((sum, point) => sum + point[0], 0) / points.length + 0.01
  const y = points.reduce((sum, point) => sum + point[1], 0) / points.length + 0.0173
  const direction = (point: Position) => Math.atan2(point[1] - y, point[0] - x)
  return points.toSorted((a, b) => direction(a) - direction(b))
}

const starRing = fc.integer({ min: 2, max: 8 }).chain(positions).map(star)

const smallRing = fc
  .tuple(positions(2).map(star), fc.nat({ max: 5 }), fc.nat({ max: 5 }))
  .map(([ring, dx, dy]) => ring.map(([x, y]): Position => [x + dx, y + dy]))

const closed = (ring: ReadonlyArray<Position>) => [...ring, ...ring.slice(0, 1)]

/** Places of a grid: as units, as degrees, and slanted, where whether edges touch depends on the last digit. */
const placements: ReadonlyArray<(position: Position) => Position> = [
  (position) => position,
  ([x, y]) => [1e7 * x, 1e7 * y],
  ([x, y]) => [13_371_337 * x - 7_654_321 * y, 3_141_593 * x + 27_182_819 * y],
  ([x, y]) => [25_000_003 * x + 1_234_577 * y - 5e7, 24_999_999 * y - 17 * x]
]

const placement = fc.constantFrom(...placements)

const inDegrees = (rings: ReadonlyArray<ReadonlyArray<Position>>) =>
  rings.map((ring) => closed(ring).map(([x, y]) => [x / 1e7, y / 1e7]))

/** A ring with two positions exchanged, or as it is. */
const tangled = fc
  .tuple(starRing, fc.nat({ max: 11 }), fc.nat({ max: 11 }), fc.boolean())
  .map(([ring, i, j, isTangled]) =>
    isTangled ? ring.with(i % ring.length, ring[j % ring.length]!).with(j % ring.length, ring[i % ring.length]!) : ring
  )

/** A GeoJSON polygon, valid or not, in degrees; its positions are whole units. */
export const anyPolygon = fc
  .tuple(tangled, fc.array(smallRing, { maxLength: 2 }), placement)
  .map(([outer, holes, place]) => ({
    type: "Polygon" as const,
    coordinates: inDegrees([outer, ...holes].map((ring) => ring.map(place)))
  }))

const polygonsOf = (placed: (position: Position) => Position) =>
  fc.tuple(fc.oneof(starRing, smallRing), fc.array(smallRing, { maxLength: 2 })).map(([outer, holes]) => {
    const parse = (rings: ReadonlyArray<ReadonlyArray<Position>>) =>
      parseGeography({ type: "Polygon", coordinates: inDegrees(rings.map((ring) => ring.map(placed))) })
    const parsed = parse([outer, ...holes])
    return Result.getOrUndefined(Result.isSuccess(parsed) ? parsed : parse([outer]))
  })

const union = (parts: ReadonlyArray<Polygons>): Polygons => ({
  kind: "polygons",
  polygons: parts.flatMap(({ polygons }) => polygons)
})

const someOf = (placed: (position: Position) => Position): fc.Arbitrary<Polygons> =>
  fc
    .array(
      polygonsOf(placed).filter((area) => area !== undefined),
      { minLength: 1, maxLength: 3 }
    )
    .map(union)

/** Two areas on one grid. */
export const pairOfPolygons = placement.chain((placed) => fc.tuple(someOf(placed), someOf(placed)))

/** Valid polygons. */
export const polygons = placement.chain(someOf)

const centre = fc.oneof(
  fc.record({
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    latitude: fc.double({ min: -90, max: 90, noNaN: true })
  }),
  fc.record({
    longitude: fc.constantFrom(-180, -179.9, 179.99, 180),
    latitude: fc.constantFrom(-90, -89.99, 0, 60, 89.9, 90)
  })
)

/** Circles, many of them at the antimeridian and around poles. */
export const circles = fc
  .tuple(centre, fc.double({ min: 100, max: 500_000, noNaN: true }))
  .map(([{ latitude, longitude }, radius]) => circleAt(longitude, latitude, radius))

/** Areas of each kind. */
export const areas: fc.Arbitrary<Area> = fc.oneof(polygons, circles)
