import * as fc from "fast-check"
import { expect, test } from "vitest"
import {
  type Area,
  type Box,
  boxesOf,
  circleAt,
  decodeArea,
  encodeArea,
  halfTurn,
  maxBoxes,
  polygonOf,
  quarterTurn,
  searchBoxesOf
} from "../../../../src/market/mandates/geography/Area.ts"
import { geographyOf } from "../../../../src/market/mandates/geography/Geography.ts"
import { meets } from "../../../../src/market/mandates/geography/geometry.ts"
import { areas, circles, numRuns } from "./arbitraries.ts"

const square = (x: number, y: number, size: number) =>
  polygonOf([Int32Array.of(x, y, x + size, y, x + size, y + size, x, y + size, x, y)])

const overlap = (a: Box, b: Box) => a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north

/** Whether a search with the boxes of one area finds the other by its stored ones. */
const isFound = (stored: Area, searched: Area) =>
  boxesOf(stored).some((box) => searchBoxesOf(searched).some((other) => overlap(box, other)))

test("Areas that meet find each other by their boxes", () => {
  fc.assert(
    fc.property(areas, areas, (a, b) => {
      fc.pre(meets(a, b))
      expect([isFound(a, b), isFound(b, a)]).toStrictEqual([true, true])
    }),
    { numRuns }
  )
  fc.assert(
    fc.property(circles, circles, (a, b) => {
      const touching = { ...b, longitude: a.longitude < 0 ? halfTurn : -halfTurn, latitude: a.latitude }
      fc.pre(meets(a, touching))
      expect([isFound(a, touching), isFound(touching, a)]).toStrictEqual([true, true])
    }),
    { numRuns }
  )
})

test("Boxes are as areas have them, within 180° and 90°", () => {
  fc.assert(
    fc.property(areas, (area) => {
      const boxes = boxesOf(area)
      expect(boxes.length).toBeLessThanOrEqual(maxBoxes)
      for (const { east, north, south, west } of boxes) {
        expect(-halfTurn <= west && west <= east && east <= halfTurn).toBe(true)
        expect(-quarterTurn <= south && south <= north && north <= quarterTurn).toBe(true)
      }
    }),
    { numRuns }
  )
})

test("An area has a box for each part, and those that are near each other are merged from the seventeenth on", () => {
  const far = Array.from({ length: 15 }, (_, i) => square(i * 1000, 0, 10))
  const near = [square(0, 500, 10), square(12, 500, 10)]
  expect(boxesOf({ kind: "polygons", polygons: far })).toStrictEqual(far.map(({ box }) => box))
  expect(boxesOf({ kind: "polygons", polygons: [...far, ...near] })).toStrictEqual([
    ...far.map(({ box }) => box),
    { west: 0, south: 500, east: 22, north: 510 }
  ])
  const many = Array.from({ length: 200 }, (_, i) => square((i % 16) * 1000 + i, (i * 7) % 40, 5))
  const boxes = boxesOf({ kind: "polygons", polygons: many })
  expect(boxes).toHaveLength(maxBoxes)
  expect(boxes.every(({ east, west }) => east - west < 300)).toBe(true)
})

test("A circle has two boxes at the antimeridian, and all longitudes around a pole", () => {
  const [west, east] = boxesOf(circleAt(179.99, 0, 10_000))
  expect([west?.east, east?.west]).toStrictEqual([halfTurn, -halfTurn])
  expect(boxesOf(circleAt(10, 89.99, 10_000))).toMatchObject([{ west: -halfTurn, east: halfTurn, north: quarterTurn }])
})

test("A search at the antimeridian or a pole has boxes without width or height for the other side", () => {
  const area: Area = { kind: "polygons", polygons: [square(halfTurn - 10, quarterTurn - 10, 10)] }
  expect(searchBoxesOf(area).slice(1)).toStrictEqual([
    { west: -halfTurn, south: quarterTurn - 10, east: -halfTurn, north: quarterTurn },
    { west: -halfTurn, south: quarterTurn, east: halfTurn, north: quarterTurn }
  ])
  expect(boxesOf(area)).toHaveLength(1)
})

test("Decoding what was encoded gives the same area, and the same geography", () => {
  fc.assert(
    fc.property(areas, (area) => {
      const bytes = encodeArea(area)
      expect(decodeArea(bytes)).toStrictEqual(area)
      // Drivers answer bytes at any place of a greater buffer.
      expect(decodeArea(Buffer.concat([Buffer.of(1), bytes]).subarray(1))).toStrictEqual(area)
      expect(encodeArea(decodeArea(bytes))).toStrictEqual(bytes)
      expect(geographyOf(decodeArea(bytes))).toStrictEqual(geographyOf(area))
    }),
    { numRuns }
  )
})
