/** Circles and areas as the map of a form draws them. */
import { assert, describe, it } from "@effect/vitest"
import { circleLine, cutAtAntimeridian, distance, isInside } from "../../../src/console/browser/earth.ts"
import type { Position } from "../../../src/console/browser/positions.ts"
import { parseGeography } from "../../../src/market/mandates/geography/parseGeography.ts"
import { Result } from "effect"

const geographyOf = (rings: ReturnType<typeof cutAtAntimeridian>) => ({
  type: "MultiPolygon",
  coordinates: rings.map((polygon) => polygon.map((ring) => [...ring, ring[0]]))
})

describe("The drawing of an area", () => {
  const square: ReadonlyArray<Position> = [
    [178, -20],
    [183, -20],
    [183, -15],
    [178, -15]
  ]

  it("is cut where it crosses the antimeridian, as the service wants it", () => {
    const cut = cutAtAntimeridian(square)
    assert.deepStrictEqual(
      cut.map(([ring = []]) => [Math.min(...ring.map(([x]) => x)), Math.max(...ring.map(([x]) => x))]),
      [
        [178, 180],
        [-180, -177]
      ]
    )
    assert.isTrue(Result.isSuccess(parseGeography(geographyOf(cut))))
  })

  it("is the same wherever the Earth was turned to while it was drawn", () => {
    for (const turn of [-360, 0, 360]) {
      const far = square.map(([x, y]): Position => [x - 100 + turn, y])
      assert.deepStrictEqual(cutAtAntimeridian(far), [[square.map(([x, y]): Position => [x - 100, y])]], String(turn))
    }
  })
})

describe("The drawing of a circle", () => {
  it("has its radius everywhere", () => {
    const centre: Position = [11.5, 48]
    for (const position of circleLine({ centre, radius: 60_000 })) {
      assert.approximately(distance(centre, position), 60_000, 1)
    }
  })

  it("is all around a pole that lies in it", () => {
    const line = circleLine({ centre: [30, 88], radius: 500_000 })
    assert.isTrue(isInside(line, [-150, 89]))
    assert.isFalse(isInside(line, [-150, 80]))
  })
})
