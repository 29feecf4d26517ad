import * as fc from "fast-check"
import GeometryFactory from "jsts/org/locationtech/jts/geom/GeometryFactory.js"
import GeoJSONReader from "jsts/org/locationtech/jts/io/GeoJSONReader.js"
import IsValidOp from "jsts/org/locationtech/jts/operation/valid/IsValidOp.js"
import { Result, Schema } from "effect"
import { describe, expect, test } from "vitest"
import { Geography, geographyOf, Near, Radius } from "../../../../src/market/mandates/geography/Geography.ts"
import { parseGeography } from "../../../../src/market/mandates/geography/parseGeography.ts"
import { decode } from "../../../../src/core/usecase/Input.ts"
import { anyPolygon, areas, numRuns } from "./arbitraries.ts"

/** The faults of a geography, as pointer and code. */
const faultsOf = (value: unknown): ReadonlyArray<string> => {
  const parsed = parseGeography(value)
  return Result.isSuccess(parsed) ? [] : parsed.failure.map(({ code, path }) => `/${path.join("/")} ${code}`)
}

const detailOf = (value: unknown): string => {
  const parsed = parseGeography(value)
  return Result.isSuccess(parsed) ? "" : (parsed.failure[0]?.detail ?? "")
}

type Ring = ReadonlyArray<ReadonlyArray<number>>

/** A closed ring through the corners of a rectangle. */
const rectangle = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south]
]

const square = rectangle(0, 0, 10, 10)

const polygon = (...coordinates: ReadonlyArray<unknown>) => ({ type: "Polygon", coordinates })

const multiPolygon = (...coordinates: ReadonlyArray<unknown>) => ({ type: "MultiPolygon", coordinates })

/** The geography that reads answer. */
const normalized = (value: unknown) => geographyOf(Result.getOrThrow(parseGeography(value)))

describe("A geography is normalized:", () => {
  test("altitudes, repeated positions and a bbox are dropped, and coordinates rounded", () => {
    const sent = [
      [0, 0, 400],
      [10.000_000_04, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, -0.000_000_01]
    ]
    expect(normalized({ ...polygon(sent), bbox: [0, 0, 1, 1] })).toStrictEqual(polygon(square))
  })

  test("outer rings go counterclockwise from their first position, holes clockwise", () => {
    const hole = rectangle(2, 2, 4, 4)
    const wound = polygon(square, hole.toReversed())
    expect(normalized(polygon(square.toReversed(), hole))).toStrictEqual(wound)
    expect(normalized(wound)).toStrictEqual(wound)
  })

  test("a MultiPolygon of one part is a Polygon, and parts may overlap", () => {
    expect(normalized(multiPolygon([square]))).toStrictEqual(polygon(square))
    const overlapping = multiPolygon([square], [rectangle(5, 5, 15, 15)])
    expect(normalized(overlapping)).toStrictEqual(overlapping)
  })

  test("what is answered is accepted, and stays as it is", () => {
    fc.assert(
      fc.property(areas, (area) => {
        const answered = geographyOf(area)
        expect(normalized(answered)).toStrictEqual(answered)
      }),
      { numRuns }
    )
  })
})

