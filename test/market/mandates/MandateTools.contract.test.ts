/** The tools of mandates and matches, called as an agent calls them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Agent from "../../support/Agent.ts"
import * as Tenant from "../../support/Tenant.ts"
import { TestService } from "../../support/TestService.ts"

const make = Effect.fnUntraced(function* (capabilities: Tenant.TenantOptions = { investor: "active" }) {
  const { request } = yield* TestService
  const { token } = yield* Tenant.make(capabilities)
  return { ...(yield* Agent.make(token)), rest: (path: string) => request("GET", `/api/v1${path}`, { token }) }
})

layer(TestService.layer, { excludeTestServices: true })("The tools of mandates", (it) => {
  it.effect("create a mandate with flat ranges, and say what its location was resolved to", () =>
    Effect.gen(function* () {
      const { call, rest } = yield* make()
      const { structured, text } = yield* call("create_mandate", {
        name: "Halls",
        investmentSizeMin: 5_000_000,
        currency: "EUR",
        location: "Munich"
      })
      assert.strictEqual((structured["resolvedLocation"] as { kind?: string } | undefined)?.kind, "city", text)
      const { body } = yield* rest(`/mandates/${structured.id}`)
      assert.deepStrictEqual(body["investmentSize"], { min: 5_000_000, max: null, currency: "EUR", scale: "unit" })
      const found = yield* call("search_mandates", { location: "Munich" })
      assert.deepInclude((found.structured["mandates"] as ReadonlyArray<object>)[0], {
        id: structured.id,
        match: "area"
      })
      const read = yield* call("get_mandate", { mandate: structured.id })
      assert.deepStrictEqual(read.structured["geography"], body["geography"])
    })
  )

  it.effect("read a mandate whose outline is too long for an answer: what is around it, and how much is left out", () =>
    Effect.gen(function* () {
      const { call, rest } = yield* make()
      const circle = Array.from({ length: 2_000 }, (_, index) => (index * Math.PI) / 1_000)
      const ring = circle.map((angle) => [11 + Math.cos(angle), 48 + Math.sin(angle) / 2])
      const geography = { type: "Polygon", coordinates: [[...ring, ring[0]]] }
      const { structured, text } = yield* call("create_mandate", { name: "Halls", geography })
      assert.isString(structured.id, text.slice(0, 500))
      const read = yield* call("get_mandate", { mandate: structured.id })
      assert.isAtMost(read.text.length, 40_000)
      assert.notProperty(read.structured, "geography")
      assert.deepStrictEqual(read.structured["bbox"], [10, 47.5, 12, 48.5])
      const { body } = yield* rest(`/mandates/${structured.id}`)
      const { coordinates } = body["geography"] as { readonly coordinates: ReadonlyArray<ReadonlyArray<unknown>> }
      assert.deepStrictEqual(read.structured["leftOut"], { geography: coordinates.flat().length })
    })
  )

  it.effect("answer the candidates of an ambiguous location, and refuse two modes of place", () =>
    Effect.gen(function* () {
      const { call } = yield* make()
      const ambiguous = yield* call("create_mandate", { name: "Halls", location: "Frankfurt" })
      const [fault] = ambiguous.structured.error.errors ?? []
      assert.deepInclude(fault, { argument: "location", code: "location_ambiguous" })
      assert.isAbove((fault as { candidates?: ReadonlyArray<unknown> }).candidates?.length ?? 0, 1)
      const two = yield* call("search_mandates", {
        location: "Munich",
        near: { latitude: 48, longitude: 11 },
        radius: 500
      })
      assert.strictEqual(two.structured.error.errors?.[0]?.code, "geography_conflict")
    })
  )

  it.effect("change a range only with both ends, and nothing in a preview of a deletion", () =>
    Effect.gen(function* () {
      const { call } = yield* make()
      const { structured } = yield* call("create_mandate", {
        name: "Halls",
        lettableAreaMin: 100,
        lettableAreaMax: 900
      })
      const mandate = structured.id
      const half = yield* call("update_mandate", { mandate, lettableAreaMin: 200 })
      assert.strictEqual(half.structured.error.errors?.[0]?.argument, "lettableAreaMax")
      const whole = yield* call("update_mandate", { mandate, lettableAreaMin: 200, lettableAreaMax: null })
      assert.deepStrictEqual(whole.structured["lettableArea"], { min: 200, max: null, unit: "sqm" })
      const preview = yield* call("delete_mandate", { mandate, preview: true })
      assert.deepStrictEqual(preview.structured.preview?.affected, [
        { type: "mandate", id: mandate, change: "deleted" }
      ])
      assert.isFalse((yield* call("get_mandate", { mandate })).isError)
      yield* call("delete_mandate", { mandate })
      assert.strictEqual((yield* call("get_mandate", { mandate })).structured.error.code, "not_found")
    })
  )

  it.effect("match mandates and properties, and list no offers of a team that received none", () =>
    Effect.gen(function* () {
      const { call } = yield* make()
      const { structured } = yield* call("create_mandate", { name: "Halls", categories: ["logistics"] })
      const matched = yield* call("match_mandate", { mandate: structured.id })
      assert.deepStrictEqual<object>(matched.structured, { properties: [], nextCursor: null, isComplete: true })
      const offers = yield* call("list_offers", { filter: "active" })
      assert.deepStrictEqual(offers.structured["offers"], [])
      assert.strictEqual((yield* call("get_offer", { offer: "ext=hubspot:1" })).structured.error.code, "not_found")
      const broker = yield* make({})
      const refused = yield* broker.call("get_offer", { offer: "ext=hubspot:1" })
      assert.strictEqual(refused.structured.error.code, "capability_required")
    })
  )
})
