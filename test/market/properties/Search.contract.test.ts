import * as PropertiesClient from "./PropertiesClient.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import type { Property } from "../../../src/market/properties/Property.ts"
import { Properties } from "../../../src/market/properties/Properties.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"

const client = PropertiesClient.make()

const area = (value: number) => ({ value, unit: "sqm" })

/** Three properties: an old tower in Köln, a listed hall in Lyon, and one without anything. */
const some = Effect.gen(function* () {
  const { made, ...others } = yield* client
  const price = (value: number, currency: string) => ({ pricing: { askingPrice: { value, currency } } })
  yield* made({
    name: "Turm",
    address: { street: "Müllerstraße", postalCode: "50667", locality: "Köln", country: "DE" },
    lettableArea: area(9.5),
    yearBuilt: 1950,
    heritageListed: false,
    categories: ["office", "hotel"],
    tags: ["rail_access"],
    ...price(1_000, "EUR")
  })
  yield* made({
    name: "Halle",
    description: "Am Fluß",
    locality: "Lyon",
    country: "FR",
    lettableArea: area(10.25),
    yearBuilt: 2001,
    heritageListed: true,
    income: { vacancyRate: { value: 12.5, unit: "percent" }, asOf: "2026-09-30" },
    ...price(900, "SEK")
  })
  yield* made({ name: "Nichts" })
  const found = (json: unknown) => Effect.map(others.search(json), ({ body }) => body.data.map(({ name }) => name))
  return { ...others, found }
})

