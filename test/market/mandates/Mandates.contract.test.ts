import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

const client = RecordsClient.make()
const path = RecordsClient.pathOf("mandates")

const square = (west: number, south: number, size = 1) => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south]
    ]
  ]
})

const full = {
  name: " Value-add logistics ",
  description: "Halls within an hour of Munich.",
  status: "paused",
  validUntilUtc: "2027-12-31T23:00:00+01:00",
  categories: ["logistics", "light_industrial", "logistics"],
  subcategories: ["distribution_warehouse"],
  lifecycleStages: ["operating"],
  tenures: ["freehold"],
  dealStructures: ["either"],
  conversions: ["to_data_centre"],
  riskProfiles: ["value_add"],
  investmentSize: { min: 5, max: 25.5, currency: "EUR", scale: "million" },
  yearBuilt: { min: 1990, max: null },
  parcelArea: { min: null, max: 90_000, unit: "sqm" },
  lettableArea: { min: 3_000, max: 3_000, unit: "sqm" },
  zoningGfa: { min: 1, max: 2, unit: "sqm" },
  netInitialYield: { min: 4.75, max: 6, unit: "percent" },
  vacancyRate: { min: 20, max: 100, unit: "percent" },
  targetIrr: { min: 8, max: null, unit: "percent" },
  wault: { min: 0, max: 4.5, unit: "years" },
  unitCount: { min: 1, max: 12 },
  pricePerSqm: { min: 800, max: 2_500, currency: "EUR", scale: "unit" },
  worstEnergyClass: "d",
  country: "DE",
  geography: square(11, 48),
  positiveTags: ["motorway_access", "partly_vacant", "motorway_access"],
  negativeTags: ["contaminated_land"],
  externalRefs: [{ namespace: "hubspot", externalId: "m-88" }]
}

