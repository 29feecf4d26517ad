import * as fc from "fast-check"
import GeometryFactory from "jsts/org/locationtech/jts/geom/GeometryFactory.js"
import GeoJSONReader from "jsts/org/locationtech/jts/io/GeoJSONReader.js"
import RelateOp from "jsts/org/locationtech/jts/operation/relate/RelateOp.js"
import { Result } from "effect"
import { describe, expect, test } from "vitest"
import {
  type Area,
  circleAt,
  earthRadius,
  type Polygon,
  type Polygons,
  toDegrees,
  toUnits
} from "../../../../src/market/mandates/geography/Area.ts"
import {
  contains,
  crossInPairs,
  crossInSweep,
  meets,
  setEdge,
  sweep
} from "../../../../src/market/mandates/geography/geometry.ts"
import { parseGeography } from "../../../../src/market/mandates/geography/parseGeography.ts"
import { areas, numRuns, pairOfPolygons } from "./arbitraries.ts"

type Positions = ReadonlyArray<readonly [number, number]>

/** An area of open rings in degrees. */
const area = (...rings: ReadonlyArray<Positions>): Polygons =>
  Result.getOrThrow(
    parseGeography({ type: "Polygon", coordinates: rings.map((ring) => [...ring, ...ring.slice(0, 1)]) })
  )

const rectangle = (west: number, south: number, east: number, north: number): Positions => [
  [west, south],
  [east, south],
  [east, north],
  [west, north]
]

const edgesOf = ({ polygons }: Polygons): ReadonlyArray<number> => {
  const edges: Array<number> = []
  for (const ring of polygons.flatMap(({ rings }) => rings)) {
    for (let i = 2; i < ring.length; i += 2) edges.push(ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!)
  }
  return edges
}

describe("Polygons", () => {
  const reader = new GeoJSONReader(new GeometryFactory())
  const inJts = ({ rings }: Polygon) =>
    reader.read({
      type: "Polygon",
      coordinates: rings.map((ring) =>
        Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]])
      )
    })

  test("meet where JTS says so, and in either order", () => {
    fc.assert(
      fc.property(pairOfPolygons, ([a, b]) => {
        const expected = a.polygons.some((one) =>
          b.polygons.some((other) => RelateOp.relate(inJts(one), inJts(other)).isIntersects())
        )
        expect([meets(a, b), meets(b, a)]).toStrictEqual([expected, expected])
      }),
      { numRuns }
    )
  })

  test("meet themselves, and what touches them in a unit", () => {
    fc.assert(
      fc.property(areas, (one) => meets(one, one)),
      { numRuns }
    )
    const square = area(rectangle(0, 0, 1, 1))
    for (const [gap, expected] of [
      [0, true],
      [1e-7, false]
    ] as const) {
      expect(meets(square, area(rectangle(1 + gap, 0, 2, 1)))).toBe(expected)
      expect(meets(square, area(rectangle(1 + gap, 1 + gap, 2, 2)))).toBe(expected)
    }
  })

  test("meet inside each other, but not in a hole, whose edge belongs to the area", () => {
    const ring = area(rectangle(0, 0, 10, 10), rectangle(2, 2, 8, 8))
    expect(meets(ring, area(rectangle(3, 3, 7, 7)))).toBe(false)
    expect(meets(ring, area(rectangle(2, 3, 7, 7)))).toBe(true)
    expect(meets(ring, area(rectangle(0.5, 0.5, 1, 1)))).toBe(true)
    expect(meets(ring, area(rectangle(-1, -1, 11, 11)))).toBe(true)
    expect(contains(ring, 5, 5)).toBe(false)
    expect(contains(ring, 2, 5)).toBe(true)
    expect(contains(ring, 1, 5)).toBe(true)
  })

  test("meet across the antimeridian and at poles", () => {
    const east = area(rectangle(170, 0, 180, 10))
    expect(meets(east, area(rectangle(-180, 10, -170, 20)))).toBe(true)
    expect(meets(east, area(rectangle(-180, 10.1, -170, 20)))).toBe(false)
    expect(contains(east, -180, 5)).toBe(true)
    const toPole = area(rectangle(0, 80, 10, 90))
    expect(meets(toPole, area(rectangle(100, 89, 110, 90)))).toBe(true)
    expect(meets(toPole, area(rectangle(100, 89, 110, 89.9)))).toBe(false)
    expect(contains(toPole, 123, 90)).toBe(true)
  })
})

