/** Teasers over HTTP. projection/ has what they show, case by case, and Plans.contract.test.ts what the free plan makes of them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import type { Teaser } from "../../../src/deals/teasers/Teaser.ts"
import { faultsOf } from "../../support/faults.ts"
import { untilSettled } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import * as TeasersClient from "./TeasersClient.ts"

const client = TeasersClient.make()

const { roomTeaserPath } = TeasersClient

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
      const { get, patch, property } = yield* client
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

  it.effect("keep the tags of their first PATCH, those that were written, and with null those of the moment", () =>
    Effect.gen(function* () {
      const { get, patch, properties, property } = yield* client
      const id = yield* property({ tags: ["multi_tenant", "partly_vacant"] })
      yield* properties.patch(id, { tags: ["multi_tenant", "prime_location"] })
      assert.deepStrictEqual((yield* get(id)).body.tags, ["multi_tenant", "prime_location"])
      yield* patch(id, { title: "Core" })
      yield* properties.patch(id, { tags: ["multi_tenant", "long_lease"] })
      assert.deepStrictEqual((yield* get(id)).body.projection.tags, ["multi_tenant", "prime_location"])
      const clamped = yield* patch(id, { tags: ["long_lease", "waterfront", "long_lease", "no such tag"] })
      assert.strictEqual(clamped.status, 200, clamped.text)
      assert.deepStrictEqual(clamped.body.tags, ["long_lease"])
      assert.deepStrictEqual(clamped.body.projection.tags, ["long_lease"])
      yield* properties.patch(id, { tags: ["multi_tenant"] })
      const kept = yield* get(id)
      assert.deepStrictEqual([kept.body.tags, kept.body.template.tags], [["long_lease"], ["multi_tenant"]])
      assert.strictEqual((yield* patch(id, { tags: ["long_lease"] })).body.etag, kept.body.etag)
      assert.deepStrictEqual((yield* patch(id, { tags: [] })).body.projection.tags, [])
      assert.deepStrictEqual((yield* patch(id, { tags: null })).body.tags, ["multi_tenant"])
      yield* properties.patch(id, { tags: ["waterfront"] })
      const pinned = yield* get(id)
      assert.deepStrictEqual(pinned.body.projection.tags, ["multi_tenant"])
      assert.deepStrictEqual((yield* patch(id, { options: { tags: "hidden" } })).body.projection.tags, [])
    })
  )

  it.effect("have the title that the broker wrote, until it is null again, and none that names what is hidden", () =>
    Effect.gen(function* () {
      const { get, patch, property } = yield* client
      const id = yield* property()
      const written = yield* patch(id, { title: "  Core office  " })
      assert.deepStrictEqual([written.body.title, written.body.projection.title], ["Core office", "Core office"])
      for (const title of ["Office in MUNCHEN", "Bürohaus Landsberger Straße", "Let to Nordlicht Software GmbH"]) {
        const refused = yield* patch(id, { title })
        assert.deepStrictEqual([refused.status, faultsOf(refused)], [400, ["body /title names_hidden"]])
      }
      assert.strictEqual((yield* patch(id, { title: "In München", options: { location: "locality" } })).status, 200)
      const hidden = yield* patch(id, { options: { location: "country" } })
      assert.deepStrictEqual([hidden.body.title, hidden.body.projection.title], ["In München", "Office, Germany"])
      assert.strictEqual((yield* patch(id, { title: "In München" })).body.etag, hidden.body.etag)
      assert.isNull((yield* patch(id, { title: null })).body.title)
      assert.strictEqual((yield* get(id)).body.projection.title, "Office, Germany")
    })
  )

  it.effect("compose titles in the language of the caller", () =>
    Effect.gen(function* () {
      const { get, property, setLanguage } = yield* client
      const id = yield* property()
      yield* setLanguage("de-AT")
      assert.strictEqual((yield* get(id)).body.projection.title, "Büro, Deutschland")
      yield* setLanguage("fi-FI")
      assert.strictEqual((yield* get(id)).body.projection.title, "Office, Germany")
    })
  )

  it.effect("have an ETag that changes with what they show, and honour the conditional headers", () =>
    Effect.gen(function* () {
      const { get, patch, properties, property } = yield* client
      const id = yield* property()
      const { etag } = (yield* patch(id, { title: "Core" })).body
      assert.strictEqual((yield* get(id, { "if-none-match": etag })).status, 304)
      yield* properties.patch(id, { yearBuilt: 2011 })
      const later = yield* get(id, { "if-none-match": etag })
      assert.deepStrictEqual([later.status, later.body.projection.yearBuilt?.min], [200, 2010])
      const stale = yield* patch(id, { title: "Prime" }, { "if-match": etag })
      assert.strictEqual(stale.status, 412)
      assert.deepInclude(JSON.parse(stale.text), { code: "precondition_failed", currentEtag: later.body.etag })
      const fresh = yield* patch(id, { title: "Prime" }, { "if-match": later.body.etag })
      assert.strictEqual(fresh.status, 200)
      assert.notStrictEqual(fresh.body.etag, later.body.etag)
    })
  )

  it.effect("take back what was read without a trace, and refuse other values of read-only members", () =>
    Effect.gen(function* () {
      const { get, patch, properties, property } = yield* client
      const id = yield* property()
      const created = yield* patch(id, {})
      assert.deepStrictEqual([created.status, created.body.stage], [200, "drafting"])
      yield* patch(id, { options: { price: "exact" }, tags: null })
      const { body } = yield* get(id)
      const rows = (yield* properties.actions(id)).body.data.length
      assert.deepStrictEqual((yield* patch(id, body)).body, body)
      assert.strictEqual((yield* properties.actions(id)).body.data.length, rows)
      const refused = yield* patch(id, { stage: "published", projection: { ...body.projection, country: "AT" } })
      assert.sameMembers([...faultsOf(refused)], ["body /stage read_only", "body /projection read_only"])
      assert.deepStrictEqual((yield* patch(id, { options: { price: null } })).body.options.price, "range")
    })
  )

  it.effect("record each change on the timeline of their subject, and as an event", () =>
    Effect.gen(function* () {
      const { patch, project, projects, property, room } = yield* client
      const id = yield* project(yield* property())
      const dataRoom = yield* room(id)
      yield* patch(id, { options: { price: "exact" }, tags: [] })
      yield* patch(roomTeaserPath(id, dataRoom), { title: "For members" })
      const [ofRoom, ofProject] = (yield* projects.actions(id)).body.data
      assert.deepInclude(ofRoom, { event: "teaser.updated", subject: "room", subjectId: dataRoom })
      assert.deepInclude(ofProject, {
        event: "teaser.updated",
        details: { kind: "audit", changedFields: ["options", "tags"] }
      })
      yield* untilSettled("events")
      const { body } = yield* projects.request<{ readonly data: ReadonlyArray<object> }>(
        "GET",
        "/api/v1/changes?types=teaser.*",
        { token: projects.token }
      )
      assert.deepInclude(body.data[0], {
        resource_type: "teaser",
        resource_id: id,
        changed_fields: ["options", "tags"]
      })
      assert.deepInclude(body.data[1], { resource_id: dataRoom, project_id: id, room_id: dataRoom })
    })
  )

  it.effect("show what a dry run would change, and change nothing", () =>
    Effect.gen(function* () {
      const { get, patch, property } = yield* client
      const id = yield* property()
      const before = (yield* get(id)).body
      const reply = yield* patch(id, { options: { price: "exact" } }, { prefer: "dry-run" })
      assert.deepStrictEqual([reply.status, reply.headers.get("preference-applied")], [200, "dry-run"])
      const report = reply.body as unknown as { readonly result: Teaser; readonly events: unknown }
      assert.strictEqual(report.result.stage, "drafting")
      assert.deepStrictEqual(report.events, [{ event: "teaser.updated", resource_id: id }])
      assert.deepStrictEqual((yield* get(id)).body, before)
    })
  )

  it.effect("of a room are those of the project, until one of its own is written", () =>
    Effect.gen(function* () {
      const { get, patch, project, property, room } = yield* client
      const id = yield* project(yield* property())
      const path = roomTeaserPath(id, yield* room(id))
      yield* patch(id, { options: { location: "region" }, title: "Core", tags: ["multi_tenant"] })
      const virtual = yield* get(path)
      const ofProject = (yield* get(id)).body
      assert.deepStrictEqual(virtual.body.nudge, { code: "room_teaser_not_designed" })
      assert.deepStrictEqual(virtual.body.projection, ofProject.projection)
      assert.strictEqual(virtual.body.stage, "drafting")
      const own = yield* patch(path, { options: { location: "locality" } }, { "if-match": virtual.body.etag })
      assert.strictEqual(own.status, 200, own.text)
      assert.isUndefined(own.body.nudge)
      assert.deepStrictEqual([own.body.title, own.body.tags], ["Core", ["multi_tenant"]])
      assert.strictEqual(own.body.projection.locality, "München")
      assert.strictEqual((yield* get(id)).body.projection.locality, null)
      yield* patch(id, { title: "Prime" })
      assert.strictEqual((yield* get(path)).body.title, "Core")
    })
  )

  it.effect("belong to their team, and rooms to their project", () =>
    Effect.gen(function* () {
      const { get, patch, project, property, room } = yield* client
      const others = yield* TeasersClient.make()
      const office = yield* property()
      const [id, other] = [yield* project(office), yield* project()]
      const dataRoom = yield* room(id)
      for (const subject of [office, id, roomTeaserPath(id, dataRoom)]) {
        assert.strictEqual((yield* others.get(subject)).status, 404)
        assert.strictEqual((yield* others.patch(subject, { title: "Mine" })).status, 404)
      }
      assert.strictEqual((yield* get(roomTeaserPath(other, dataRoom))).status, 404)
      assert.strictEqual((yield* patch(id, { title: "Mine" }, {}, "?force=true")).status, 400)
    })
  )

  it.effect("come back with a restored project, and go with a deleted property", () =>
    Effect.gen(function* () {
      const { get, move, patch, project, projects, properties, property } = yield* client
      const sql = yield* Database
      const office = yield* property()
      yield* patch(office, { title: "Core" })
      const id = yield* project(yield* property())
      yield* move(id, "publish")
      const { body } = yield* get(id)
      yield* projects.delete(id)
      assert.strictEqual((yield* get(id)).status, 404)
      yield* projects.restore(id)
      assert.deepStrictEqual((yield* get(id)).body, body)
      assert.strictEqual((yield* projects.get(id)).body.publishedUtc, body.publishedUtc)
      yield* properties.delete(office)
      assert.strictEqual((yield* get(office)).status, 404)
      const left = yield* Effect.orDie(sql`
        select from teasers where subject_id = ${Id.toUuid("property", office) ?? null}`)
      assert.lengthOf(left, 0)
    })
  )

  it.effect("of a project show its properties together, and follow its list", () =>
    Effect.gen(function* () {
      const { get, project, projects, property } = yield* client
      const swiss = {
        country: "CH",
        locality: null,
        address: null,
        pricing: { askingPrice: { value: 7, currency: "CHF" } }
      }
      const [one, two] = [yield* property(), yield* property(swiss)]
      const id = yield* project(one, two)
      const both = (yield* get(id)).body.projection
      assert.isNull(both.price)
      assert.deepStrictEqual(
        both.prices.map(({ currency }) => currency),
        ["CHF", "EUR"]
      )
      assert.deepStrictEqual([both.country, both.area?.min], [null, 20_000])
      yield* projects.patch(id, { propertyIds: [one] })
      assert.strictEqual((yield* get(id)).body.projection.country, "DE")
      yield* projects.patch(id, { propertyIds: [] })
      assert.deepStrictEqual((yield* get(id)).body.projection.categories, [])
    })
  )
})