layer(TestService.layer, { excludeTestServices: true })("A search of properties", (it) => {
  it.effect("looks for words in the name and the address", () =>
    Effect.gen(function* () {
      const { found } = yield* some
      assert.deepStrictEqual(yield* found({ query: "mullerstrasse koln" }), ["Turm"])
      assert.deepStrictEqual(yield* found({ query: "506" }), ["Turm"])
      assert.deepStrictEqual(yield* found({ query: "Muellerstraße Koeln" }), ["Turm"])
      assert.deepStrictEqual(yield* found({ filter: { locality: { eq: "KOELN" } } }), ["Turm"])
      assert.deepStrictEqual(yield* found({ filter: { "address.street": { prefix: "muel" } } }), ["Turm"])
      assert.deepStrictEqual(yield* found({ query: "lyon" }), ["Halle"])
      assert.deepStrictEqual(yield* found({ query: "fluss" }), [])
      assert.deepStrictEqual(yield* found({ filter: { description: { contains: "fluss" } } }), ["Halle"])
    })
  )

  it.effect("finds addresses of East Asia as they are written, without white space", () =>
    Effect.gen(function* () {
      const { made, search } = yield* client
      yield* made({
        name: "丸の内ビル",
        address: { street: "丸の内", houseNumber: "2-4-1", locality: "千代田区", region: "東京都", country: "JP" }
      })
      for (const query of [
        "東京都千代田区丸の内2-4-1",
        "千代田区丸の内",
        "東京都 丸の内ビル",
        "丸の内２\u2011４\u2011１"
      ]) {
        assert.lengthOf((yield* search({ query })).body.data, 1, query)
      }
    })
  )

  it.effect("filters by numbers, booleans, codes and lists, also inside of objects", () =>
    Effect.gen(function* () {
      const { found } = yield* some
      const by = (filter: unknown) => found({ filter })
      assert.deepStrictEqual(yield* by({ lettableArea: { gt: 9.5 } }), ["Halle"])
      assert.deepStrictEqual(yield* by({ lettableArea: { gte: 9.5, lt: 100 } }), ["Turm", "Halle"])
      assert.deepStrictEqual(yield* by({ yearBuilt: { in: [1950, 1951] } }), ["Turm"])
      assert.deepStrictEqual(yield* by({ yearBuilt: { exists: false } }), ["Nichts"])
      assert.deepStrictEqual(yield* by({ heritageListed: { eq: true } }), ["Halle"])
      assert.deepStrictEqual(yield* by({ "income.vacancyRate": { lte: 12.5 } }), ["Halle"])
      assert.deepStrictEqual(yield* by({ "income.asOf": { gte: "2026-01-01" } }), ["Halle"])
      assert.deepStrictEqual(yield* by({ "address.postalCode": { prefix: "50" } }), ["Turm"])
      assert.deepStrictEqual(
        yield* by({ "pricing.askingPrice": { gte: 900 }, "pricing.askingPrice.currency": { eq: "EUR" } }),
        ["Turm"]
      )
      assert.deepStrictEqual(yield* by({ categories: { in: ["retail", "hotel"] } }), ["Turm"])
      assert.deepStrictEqual(yield* by({ tags: { exists: false }, country: { exists: true } }), ["Halle"])
    })
  )

  it.effect("sorts by any scalar, page by page, with null last", () =>
    Effect.gen(function* () {
      const { found, search } = yield* some
      for (const field of ["lettableArea", "yearBuilt", "heritageListed"]) {
        assert.deepStrictEqual(yield* found({ sort: [{ field }] }), ["Turm", "Halle", "Nichts"], field)
        assert.deepStrictEqual(
          yield* found({ sort: [{ field, direction: "desc" }] }),
          ["Nichts", "Halle", "Turm"],
          field
        )
      }
      const names: Array<string | null> = []
      let cursor: string | null = null
      do {
        const { data, page }: Page<Property> = (yield* search({
          sort: [{ field: "income.vacancyRate" }, { field: "yearBuilt", direction: "desc" }],
          page_size: 1,
          ...(cursor === null ? {} : { cursor })
        })).body
        names.push(...data.map(({ name }) => name))
        cursor = page.nextCursor
      } while (cursor !== null)
      assert.deepStrictEqual(names, ["Halle", "Nichts", "Turm"])
    })
  )

  it.effect("refuses what cannot be compared", () =>
    Effect.gen(function* () {
      const { search } = yield* client
      const refused = yield* search({
        filter: {
          yearBuilt: { gt: "1990" },
          heritageListed: { gt: true },
          lettableArea: { contains: 9 },
          "income.vacancyrate": { eq: 1 },
          tenants: { exists: true }
        },
        sort: [{ field: "tags" }]
      })
      assert.sameMembers(
        [...faultsOf(refused)],
        [
          "body /filter/yearBuilt/gt wrong_type",
          "body /filter/heritageListed/gt unknown_member",
          "body /filter/lettableArea/contains unknown_member",
          "body /filter/income.vacancyrate unknown_member",
          "body /filter/tenants unknown_member",
          "body /sort/0/field unknown_field"
        ]
      )
    })
  )

  it.effect("finds no tombstones, which are purged after 90 days with their timeline", () =>
    Effect.gen(function* () {
      const { delete: remove, delta, found, search, teamId } = yield* some
      const { data } = (yield* search({ query: "turm" })).body
      yield* remove(data[0]?.id ?? "")
      assert.deepStrictEqual(yield* found({ query: "turm" }), [])
      const sql = yield* Database
      const { purge } = yield* Properties
      yield* inTeam(teamId)(
        sql`update properties set deleted_at = now() - interval '89 days' where deleted_at is not null and team_id = ${teamId}`
      )
      while ((yield* purge(100)) > 0);
      const count = inTeam(teamId)(
        sql<{ readonly n: string }>`select count(*) as n from properties where team_id = ${teamId}`
      )
      assert.deepStrictEqual(Number((yield* count)[0]?.n), 3)
      yield* inTeam(teamId)(
        sql`update properties set deleted_at = now() - interval '91 days' where deleted_at is not null and team_id = ${teamId}`
      )
      while ((yield* purge(100)) > 0);
      assert.deepStrictEqual(Number((yield* count)[0]?.n), 2)
      assert.strictEqual((yield* delta("?updated_since=2020-01-01&include_deleted=true")).status, 410)
    })
  )
})
