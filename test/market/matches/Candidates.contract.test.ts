/** What matches find by indexes, beside the comparison of every property with every mandate. */
import fc from "fast-check"
import * as MatchesClient from "./MatchesClient.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Locations } from "../../../src/market/mandates/Locations.ts"
import type { Mandate } from "../../../src/market/mandates/Mandate.ts"
import { locatedOf } from "../../../src/market/mandates/rules.ts"
import type { PropertyMatchPage } from "../../../src/market/matches/Match.ts"
import { compareLocations, match } from "../../../src/market/matches/rules.ts"
import type { Property } from "../../../src/market/properties/Property.ts"
import * as vocabulary from "../../../src/market/properties/members/vocabulary.ts"
import { type Reply, TestService } from "../../support/TestService.ts"

const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { freq: 2, nil: undefined })

const country = fc.constantFrom("DE", "AT", "NZ", "FJ")

// Cities, and places at the antimeridian, at a pole, at the edge of an area, and at sea.
const coordinates = fc.constantFrom(
  { latitude: 48.1385, longitude: 11.5309 },
  { latitude: 47.8, longitude: 13.04 },
  { latitude: 48, longitude: 12 },
  { latitude: -17, longitude: 180 },
  { latitude: -17, longitude: -180 },
  { latitude: -16.8, longitude: 179.99 },
  { latitude: 90, longitude: 12 },
  { latitude: 54.9, longitude: 6.1 }
)

const square = fc
  .tuple(fc.constantFrom(11, 12, -180, 179), fc.constantFrom(47, 48, -17.5, 89))
  .map(([west, south]) => ({
    type: "Polygon",
    coordinates: [
      [
        [west, south],
        [west + 1, south],
        [west + 1, south + 1],
        [west, south + 1],
        [west, south]
      ]
    ]
  }))

const categories = maybe(fc.subarray(["office", "hotel", "land"], { minLength: 1, maxLength: 2 }))
const tags = maybe(fc.subarray(["waterfront", "portfolio", "rail_access"], { minLength: 1, maxLength: 2 }))

const property = fc.record({
  name: fc.constant("Turm"),
  country: maybe(country),
  coordinates: maybe(coordinates),
  categories,
  tags,
  yearBuilt: maybe(fc.integer({ min: 1980, max: 2000 })),
  conversions: maybe(fc.constantFrom(["to_hotel"], ["to_office"]))
})

const place = fc.oneof(
  fc.constant({}),
  square.map((geography) => ({ geography })),
  fc.record({ near: coordinates, radius: fc.constantFrom(100, 60_000, 300_000) })
)

const mandate = fc
  .record({
    name: fc.constant("Office"),
    country: maybe(country),
    categories,
    negativeTags: maybe(fc.constantFrom(["portfolio"], ["waterfront"])),
    yearBuilt: maybe(fc.constantFrom({ min: 1990, max: null })),
    conversions: maybe(fc.constant(["to_office"]))
  })
  .chain((members) => place.map((where) => ({ ...members, ...where })))