layer(TestService.layer, { excludeTestServices: true })("Mandates", (it) => {
  it.effect("are created with every member, and read back", () =>
    Effect.gen(function* () {
      const {
        companies,
        mandates: { create, get, list }
      } = yield* client
      const { id: companyId } = (yield* companies.create({ name: "Rossi" })).body
      const created = yield* create({ ...full, investor: { companyId, contactId: null } })
      assert.strictEqual(created.status, 201, created.text)
      const { body } = created
      assert.strictEqual(created.headers.get("location"), `${path}/${body.id}`)
      assert.strictEqual(created.headers.get("etag"), body.etag)
      assert.match(body.id, /^mandate_[0-9a-hjkmnp-tv-z]{26}$/)
      assert.deepStrictEqual<unknown>(body, {
        id: body.id,
        ...full,
        name: "Value-add logistics",
        validUntilUtc: "2027-12-31T22:00:00.000Z",
        investor: { companyId },
        categories: ["logistics", "light_industrial"],
        near: null,
        radius: null,
        positiveTags: ["motorway_access", "partly_vacant"],
        createdUtc: body.createdUtc,
        updatedUtc: body.createdUtc,
        etag: body.etag,
        changeType: "created",
        changeOrigin: "api",
        deletedUtc: null
      })
      const read = yield* get(body.id)
      assert.deepStrictEqual([read.status, read.body, read.headers.get("etag")], [200, body, body.etag])
      assert.deepStrictEqual((yield* list()).body.data, [body])
      assert.strictEqual((yield* get(body.id, { "if-none-match": body.etag })).status, 304)
    })
  )

  it.effect("need only a name, and leave everything else open", () =>
    Effect.gen(function* () {
      const {
        mandates: { create }
      } = yield* client
      assert.deepStrictEqual(faultsOf(yield* create({ status: "active" })), ["body /name required"])
      const { body } = yield* create({ name: "Anything" })
      const { changeOrigin, changeType, createdUtc, deletedUtc, etag, id, name, status, updatedUtc, ...open } = body
      assert.deepStrictEqual(
        [name, status, changeType, changeOrigin, deletedUtc],
        ["Anything", "active", "created", "api", null]
      )
      assert.isTrue(id !== "" && etag !== "" && createdUtc === updatedUtc)
      for (const [member, value] of Object.entries(open)) {
        assert.deepStrictEqual<unknown>(value, Array.isArray(value) ? [] : null, member)
      }
      assert.strictEqual(Object.keys(open).length, 29)
    })
  )

  it.effect("reject what is not known and what cannot be, all faults at once", () =>
    Effect.gen(function* () {
      const {
        mandates: { create }
      } = yield* client
      const rejected = yield* create({
        name: "x".repeat(201),
        titel: "Logistics",
        status: "open",
        validUntilUtc: "2027-02-30",
        categories: ["logistics", "logistic"],
        riskProfiles: ["core+"],
        investmentSize: { min: 25, max: 5, currency: "EUR", scale: "million" },
        yearBuilt: { min: 990, max: 2015.5 },
        parcelArea: { min: 1, max: 2 },
        lettableArea: { min: 1, max: 2, unit: "sqft" },
        netInitialYield: { min: 4, max: 101, unit: "percent" },
        wault: { min: -1, max: 4, unit: "years" },
        unitCount: { min: 1.5, max: null },
        pricePerSqm: { min: 1, max: 2, currency: "EURO", scale: "unit" },
        worstEnergyClass: "i",
        country: "UK",
        positiveTags: ["sea_view"],
        etag: '"v1"'
      })
      assert.strictEqual(rejected.status, 400)
      assert.deepStrictEqual(faultsOf(rejected).toSorted(), [
        "body /categories/1 not_allowed",
        "body /country invalid_country",
        "body /etag read_only",
        "body /investmentSize invalid_range",
        "body /lettableArea/unit not_allowed",
        "body /name too_long",
        "body /netInitialYield/max out_of_range",
        "body /parcelArea/unit required",
        "body /positiveTags/0 not_allowed",
        "body /pricePerSqm/currency invalid_currency",
        "body /riskProfiles/0 not_allowed",
        "body /status not_allowed",
        "body /titel unknown_member",
        "body /unitCount/min invalid",
        "body /validUntilUtc invalid_timestamp",
        "body /wault/min out_of_range",
        "body /worstEnergyClass not_allowed",
        "body /yearBuilt/max invalid",
        "body /yearBuilt/min out_of_range"
      ])
      assert.include(rejected.text, 'Did you mean \\"logistics\\"?')
    })
  )

  it.effect("have no tag that is both positive and negative, also after a patch", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, patch, upsert }
      } = yield* client
      const both = ["body /negativeTags tag_conflict"]
      const tags = { positiveTags: ["waterfront", "rail_access"], negativeTags: ["portfolio", "rail_access"] }
      assert.deepStrictEqual(faultsOf(yield* create({ name: "Both", ...tags })), both)
      const { id } = (yield* create({ name: "Tags", positiveTags: ["rail_access"] })).body
      assert.deepStrictEqual(faultsOf(yield* patch(id, { negativeTags: ["rail_access"] })), both)
      const moved = yield* patch(id, { positiveTags: [], negativeTags: ["rail_access"] })
      assert.deepStrictEqual([moved.status, moved.body.negativeTags], [200, ["rail_access"]])
      const [receipt] = (yield* upsert([{ id, positiveTags: ["rail_access"] }])).body.results
      assert.deepStrictEqual(receipt?.problem?.errors?.[0]?.pointer, "/items/0/negativeTags")
    })
  )

  it.effect("are kept for one contact or company of the network", () =>
    Effect.gen(function* () {
      const {
        companies,
        contacts,
        mandates: { create, list, patch }
      } = yield* client
      const stranger = yield* client
      const { id: contactId } = (yield* contacts.create({ firstName: "Anna" })).body
      const { id: companyId } = (yield* companies.create({ name: "Rossi" })).body
      const { id: theirs } = (yield* stranger.contacts.create({ firstName: "Ben" })).body
      const { id: gone } = (yield* contacts.create({ firstName: "Carl" })).body
      yield* contacts.delete(gone)
      const asked = (investor: unknown) => Effect.map(create({ name: "For", investor }), faultsOf)
      for (const investor of [
        {},
        { contactId, companyId },
        { contactId: null },
        { contactId: null, companyId: null }
      ]) {
        assert.deepStrictEqual(yield* asked(investor), ["body /investor exactly_one"])
      }
      for (const id of [theirs, gone, companyId, "nobody"]) {
        assert.deepStrictEqual(yield* asked({ contactId: id }), ["body /investor/contactId invalid_reference"], id)
      }
      assert.deepStrictEqual(yield* asked({ companyId: contactId }), ["body /investor/companyId invalid_reference"])
      const { body } = yield* create({ name: "Anna's", investor: { contactId } })
      assert.deepStrictEqual(body.investor, { contactId })
      yield* create({ name: "Ours" })
      const names = (query: string) => Effect.map(list(query), (reply) => reply.body.data.map(({ name }) => name))
      assert.deepStrictEqual(yield* names(`?contact_id=${contactId}`), ["Anna's"])
      assert.deepStrictEqual(yield* names(`?company_id=${companyId}`), [])
      assert.deepStrictEqual(yield* names(`?contact_id=${companyId}`), [])
      yield* patch(body.id, { investor: { companyId } })
      assert.deepStrictEqual(yield* names(`?company_id=${companyId}`), ["Anna's"])
      assert.deepStrictEqual(yield* names(`?company_id=${companyId}&status=paused`), [])
      assert.isNull((yield* patch(body.id, { investor: null })).body.investor)
      assert.deepStrictEqual(yield* names(`?company_id=${companyId}`), [])
    })
  )

  it.effect("are patched: lists and ranges are replaced as a whole, null clears", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, get, patch }
      } = yield* client
      const { body: before } = yield* create({ ...full, status: "active" })
      const patched = yield* patch(
        before.id,
        { categories: ["office"], yearBuilt: { min: 2000, max: 2000 }, wault: null, description: null },
        { "if-match": before.etag }
      )
      assert.strictEqual(patched.status, 200, patched.text)
      const { changeType, etag, updatedUtc } = patched.body
      assert.deepStrictEqual<unknown>(patched.body, {
        ...before,
        categories: ["office"],
        yearBuilt: { min: 2000, max: 2000 },
        wault: null,
        description: null,
        changeType,
        etag,
        updatedUtc
      })
      assert.deepStrictEqual((yield* get(before.id)).body, patched.body)
      assert.deepStrictEqual(faultsOf(yield* patch(before.id, { yearBuilt: { min: 1990 } })), [
        "body /yearBuilt/max required"
      ])
      assert.deepStrictEqual(faultsOf(yield* patch(before.id, { status: null })), ["body /status not_allowed"])
      for (const member of ["name", "categories", "positiveTags", "externalRefs"]) {
        assert.deepStrictEqual(faultsOf(yield* patch(before.id, { [member]: null })), [`body /${member} wrong_type`])
      }
      assert.strictEqual((yield* patch(before.id, { status: "closed" }, { "if-match": before.etag })).status, 412)
      assert.deepStrictEqual(faultsOf(yield* patch(before.id, { id: "other" })), ["body /id read_only"])
    })
  )

  it.effect("change nothing when what was read is sent back", () =>
    Effect.gen(function* () {
      const {
        companies,
        events,
        mandates: { create, get, patch, upsert }
      } = yield* client
      const { id: companyId } = (yield* companies.create({ name: "Rossi" })).body
      const { body } = yield* create({ ...full, investor: { companyId } })
      const before = (yield* events).length
      const read = (yield* get(body.id)).body
      const patched = yield* patch(body.id, read)
      assert.deepStrictEqual([patched.status, patched.body], [200, body])
      const [receipt] = (yield* upsert([read])).body.results
      assert.deepStrictEqual([receipt?.status, receipt?.etag], ["unchanged", body.etag])
      yield* companies.delete(companyId)
      const closed = (yield* get(body.id)).body
      assert.strictEqual((yield* patch(body.id, closed)).body.etag, closed.etag)
      assert.strictEqual((yield* events).length, before + 2)
    })
  )

  it.effect("are for investors, also pending ones, and for brokers", () =>
    Effect.gen(function* () {
      for (const [options, status] of [
        [{ broker: null, investor: "pending" }, 201],
        [{ broker: "pending", investor: "active" }, 201],
        [{ broker: "active" }, 201],
        [{ broker: "pending" }, 403],
        [{ broker: null }, 403]
      ] as const) {
        const { mandates } = yield* RecordsClient.make(options)
        const reply = yield* mandates.create({ name: "Ours" })
        assert.strictEqual(reply.status, status, JSON.stringify(options))
        if (status === 403) assert.include(reply.text, '"capability":"investor"')
      }
    })
  )

  it.effect("are deleted: a delta shows their tombstones, and their references are free", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, delete: remove, delta, get, list }
      } = yield* client
      const { body } = yield* create(full)
      const start = (yield* list()).body.page.nextSince ?? ""
      assert.strictEqual((yield* remove(body.id)).status, 204)
      assert.strictEqual((yield* get(body.id)).status, 404)
      assert.deepStrictEqual((yield* list("?external_ref=hubspot:m-88")).body.data, [])
      const [tombstone] = (yield* delta(`?updated_since=${start}&include_deleted=true`)).body.data
      assert.deepInclude(tombstone, {
        id: body.id,
        changeType: "deleted",
        name: null,
        status: null,
        geography: null,
        investmentSize: null,
        categories: [],
        externalRefs: full.externalRefs
      })
      assert.strictEqual((yield* create(full)).status, 201)
      assert.strictEqual((yield* list("?external_ref=hubspot:m-88")).body.data.length, 1)
    })
  )

  it.effect("are read, upserted and deleted in batches", () =>
    Effect.gen(function* () {
      const {
        mandates: { batchDelete, batchGet, get, upsert }
      } = yield* client
      const refs = (externalId: string) => ({ externalRefs: [{ namespace: "crm", externalId }] })
      const items = [
        { name: "One", near: { latitude: 48, longitude: 11 }, radius: 5_000, ...refs("1") },
        { name: "Two", categories: ["offices"] },
        { country: "DE" },
        { status: "paused", ...refs("1") }
      ]
      const { results } = (yield* upsert(items)).body
      assert.deepStrictEqual(
        results.map(({ status }) => status),
        ["created", "failed", "failed", "updated"]
      )
      assert.strictEqual(results[1]?.problem?.errors?.[0]?.pointer, "/items/1/categories/0")
      const id = results[0]?.id ?? ""
      const read = (yield* get(id)).body
      assert.deepInclude(read, { status: "paused", radius: 5_000 })
      const got = (yield* batchGet([id, "mandate_01kb3n7x2ferwt5z8q4j6m9d0c"])).body.results
      assert.deepStrictEqual(
        got.map(({ resource, status }) => [status, resource]),
        [
          ["found", read],
          ["missing", undefined]
        ]
      )
      assert.deepStrictEqual(faultsOf(yield* batchGet([])), ["body /ids too_few"])
      assert.deepStrictEqual(faultsOf(yield* batchGet(Array.from({ length: 101 }, () => id))), ["body /ids too_many"])
      const again = (yield* upsert([items[0], items[3]])).body.results
      assert.deepStrictEqual(
        again.map(({ status }) => status),
        ["unchanged", "unchanged"]
      )
      assert.deepStrictEqual(
        (yield* batchDelete([id, id])).body.results.map(({ status }) => status),
        ["deleted", "missing"]
      )
    })
  )

  it.effect("are created once for one idempotency key, and not at all in a dry run", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, list }
      } = yield* client
      const key = { "idempotency-key": "m-1" }
      const first = yield* create(full, key)
      const again = yield* create(full, key)
      assert.deepStrictEqual([again.status, again.body], [201, first.body])
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      const dry = yield* create({ name: "Dry" }, { prefer: "dry-run" })
      assert.deepStrictEqual<unknown>((dry.body as unknown as { readonly events: unknown }).events, [
        {
          event: "mandate.created",
          resource_id: (dry.body as unknown as { readonly result: { id: string } }).result.id
        }
      ])
      assert.strictEqual((yield* list()).body.data.length, 1)
    })
  )

  it.effect("tell their changes in events and on their timeline", () =>
    Effect.gen(function* () {
      const {
        contacts,
        events,
        mandates: { actions, create, delete: remove, patch }
      } = yield* client
      const { id: contactId } = (yield* contacts.create({ firstName: "Anna" })).body
      const { id } = (yield* create({ name: "Anna's", investor: { contactId } })).body
      yield* patch(id, { near: { latitude: 48, longitude: 11 }, radius: 5_000, validUntilUtc: "2030-01-01" })
      yield* patch(id, { status: "active", name: "Anna's" })
      yield* patch(id, { investor: null, positiveTags: ["waterfront"] })
      yield* remove(id)
      const ofMandate = (yield* events).slice(1)
      assert.deepStrictEqual(
        ofMandate.map(({ changed_fields, contact_id, event, resource_id, resource_type }) => [
          event,
          resource_type,
          resource_id,
          contact_id,
          changed_fields
        ]),
        [
          ["mandate.created", "mandate", id, contactId, undefined],
          ["mandate.updated", "mandate", id, contactId, ["valid_until_utc", "geography", "near", "radius"]],
          ["mandate.updated", "mandate", id, undefined, ["positive_tags", "investor"]],
          ["mandate.deleted", "mandate", id, undefined, undefined]
        ]
      )
      const { id: other } = (yield* create({ name: "Other" })).body
      yield* patch(other, { riskProfiles: ["core"] })
      assert.deepStrictEqual(
        (yield* actions(other)).body.data.map(({ details, event }) => [event, details]),
        [
          ["mandate.updated", { kind: "audit", changedFields: ["riskProfiles"] }],
          ["mandate.created", { kind: "audit" }]
        ]
      )
    })
  )

  it.effect("are not left active when their contact is deleted or merged at the same time", () =>
    Effect.gen(function* () {
      const {
        contacts,
        mandates: { create, get, list },
        request,
        token
      } = yield* client
      yield* Effect.forEach([1, 2, 3, 4], (round) =>
        Effect.gen(function* () {
          const { id: contactId } = (yield* contacts.create({ firstName: "Anna" })).body
          const { id: other } = (yield* contacts.create({ firstName: "Ann" })).body
          const before = (yield* create({ name: "Before", investor: { contactId } })).body
          const isMerge = round % 2 === 0
          const gone = isMerge
            ? request("POST", `${RecordsClient.pathOf("contacts")}/${other}/merge`, {
                token,
                json: { from: [contactId] }
              })
            : contacts.delete(contactId)
          const meanwhile = Array.from({ length: 4 }, () => create({ name: "Meanwhile", investor: { contactId } }))
          const [removed, ...created] = yield* Effect.all([gone, ...meanwhile], { concurrency: "unbounded" })
          assert.include([200, 204], removed?.status, removed?.text)
          for (const { status, text } of created) assert.include([201, 400], status, text)
          const left = (yield* list(`?contact_id=${contactId}`)).body.data
          assert.deepStrictEqual(
            left.filter(({ status }) => status !== "closed"),
            []
          )
          const after = (yield* get(before.id)).body
          assert.deepStrictEqual(after.investor, { contactId: isMerge ? other : contactId })
        })
      )
    })
  )

  it.effect("follow a merge of their contact or company, and are closed when it is deleted", () =>
    Effect.gen(function* () {
      const {
        companies,
        contacts,
        events,
        mandates: { create, get },
        request,
        token
      } = yield* client
      const [anna, ann, rossi] = [
        (yield* contacts.create({ firstName: "Anna" })).body.id,
        (yield* contacts.create({ firstName: "Ann" })).body.id,
        (yield* companies.create({ name: "Rossi" })).body.id
      ]
      const ofAnn = (yield* create({ name: "Ann's", investor: { contactId: ann } })).body.id
      const ofRossi = (yield* create({ name: "Rossi's", investor: { companyId: rossi } })).body.id
      const untouched = (yield* create({ name: "Ours" })).body
      const merged = yield* request("POST", `${RecordsClient.pathOf("contacts")}/${anna}/merge`, {
        token,
        json: { from: [ann] }
      })
      assert.strictEqual(merged.status, 200, merged.text)
      assert.deepStrictEqual((yield* get(ofAnn)).body.investor, { contactId: anna })
      yield* contacts.delete(anna)
      yield* companies.delete(rossi)
      assert.deepInclude((yield* get(ofAnn)).body, { status: "closed", investor: { contactId: anna } })
      assert.deepInclude((yield* get(ofRossi)).body, { status: "closed", investor: { companyId: rossi } })
      assert.deepStrictEqual((yield* get(untouched.id)).body, untouched)
      assert.deepStrictEqual(
        (yield* events)
          .filter(({ event }) => event === "mandate.updated")
          .map(({ caused_by, changed_fields, resource_id }) => [resource_id, changed_fields, caused_by]),
        [
          [ofAnn, ["investor"], { event: "contact.updated", resource_id: anna }],
          [ofAnn, ["status"], { event: "contact.deleted", resource_id: anna }],
          [ofRossi, ["status"], { event: "company.deleted", resource_id: rossi }]
        ]
      )
    })
  )
})
