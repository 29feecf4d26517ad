/** Teasers over HTTP. projection/ has what they show, case by case. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../support/faults.ts"
import { TestService } from "../support/TestService.ts"
import * as TeasersClient from "./TeasersClient.ts"

const client = TeasersClient.make()

const hidden = {
  location: "hidden",
  categories: "hidden",
  price: "hidden",
  yield: "hidden",
  area: "hidden",
  yearBuilt: "hidden",
  zoning: "hidden",
  tenure: "hidden",
  tags: "hidden",
  conversions: "hidden",
  energy: "hidden",
  wault: "hidden",
  tenants: "hidden"
}

layer(TestService.layer, { excludeTestServices: true })("Teasers", (it) => {
  it.effect("of a property show the most discreet mode of each part, and a nudge, until somebody writes one", () =>
    Effect.gen(function* () {
      const { get, property } = yield* client
      const id = yield* property()
      const { body, headers, status } = yield* get(id)
      assert.strictEqual(status, 200)
      const { etag, ...teaser } = body
      assert.strictEqual(headers.get("etag"), etag)
      assert.deepStrictEqual(teaser, {
        stage: "property_added",
        publishedUtc: null,
        verifiedUtc: null,
        communicatedUtc: null,
        options: {
          location: "country",
          categories: "shown",
          price: "range",
          yield: "range",
          area: "range",
          yearBuilt: "range",
          zoning: "range",
          tenure: "shown",
          tags: "shown",
          conversions: "shown",
          energy: "shown",
          wault: "shown",
          tenants: "sector"
        },
        template: {
          location: ["hidden", "country", "region", "locality", "address"],
          categories: ["hidden", "shown"],
          price: ["hidden", "range", "exact"],
          yield: ["hidden", "range", "exact"],
          area: ["hidden", "range", "exact"],
          yearBuilt: ["hidden", "range", "exact"],
          zoning: ["hidden", "range", "exact"],
          tenure: ["hidden", "shown"],
          tags: ["multi_tenant", "partly_vacant"],
          conversions: ["hidden", "shown"],
          energy: ["hidden", "shown"],
          wault: ["hidden", "shown"],
          tenants: ["hidden", "sector", "named"]
        },
        tags: ["multi_tenant", "partly_vacant"],
        title: null,
        projection: {
          title: "Office, Germany",
          categories: ["office"],
          country: "DE",
          region: null,
          locality: null,
          address: null,
          price: { min: 20_000_000, max: 50_000_000, currency: "EUR", scale: "unit" },
          prices: [{ min: 20_000_000, max: 50_000_000, currency: "EUR", scale: "unit" }],
          yield: { min: 2, max: 5, unit: "percent" },
          area: { min: 10_000, max: 20_000, unit: "sqm" },
          yearBuilt: { min: 1990, max: 2000 },
          zoning: { gfa: { min: 10_000, max: 20_000, unit: "sqm" } },
          tenure: "freehold",
          tags: ["multi_tenant", "partly_vacant"],
          conversions: ["to_hotel"],
          energy: { class: "b" },
          wault: { min: 4.1, max: 4.1, unit: "years" },
          tenants: [{ name: null, sector: "office" }]
        },
        nudge: { code: "no_pre_market_yet" },
        createdUtc: null,
        updatedUtc: null,
        changeType: null,
        changeOrigin: null,
        deletedUtc: null
      })
    })
  )

  it.effect("are created by their first PATCH, as drafting, and answer no nudge from then on", () =>
    Effect.gen(function* () {
      const { events, get, patch, property } = yield* client
      const id = yield* property()
      const before = yield* get(id)
      const created = yield* patch(id, { options: { location: "locality" } })
      assert.strictEqual(created.status, 200, created.text)
      assert.strictEqual(created.body.stage, "drafting")
      assert.strictEqual(created.body.changeType, "created")
      assert.isUndefined(created.body.nudge)
      assert.strictEqual(created.body.projection.title, "Office, München")
      assert.notStrictEqual(created.body.etag, before.body.etag)
      assert.deepStrictEqual((yield* get(id)).body, created.body)
      const event = (yield* events).at(-1)
      assert.isUndefined(event?.["project_id"])
    })
  )

  it.effect("refuse modes that they do not know, or that the property cannot serve", () =>
    Effect.gen(function* () {
      const { patch, property } = yield* client
      const id = yield* property({ pricing: null })
      const unknown = yield* patch(id, { options: { price: "exact", area: "blurred", zone: "hidden" }, titel: "A" })
      assert.strictEqual(unknown.status, 400)
      assert.sameMembers(
        [...faultsOf(unknown)],
        ["body /titel unknown_member", "body /options/area not_allowed", "body /options/zone unknown_member"]
      )
      const unavailable = yield* patch(id, { options: { price: "exact", yield: "range", area: "exact" } })
      assert.deepStrictEqual(faultsOf(unavailable), [
        "body /options/price unavailable_mode",
        "body /options/yield unavailable_mode"
      ])
      assert.strictEqual((yield* patch(id, { options: { ...hidden } })).status, 200)
    })
  )
})