test.each<[what: string, sent: unknown, faults: ReadonlyArray<string>]>([
  ["no object", [1], ["/ wrong_type"]],
  ["null", null, ["/ wrong_type"]],
  ["no type", { coordinates: [square] }, ["/type required"]],
  ["another type", { type: "Point", coordinates: [1, 2] }, ["/type not_allowed"]],
  ["no coordinates", { type: "Polygon" }, ["/coordinates required"]],
  ["coordinates that are none", { type: "Polygon", coordinates: "1 2" }, ["/coordinates wrong_type"]],
  ["a crs", { ...polygon(square), crs: {} }, ["/crs unknown_member"]],
  ["no ring", polygon(), ["/coordinates too_few_positions"]],
  ["no part", multiPolygon(), ["/coordinates too_few_positions"]],
  [
    "a Polygon's coordinates as MultiPolygon",
    multiPolygon(square),
    square.map((_, i) => `/coordinates/0/${i} wrong_type`)
  ],
  ["a position of text", polygon(square.with(1, ["10", 0] as never)), ["/coordinates/0/1 wrong_type"]],
  ["an open ring", polygon(square.slice(0, 4)), ["/coordinates/0/3 ring_not_closed"]],
  ["three positions", polygon(square.slice(0, 2).concat([[0, 0]])), ["/coordinates/0 too_few_positions"]],
  [
    "two different positions",
    polygon([
      [0, 0],
      [1, 1],
      [1, 1],
      [0, 0]
    ]),
    ["/coordinates/0 too_few_positions"]
  ],
  [
    "every position out of range",
    polygon(square.with(1, [181, 0]).with(2, [0, -91])),
    ["/coordinates/0/1 coordinate_out_of_range", "/coordinates/0/2 coordinate_out_of_range"]
  ],
  [
    "an edge the long way round",
    polygon(rectangle(-170, 0, 170, 10)),
    ["/coordinates/0/1 ambiguous_edge", "/coordinates/0/3 ambiguous_edge"]
  ],
  ["an edge from -180 to 180", polygon(rectangle(-180, 60, 180, 90)), []],
  [
    "a ring that crosses itself",
    polygon([
      [0, 0],
      [10, 10],
      [10, 0],
      [0, 10],
      [0, 0]
    ]),
    ["/coordinates/0/2 ring_crosses_itself"]
  ],
  [
    "a ring that touches itself",
    polygon([
      [0, 0],
      [10, 0],
      [5, 5],
      [10, 10],
      [0, 10],
      [5, 5],
      [0, 0]
    ]),
    ["/coordinates/0/5 ring_crosses_itself"]
  ],
  [
    "a ring without area",
    polygon([
      [0, 0],
      [10, 0],
      [5, 0],
      [0, 0]
    ]),
    ["/coordinates/0/2 ring_crosses_itself"]
  ],
  [
    "the same, counting repeated positions",
    polygon([
      [0, 0],
      [0, 0],
      [10, 10],
      [10, 10],
      [10, 0],
      [0, 10],
      [0, 0]
    ]),
    ["/coordinates/0/4 ring_crosses_itself"]
  ],
  ["a hole that crosses the outer ring", polygon(square, rectangle(5, 5, 15, 8)), ["/coordinates/1/0 rings_cross"]],
  [
    "a hole that crosses it in positions",
    polygon(square, [
      [5, 5],
      [10, 2],
      [12, 5],
      [10, 8],
      [5, 5]
    ]),
    ["/coordinates/1/1 rings_cross"]
  ],
  ["a hole along an edge", polygon(square, rectangle(0, 2, 4, 4)), ["/coordinates/1/3 rings_cross"]],
  [
    "a hole that touches in positions",
    polygon(square, [
      [0, 5],
      [5, 0],
      [10, 5],
      [5, 10],
      [0, 5]
    ]),
    []
  ],
  ["a hole outside", polygon(square, rectangle(20, 0, 21, 1)), ["/coordinates/1 hole_outside"]],
  [
    "a hole outside that touches",
    polygon(
      [
        [0, 0],
        [10, 0],
        [5, 5],
        [10, 10],
        [0, 10],
        [0, 0]
      ],
      [
        [10, 0],
        [10, 10],
        [5, 5],
        [10, 0]
      ]
    ),
    ["/coordinates/1/1 rings_cross"]
  ],
  ["a hole in a hole", polygon(square, rectangle(2, 2, 8, 8), rectangle(4, 4, 5, 5)), ["/coordinates/2 holes_overlap"]],
  [
    "the faults of every part",
    multiPolygon([square.slice(1)], [square], [square, rectangle(20, 0, 21, 1)]),
    ["/coordinates/0/0/3 ring_not_closed", "/coordinates/2/1 hole_outside"]
  ]
])("Faults point to the position: %s", (_, sent, faults) => {
  expect(faultsOf(sent)).toStrictEqual(faults)
})

test("A hint says that coordinates seem swapped, or what to send instead", () => {
  expect(detailOf(polygon(square.with(1, [48.1, 111.5])))).toContain("swapped")
  expect(detailOf(polygon(square.with(1, [200, 11.5])))).not.toContain("swapped")
  expect(detailOf({ type: "Feature", geometry: polygon(square) })).toContain("`geometry`")
})

test("At most 5,000 positions and 200 rings are read, all parts together", () => {
  const tooComplex = ["/coordinates area_too_complex"]
  const parts = (count: number) => multiPolygon(...Array.from({ length: count }, () => [square]))
  const positions = (count: number) => {
    const half = Array.from({ length: (count - 1) / 2 }, (_, i) => [i / 1000, i % 2])
    return [...half, ...half.map(([x = 0, y = 0]) => [x, y + 3]).toReversed(), [0, 0]]
  }
  expect(faultsOf(parts(200))).toStrictEqual([])
  expect(faultsOf(parts(201))).toStrictEqual(tooComplex)
  expect(faultsOf(polygon(positions(4999)))).toStrictEqual([])
  expect(faultsOf(polygon(positions(5001)))).toStrictEqual(tooComplex)
  expect(faultsOf(multiPolygon([positions(2501)], [positions(2501)]))).toStrictEqual(tooComplex)
})

test("The schemas of bodies report the same faults", () => {
  const body = decode(Schema.Struct({ geography: Schema.NullOr(Geography), near: Near, radius: Radius }))
  const near = { latitude: 48.1372, longitude: 11.5755 }
  expect(body({ geography: polygon(square), near, radius: 100 })).toMatchObject({ _tag: "Success" })
  expect(
    body({ geography: polygon(square.slice(1)), near: { latitude: 91, longitude: 181 }, radius: 99 })
  ).toMatchObject({
    failure: {
      errors: [
        { in: "body", pointer: "/geography/coordinates/0/3", code: "ring_not_closed" },
        { pointer: "/near/latitude", code: "coordinate_out_of_range" },
        { pointer: "/near/longitude", code: "coordinate_out_of_range" },
        { pointer: "/radius", code: "invalid_radius" }
      ]
    }
  })
})

test("Polygons are valid where JTS says so", () => {
  const reader = new GeoJSONReader(new GeometryFactory())
  const inUnits = (rings: ReadonlyArray<Ring>) =>
    rings.map((ring) => ring.map((position) => position.map((degrees) => Math.round(degrees * 1e7))))
  fc.assert(
    fc.property(anyPolygon, (sent) => {
      const [few, valid] = [
        faultsOf(sent).some((fault) => fault.endsWith("too_few_positions")),
        faultsOf(sent).length === 0
      ]
      fc.pre(!few)
      const error = new IsValidOp(reader.read(polygon(...inUnits(sent.coordinates)))).getValidationError()
      // Holes may cut a polygon in two at positions where they touch: what it covers is clear.
      fc.pre(error?.getMessage() !== "Interior is disconnected")
      expect(valid).toBe(error === null)
    }),
    { numRuns }
  )
})
