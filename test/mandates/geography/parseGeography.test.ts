import { Result } from "effect"
import { expect, test } from "vitest"
import { parseGeography } from "../../../src/mandates/geography/parseGeography.ts"

/** The faults of a geography as pointer and code. */
const faultsOf = (value: unknown): ReadonlyArray<string> => {
  const parsed = parseGeography(value)
  return Result.isSuccess(parsed) ? [] : parsed.failure.map(({ code, path }) => `/${path.join("/")} ${code}`)
}

const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [0, 0]
]

const polygon = (...rings: ReadonlyArray<unknown>) => ({ type: "Polygon", coordinates: rings })

test("A polygon is read with its hole, and its winding is mended", () => {
  const hole = [
    [2, 2],
    [4, 2],
    [4, 4],
    [2, 2]
  ]
  const right = parseGeography(polygon(square, hole.toReversed()))
  expect(parseGeography(polygon(square, hole))).toMatchObject({
    success: { polygons: [{ rings: [{ length: 10 }, { length: 8 }], box: { west: 0, east: 10e7 } }] }
  })
  expect(faultsOf(polygon(square.toReversed(), hole))).toStrictEqual([])
  expect(Result.isSuccess(right)).toBe(true)
})

test("Faults point to the position", () => {
  expect(faultsOf(polygon(square.slice(0, 4)))).toStrictEqual(["/coordinates/0/3 ring_not_closed"])
  expect(faultsOf(polygon(square, [[1, 1]]))).toStrictEqual(["/coordinates/1 too_few_positions"])
  expect(
    faultsOf(
      polygon([
        [0, 0],
        [190, 0],
        [0, 91],
        [0, 0]
      ])
    )
  ).toStrictEqual(["/coordinates/0/1 coordinate_out_of_range", "/coordinates/0/2 coordinate_out_of_range"])
})