layer(TestService.layer, { excludeTestServices: true })("The candidates of matches", (it) => {
  it.effect("miss none, from either side, also at the antimeridian and at a pole", () =>
    Effect.gen(function* () {
      const { createAll, matches, token } = yield* MatchesClient.make()
      const { request } = yield* TestService
      const { territoryOf } = yield* Locations
      const seed = 20_261_123
      const properties = yield* createAll("properties", fc.sample(property, { seed, numRuns: 40 }))
      const mandates = yield* createAll("mandates", fc.sample(mandate, { seed, numRuns: 60 }))
      const read = <R>(kind: string, id: string) =>
        Effect.map(request<R>("GET", `/api/v1/${kind}/${id}`, { token }), ({ body }) => body)
      const allProperties = yield* Effect.forEach(properties, (id) => read<Property>("properties", id))
      const allMandates = yield* Effect.forEach(mandates, (id) => read<Mandate>("mandates", id))
      const outlines = new Map(
        yield* Effect.forEach(["DE", "AT", "NZ", "FJ"], (code) =>
          Effect.map(territoryOf(code), (area) => [code, area] as const)
        )
      )
      const expected = allProperties.flatMap((one) =>
        allMandates.flatMap((other) => {
          const location = compareLocations(one, locatedOf({ ...other, wholeCountries: [] }), (code) =>
            outlines.get(code ?? "")
          )
          const { excluded, score } = match(one, other, location)
          return excluded ? [] : [`${one.id} ${other.id} ${score}`]
        })
      )
      const found = yield* Effect.forEach(properties, (id) =>
        Effect.map(matches("properties", id, "?min_score=0&page_size=500"), ({ body }) =>
          body.data.map((one) => `${id} ${one.id} ${one.score}`)
        )
      )
      const reversed = yield* Effect.forEach(mandates, (id) =>
        Effect.map(matches("mandates", id, "?min_score=0&page_size=500"), ({ body }) =>
          body.data.map((one) => `${one.id} ${id} ${one.score}`)
        )
      )
      assert.isAbove(expected.length, 200)
      assert.deepStrictEqual(found.flat().sort(), expected.toSorted())
      assert.deepStrictEqual(reversed.flat().sort(), expected.toSorted())
    })
  )

  it.effect("are read on until no other one can come before those of a page", () =>
    Effect.gen(function* () {
      const { createAll, mandate, matches } = yield* MatchesClient.make()
      // The indexes of candidates do not have what they can become, so that all can have the highest score.
      const seed = 36
      const wishes: ReadonlyArray<ReadonlyArray<string>> = fc.sample(
        fc.constantFrom(["to_hotel"], ["to_hotel"], ["to_hotel"], ["to_office"], []),
        {
          seed,
          numRuns: 100
        }
      )
      const ids = yield* createAll(
        "properties",
        wishes.map((conversions, n) => ({
          name: `Turm ${n}`,
          conversions,
          ...(n % 7 === 0 ? { yearBuilt: 1987 } : {})
        }))
      )
      const wanting = yield* mandate({ conversions: ["to_office"], yearBuilt: { min: 1990, max: null } })
      const scoreOf = (n: number) => 100 - (wishes[n]?.includes("to_hotel") === true ? 20 : 0) - (n % 7 === 0 ? 10 : 0)
      const expected = ids.map((id, n) => [id, scoreOf(n)] as const).toSorted(([, a], [, b]) => b - a)
      const found: Array<readonly [string, number]> = []
      let next: string | null = ""
      while (next !== null) {
        const { body }: Reply<PropertyMatchPage> = yield* matches("mandates", wanting, `?page_size=10${next}`)
        found.push(...body.data.map((one) => [one.id, one.score] as const))
        next = body.page.nextCursor === null ? null : `&cursor=${body.page.nextCursor}`
      }
      assert.deepStrictEqual(found, expected)
    })
  )

  it.effect("have room in their indexes for all that a property can say", () =>
    Effect.gen(function* () {
      const { matches, mandate, property } = yield* MatchesClient.make()
      const amount = 999_999_999.9999
      const share = { value: 12.3456, unit: "percent" }
      const most = {
        categories: vocabulary.categories,
        tags: vocabulary.propertyTags,
        lifecycleStage: "pre_development",
        tenure: vocabulary.tenures.toSorted((a, b) => b.length - a.length)[0],
        dealStructure: "either",
        yearBuilt: 1998,
        unitCount: 99_999,
        parcelArea: { value: amount, unit: "sqm" },
        lettableArea: { value: amount, unit: "sqm" },
        pricing: {
          askingPrice: { value: amount, currency: "EUR" },
          qualifier: "on_application",
          purchaserCosts: share,
          netInitialYield: share,
          toppedUpNetInitialYield: share,
          grossInitialYield: share,
          reversionaryYield: share,
          rentMultiplier: 1_234.5678,
          vatTreatment: "exclusive"
        }
      }
      const id = yield* property({ ...most, country: "DE" })
      const { body } = yield* matches("mandates", yield* mandate({ country: "DE" }))
      assert.deepStrictEqual(
        body.data.map((one) => one.id),
        [id]
      )
    })
  )
})
