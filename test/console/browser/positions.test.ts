/** Areas as people write them. */
import { assert, describe, it } from "@effect/vitest"
import { cornersIn, polygonsIn, polygonsOf, textOf } from "../../../src/console/browser/positions.ts"

describe("The corners of a text", () => {
  it("are latitude and longitude, with points or commas", () => {
    for (const line of ["48.5, 11.25", "48,5 11,25", "48,5, 11,25", "48.5;11.25", " 48.5° 11.25° ", "48.5,11.25"]) {
      assert.deepStrictEqual(polygonsIn(line), [[[[11.25, 48.5]]]], line)
    }
    assert.deepStrictEqual(polygonsIn("-33, -70"), [[[[-70, -33]]]])
  })

  it("know their lines, and which are none", () => {
    const [[[first, second] = []] = []] = cornersIn("\n48, 11\nMunich")
    assert.deepInclude(first, { line: 2, position: [11, 48] })
    assert.deepInclude(second, { line: 3, position: undefined, text: "Munich" })
  })

  it("are those of several areas with holes, and the first one need not be repeated", () => {
    const text = "1, 1\n1, 9\n9, 9\n1, 1\n-\n3, 4\n3, 5\n4, 5\n\n\n20, 20\n20, 21\n21, 21"
    const polygons = polygonsIn(text)
    assert.deepStrictEqual(
      polygons.map((rings) => rings.map((ring) => ring.length)),
      [[3, 3], [3]]
    )
    assert.deepStrictEqual(polygonsIn(textOf(polygons)), polygons)
  })

  it("may come as GeoJSON", () => {
    const ring = [
      [11, 48],
      [12, 48],
      [12, 47],
      [11, 48]
    ]
    const geography = { type: "Polygon", coordinates: [ring] }
    assert.deepStrictEqual(polygonsIn(JSON.stringify(geography)), polygonsOf(geography))
    assert.strictEqual(textOf(polygonsOf(geography)), "48, 11\n48, 12\n47, 12")
    for (const none of ["{", '{"type":"Point","coordinates":[1,2]}', '{"type":"Polygon"}']) {
      assert.deepStrictEqual(textOf(polygonsIn(none)).trim(), "", none)
    }
  })
})