describe("A sweep", () => {
  test("finds what looking at all pairs finds, unless edges of one side cross", () => {
    fc.assert(
      fc.property(pairOfPolygons, ([a, b]) => {
        const [one, other] = [edgesOf(a), edgesOf(b)]
        const swept = crossInSweep(one, other)
        if (swept === undefined) expect(Math.max(a.polygons.length, b.polygons.length)).toBeGreaterThan(1)
        else expect(swept).toBe(crossInPairs(one, other, Infinity))
      }),
      { numRuns }
    )
  })

  /** A comb with long slanted teeth, and another whose teeth lie between: the boxes of all edges meet. */
  const comb = (teeth: number, offset: number, isUpper: boolean): Positions => {
    const slanted = (x: number, y: number): readonly [number, number] => [x - 20 * y, 20 * x + y]
    const [spine, root, tip] = isUpper ? [1.1, 1, 0.05] : [-0.1, 0, 0.95]
    const edge = Array.from({ length: teeth }, (_, tooth) => {
      const x = (tooth + offset) / teeth
      return [slanted(x, root), slanted(x + 0.15 / teeth, tip), slanted(x + 0.3 / teeth, root)]
    })
    return [...edge.flat(), slanted(1, spine), slanted(0, spine)]
  }

  test("keeps two combs of 5,000 positions within its budget", () => {
    const teeth = 1665
    const [lower, upper] = [area(comb(teeth, 0, false)), area(comb(teeth, 0.5, true))]
    expect(meets(lower, upper)).toBe(false)
    expect(meets(lower, area(comb(teeth, 0.05, true)))).toBe(true)
    // A tenth of the pairs are looked at one by one.
    const [a, b] = [edgesOf(lower), edgesOf(upper)]
    expect(crossInPairs(a, b, 2_500_000)).toBeUndefined()
    // The sweep reads coordinates some hundred times for each edge: it compares by halving, not all with all.
    const edges = new Float64Array([...a, ...b])
    for (let i = 0; i < edges.length; i += 4)
      setEdge(edges, i / 4, edges[i]!, edges[i + 1]!, edges[i + 2]!, edges[i + 3]!)
    let reads = 0
    const counted = new Proxy(edges, {
      get: (target, key) => {
        reads += 1
        return Reflect.get(target, key, target)
      }
    })
    expect(sweep(counted, { touch: () => undefined, cross: () => true })).toBeUndefined()
    expect(reads).toBeLessThan((edges.length / 4) * 500)
  })
})

