/** Which mandates fit many teasers, without the store. */
import * as Id from "../../../src/core/Id.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Locations } from "../../../src/market/mandates/Locations.ts"
import { blank } from "../../../src/market/mandates/rules.ts"
import { CandidatesRepo } from "../../../src/market/matches/CandidatesRepo.ts"
import { FittingMandates } from "../../../src/market/matches/Matches.ts"
import type { SeenProperty } from "../../../src/market/matches/rules.ts"

const seen: SeenProperty = {
  categories: ["office"],
  country: null,
  prices: [{ min: 10_000_000, max: 20_000_000, currency: "EUR" }],
  yield: { min: 3, max: 5 },
  area: { min: 5_000, max: 10_000 },
  yearBuilt: null,
  zoning: null,
  tenure: null,
  tags: ["core"],
  conversions: [],
  energy: null,
  wault: null
}

const mandate = {
  ...blank,
  categories: ["office"],
  lettableArea: { min: 4_000, max: 8_000, unit: "sqm" }
} as typeof blank

const uuid = (index: number) => `01900000-0000-7000-8000-${String(index).padStart(12, "0")}`

const own = Array.from({ length: 500 }, (_, index) => ({ uuid: uuid(index), compared: mandate }))

const unused = () => Effect.die(new Error("is not read"))

const layer = FittingMandates.layerNoDeps.pipe(
  Layer.provide(
    Layer.mergeAll(
      Layer.succeed(CandidatesRepo, {
        mandates: unused,
        properties: unused,
        own: () => Effect.succeed(own),
        areas: () => Effect.succeed(new Map())
      }),
      Layer.succeed(Locations, {
        resolve: unused,
        areaOfWanted: unused,
        areaOf: unused,
        territoryOf: unused,
        countriesMeeting: unused,
        featuresIn: unused
      })
    )
  )
)

// Seen to fail without the pacer: no other turn came before the end.
it.effect("compares a page of teasers in many turns of the event loop, with the best twenty of each", () =>
  Effect.gen(function* () {
    let turns = 0
    const count = setInterval(() => turns++)
    const found = yield* Effect.ensuring(
      (yield* FittingMandates).of(
        "team",
        Array.from({ length: 200 }, (_, index) => (index % 100 === 99 ? null : seen))
      ),
      Effect.sync(() => clearInterval(count))
    )
    const best = own.slice(0, 20).map((one) => Id.fromUuid("mandate", one.uuid))
    for (const [index, ids] of found.entries()) assert.deepStrictEqual(ids, index % 100 === 99 ? [] : best)
    assert.isAbove(turns, 5)
  }).pipe(Effect.provide(layer))
)