describe("Circles", () => {
  const radians = Math.PI / 180

  /** Where one comes to from a position, in degrees. */
  const destination = (longitude: number, latitude: number, bearing: number, metres: number) => {
    const [phi, angle] = [latitude * radians, metres / earthRadius]
    const sine = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(bearing)
    const east = Math.sin(bearing) * Math.sin(angle) * Math.cos(phi)
    const turn = Math.atan2(east, Math.cos(angle) - Math.sin(phi) * sine) / radians
    return [((longitude + turn + 540) % 360) - 180, Math.asin(sine) / radians] as const
  }

  /** The distance of two positions by their vectors, which the service does not compute with. */
  const distance = (a: readonly [number, number], b: readonly [number, number]) => {
    const vector = ([longitude, latitude]: readonly [number, number]) =>
      [
        Math.cos(latitude * radians) * Math.cos(longitude * radians),
        Math.cos(latitude * radians) * Math.sin(longitude * radians),
        Math.sin(latitude * radians)
      ] as const
    const [[ax, ay, az], [bx, by, bz]] = [vector(a), vector(b)]
    const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    return earthRadius * Math.atan2(cross, ax * bx + ay * by + az * bz)
  }

  const rounded = ([longitude, latitude]: readonly [number, number]) =>
    [toDegrees(toUnits(longitude)), toDegrees(toUnits(latitude))] as const

  const latitude = fc.oneof(fc.integer({ min: -89, max: 89 }), fc.double({ min: -89.9, max: 89.9, noNaN: true }))
  const longitude = fc.oneof(fc.constantFrom(-180, 180, 179.999, 0), fc.double({ min: -180, max: 180, noNaN: true }))
  const radius = fc.double({ min: 100, max: 500_000, noNaN: true })
  const bearing = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true })
  const centred = fc.tuple(longitude, latitude).map(rounded)

  /** The circle a centimetre greater and smaller than the distance. */
  const expectLimit = (centre: readonly [number, number], metres: number, other: Area) => {
    for (const [difference, expected] of [
      [0.01, true],
      [-0.01, false]
    ] as const) {
      const circle = circleAt(...centre, metres + difference)
      expect([meets(circle, other), meets(other, circle)]).toStrictEqual([expected, expected])
    }
  }

  test("meet the nearest position of a polygon within a centimetre, everywhere", () => {
    fc.assert(
      fc.property(centred, radius, bearing, (centre, metres, direction) => {
        const tip = rounded(destination(...centre, direction, metres))
        const beyond = [-0.4, 0.4].map((turn) =>
          rounded(destination(...centre, direction + (turn * metres) / 1e6, metres * 1.5))
        )
        const positions = [tip, ...beyond]
        // Not where the positions lie on both sides of the antimeridian, or near a pole.
        fc.pre(positions.every(([x]) => Math.abs(x - tip[0]) < 20 && Math.abs(tip[1]) < 85))
        const parsed = parseGeography({ type: "Polygon", coordinates: [[...positions, tip]] })
        fc.pre(Result.isSuccess(parsed))
        expectLimit(centre, distance(centre, tip), Result.getOrThrow(parsed))
      }),
      { numRuns }
    )
  })

  test("meet circles within a centimetre, everywhere", () => {
    fc.assert(
      fc.property(centred, radius, radius, bearing, (centre, metres, otherMetres, direction) => {
        const other = rounded(destination(...centre, direction, metres + otherMetres))
        expectLimit(centre, distance(centre, other) - otherMetres, circleAt(...other, otherMetres))
      }),
      { numRuns }
    )
  })

  test("meet the nearest position of an edge, which is straight in longitude and latitude", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 88 }), radius, (south, metres) => {
        const north = south + metres / earthRadius / radians
        fc.pre(north < 89.5)
        // A parallel is nearest at the pole's side of a centre south of it, and at the centre's own longitude.
        const band = area(rectangle(-180, toDegrees(toUnits(north)), 180, 90))
        expectLimit([180, south], (toDegrees(toUnits(north)) - south) * radians * earthRadius, band)
      }),
      { numRuns: Math.ceil(numRuns / 4) }
    )
  })

  test("meet what they lie in, what lies in them, and what is beyond a pole", () => {
    const square = area(rectangle(0, 0, 10, 10))
    expect(meets(square, circleAt(5, 5, 100))).toBe(true)
    expect(meets(area(rectangle(0, 0, 0.001, 0.001)), circleAt(0.01, 0.01, 10_000))).toBe(true)
    expect(meets(area(rectangle(0, 0, 10, 10), rectangle(2, 2, 8, 8)), circleAt(5, 5, 300_000))).toBe(false)
    expect(meets(area(rectangle(100, 89, 110, 89.5)), circleAt(-75, 89.9, 100_000))).toBe(true)
    expect(meets(area(rectangle(-180, 0, -179, 1)), circleAt(179.9, 0.5, 12_000))).toBe(true)
    expect(meets(area(rectangle(-180, 0, -179, 1)), circleAt(179.9, 0.5, 11_000))).toBe(false)
    expect(contains(circleAt(179.9, 0.5, 12_000), -180, 0.5)).toBe(true)
  })
})
