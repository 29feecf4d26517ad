import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import { typesAndIds } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import * as PropertiesClient from "./PropertiesClient.ts"

const client = PropertiesClient.make()

const area = (value: number) => ({ value, unit: "sqm" }) as const
const euros = (value: number) => ({ value, currency: "EUR" })
const percent = (value: number) => ({ value, unit: "percent" }) as const
const years = (value: number) => ({ value, unit: "years" }) as const

/** Every member, as a client writes it and reads it again. */
const full = {
  name: "Turm",
  description: "Am Fluss",
  country: "DE",
  locality: "München",
  address: {
    street: "Landsberger Straße",
    houseNumber: "84a",
    postalCode: "80339",
    region: "Bayern",
    country: "DE",
    locality: "München"
  },
  coordinates: { latitude: 48.1385, longitude: 11.5309 },
  parcels: [{ cadastralId: "8412/3", register: "Blatt 1204", area: area(4_180.25) }],
  categories: ["office", "retail"],
  subcategories: ["high_street"],
  lifecycleStage: "operating",
  tenure: "ground_lease",
  groundLease: { expiresOn: "2091-12-31", annualRent: euros(84_000) },
  ownershipShare: percent(99.9999),
  dealStructure: "either",
  parcelArea: area(4_180),
  grossFloorArea: { ...area(12_450.5), standard: "gea", measuredOn: "2025-03-01" },
  internalArea: area(11_200),
  lettableArea: area(10_640.1234),
  rentedArea: area(9_870),
  vacantArea: area(0),
  areasByUse: [{ use: "office", area: area(8_400), rentedArea: area(7_630) }],
  zoning: {
    gfa: area(14_000),
    uses: ["commercial", "mixed"],
    useClass: "MK",
    status: "zoned",
    planReference: "1926a",
    floorAreaRatio: 2.4,
    siteCoverageRatio: 0.6,
    planningPermission: "approved"
  },
  conversions: ["to_residential"],
  tags: ["multi_tenant", "partly_vacant"],
  yearBuilt: 1998,
  yearRenovated: 2016,
  buildingCount: 1,
  floorCount: 6,
  unitCount: 14,
  parkingSpaces: 120,
  grade: "a",
  condition: "maintained",
  heritageListed: false,
  industrial: {
    clearHeightM: 10.5,
    dockDoors: 24,
    driveInDoors: 2,
    floorLoadKnPerSqm: 50,
    powerKva: 1_600,
    yardDepthM: 35
  },
  hotel: { roomCount: 148, stars: 4.5, contractType: "management" },
  income: {
    asOf: "2026-09-30",
    passingRent: euros(2_310_000.01),
    marketRent: euros(2_480_000),
    nonRecoverableCosts: euros(185_000),
    netOperatingIncome: euros(-125_000.5),
    vacancyRate: percent(7.2),
    occupancyRate: percent(92.8),
    waultToBreak: years(4.1),
    waultToExpiry: years(5.6),
    tenantCount: 9,
    leaseType: "double_net",
    indexation: "cpi"
  },
  tenants: [
    {
      name: "Tal AG",
      use: "office",
      area: area(2_150),
      annualRent: euros(610_000),
      breakOn: "2029-06-30",
      expiresOn: "2031-06-30"
    }
  ],
  pricing: {
    askingPrice: { value: 99_999_999_999.9999, currency: "SEK" },
    qualifier: "guide",
    purchaserCosts: percent(6.5),
    netInitialYield: percent(4.3),
    toppedUpNetInitialYield: percent(4.5),
    grossInitialYield: percent(4.97),
    reversionaryYield: percent(-0.5),
    rentMultiplier: 20.13,
    vatTreatment: "exclusive"
  },
  energy: {
    class: "a_plus",
    country: "DE",
    certificateNumber: "BY-2024",
    validUntil: "2034-05-31",
    basis: "demand",
    primaryKwhPerSqmYear: 128.4,
    finalKwhPerSqmYear: 96.2,
    co2KgPerSqmYear: -1.5
  },
  certifications: [{ scheme: "dgnb", level: "Gold", phase: "in use", validUntil: "2028-12-31" }],
  euTaxonomyAligned: true,
  strandingYear: 2037,
  externalRefs: [{ namespace: "crm", externalId: "p-1" }]
} as const

layer(TestService.layer, { excludeTestServices: true })("Properties", (it) => {
  it.effect("are created with 201, a Location and an ETag, and read back exactly", () =>
    Effect.gen(function* () {
      const { create, get, user } = yield* client
      const created = yield* create({ ...full, ownerId: "me" })
      assert.strictEqual(created.status, 201, created.text)
      const { body } = created
      assert.strictEqual(created.headers.get("location"), `${PropertiesClient.path}/${body.id}`)
      assert.match(body.id, /^property_[0-9a-hjkmnp-tv-z]{26}$/)
      assert.deepStrictEqual<object>(body, {
        ...full,
        id: body.id,
        ownerId: user,
        projectIds: [],
        createdUtc: body.createdUtc,
        updatedUtc: body.createdUtc,
        etag: body.etag,
        changeType: "created",
        changeOrigin: "api",
        deletedUtc: null
      })
      const read = yield* get(body.id)
      assert.deepStrictEqual([read.status, read.body, read.headers.get("etag")], [200, body, body.etag])
      assert.include(read.text, "99999999999.9999")
      assert.strictEqual((yield* get(body.id, { "if-none-match": body.etag })).status, 304)
    })
  )

  it.effect("answer their members in the documented order, whatever the order of the request", () =>
    Effect.gen(function* () {
      const { create, get } = yield* client
      const created = yield* create({
        tenants: [{ annualRent: { currency: "EUR", value: 84_000 }, name: "Anker AG" }],
        coordinates: { longitude: 11.5309, latitude: 48.1385 },
        lettableArea: { measuredOn: "2025-03-01", unit: "sqm", standard: "gla", value: 8_240 },
        name: "Turm"
      })
      const read = yield* get(created.body.id)
      for (const { text } of [created, read]) {
        assert.include(text, '"coordinates":{"latitude":48.1385,"longitude":11.5309}')
        assert.include(text, '"lettableArea":{"value":8240,"unit":"sqm","standard":"gla","measuredOn":"2025-03-01"}')
        assert.match(text, /"tenants":\[\{"name":"Anker AG".*"annualRent":\{"value":84000,"currency":"EUR"\}/)
      }
    })
  )

  it.effect("need a name only; everything else is null, or an empty list", () =>
    Effect.gen(function* () {
      const { create, made, patch } = yield* client
      assert.deepStrictEqual(faultsOf(yield* create({ country: "DE" })), ["body /name required"])
      const { id, ...body } = yield* made()
      const lists = Object.entries(body).filter(([, value]) => Array.isArray(value))
      assert.sameMembers(
        lists.map(([name]) => name),
        [
          "projectIds",
          "parcels",
          "categories",
          "subcategories",
          "areasByUse",
          "conversions",
          "tags",
          "tenants",
          "certifications",
          "externalRefs"
        ]
      )
      assert.isTrue(lists.every(([, value]) => (value as ReadonlyArray<unknown>).length === 0))
      const nulls = Object.entries(body).filter(([, value]) => value === null)
      assert.strictEqual(
        lists.length + nulls.length,
        Object.keys(full).length + "ownerId projectIds deletedUtc".split(" ").length - 1
      )
      assert.deepStrictEqual(faultsOf(yield* patch(id, { name: null })), ["body /name wrong_type"])
    })
  )

  it.effect("are left alone by a patch with what was read", () =>
    Effect.gen(function* () {
      const { create, patch } = yield* client
      const { body } = yield* create(full)
      const same = yield* patch(body.id, body)
      assert.deepStrictEqual([same.status, same.body], [200, body], same.text)
    })
  )

  it.effect("keep at every depth what a patch omits, clear what is null, and take the rest", () =>
    Effect.gen(function* () {
      const { create, events, patch } = yield* client
      const { body } = yield* create(full)
      const patched = yield* patch(body.id, {
        zoning: { status: "expected", useClass: null },
        income: { passingRent: { value: 1, currency: "CHF" } },
        hotel: null,
        groundLease: { expiresOn: null, annualRent: null },
        tags: null,
        tenants: [{ name: "Berg AG" }],
        grossFloorArea: area(1)
      })
      assert.strictEqual(patched.status, 200, patched.text)
      assert.deepInclude<object>(patched.body, {
        zoning: { ...full.zoning, status: "expected", useClass: null },
        income: { ...full.income, passingRent: { value: 1, currency: "CHF" } },
        hotel: null,
        groundLease: null,
        tags: [],
        tenants: [{ name: "Berg AG", use: null, area: null, annualRent: null, breakOn: null, expiresOn: null }],
        grossFloorArea: area(1),
        pricing: full.pricing
      })
      const [event] = (yield* events).slice(-1)
      assert.strictEqual(event?.["event"], "property.updated")
      assert.sameMembers(event?.["changed_fields"] as Array<string>, [
        "ground_lease",
        "gross_floor_area",
        "zoning",
        "tags",
        "hotel",
        "income",
        "tenants"
      ])
    })
  )

  it.effect("have their country and locality in two places with one value", () =>
    Effect.gen(function* () {
      const { create, made, patch } = yield* client
      const none = { street: null, houseNumber: null, postalCode: null, region: null }
      const { id } = yield* made({ address: { country: "DE", street: "Am Turm" }, locality: "Köln" })
      const placesOf = (json: unknown) =>
        Effect.map(patch(id, json), ({ body: { address, country, locality } }) => ({ address, country, locality }))
      assert.deepStrictEqual(yield* placesOf({}), {
        country: "DE",
        locality: "Köln",
        address: { ...none, street: "Am Turm", country: "DE", locality: "Köln" }
      })
      assert.deepStrictEqual(yield* placesOf({ address: null }), {
        country: "DE",
        locality: "Köln",
        address: { ...none, country: "DE", locality: "Köln" }
      })
      assert.deepStrictEqual(yield* placesOf({ address: { locality: null }, country: "FR" }), {
        country: "FR",
        locality: null,
        address: { ...none, country: "FR", locality: null }
      })
      assert.deepStrictEqual(yield* placesOf({ country: "FR", address: { country: "FR" } }), {
        country: "FR",
        locality: null,
        address: { ...none, country: "FR", locality: null }
      })
      assert.deepStrictEqual(yield* placesOf({ country: null }), { country: null, locality: null, address: null })
      const contradicting = { name: "Tal", country: "DE", locality: null, address: { country: "FR", locality: "Köln" } }
      for (const reply of [yield* create(contradicting), yield* patch(id, contradicting)]) {
        assert.deepStrictEqual(faultsOf(reply), [
          "body /address/country contradictory",
          "body /address/locality contradictory"
        ])
      }
    })
  )

  it.effect("have both coordinates, or neither", () =>
    Effect.gen(function* () {
      const { create, made, patch } = yield* client
      const half = yield* create({ name: "Turm", coordinates: { latitude: 1 } })
      assert.deepStrictEqual(faultsOf(half), ["body /coordinates/longitude required"])
      const { id } = yield* made({ coordinates: { latitude: 1, longitude: 2 } })
      assert.deepStrictEqual((yield* patch(id, { coordinates: { longitude: -180 } })).body.coordinates, {
        latitude: 1,
        longitude: -180
      })
      assert.deepStrictEqual(faultsOf(yield* patch(id, { coordinates: { latitude: null } })), [
        "body /coordinates/latitude required"
      ])
      assert.deepStrictEqual(faultsOf(yield* patch(id, { coordinates: { latitude: 90.1, longitude: 181 } })), [
        "body /coordinates/latitude out_of_range",
        "body /coordinates/longitude out_of_range"
      ])
      const computed = { coordinates: { latitude: -90.00000000000001, longitude: 180.0000000001 } }
      assert.deepStrictEqual((yield* patch(id, computed)).body.coordinates, { latitude: -90, longitude: 180 })
      const precise = { coordinates: { latitude: 48.138512345678, longitude: 11.5309 } }
      assert.deepStrictEqual((yield* patch(id, precise)).body.coordinates, {
        latitude: 48.1385123,
        longitude: 11.5309
      })
      assert.deepStrictEqual(faultsOf(yield* patch(id, { coordinates: { latitude: 90.0000001 } })), [
        "body /coordinates/latitude out_of_range"
      ])
      assert.isNull((yield* patch(id, { coordinates: { latitude: null, longitude: null } })).body.coordinates)
    })
  )

  it.effect("report all faults of values, vocabularies and bounds at once, at every depth", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      const refused = yield* create({
        name: "x".repeat(201),
        nmae: "Turm",
        projectIds: [],
        ownerId: 5,
        tags: ["single_tenant", "nice"],
        categories: "office",
        tenure: "rented",
        lettableArea: { value: 1 },
        rentedArea: { value: 1, unit: "sqft" },
        vacantArea: { value: 0.00001, unit: "sqm" },
        parcelArea: { value: 1, unit: "sqm", standard: "ipms9" },
        yearBuilt: 0,
        floorCount: 1.5,
        heritageListed: "no",
        groundLease: { expiresOn: "2026-13-01" },
        zoning: { siteCoverageRatio: 60, statuss: "zoned" },
        pricing: { askingPrice: { value: -1, currency: "eur" }, netInitialYield: { value: 4 } }
      })
      const others = yield* create({
        name: "Turm",
        energy: { country: "UK", class: "z" },
        tenants: Array.from({ length: 201 }, () => ({})),
        certifications: [{ scheme: "dgnb" }, { schem: "leed" }]
      })
      assert.deepStrictEqual([refused.status, others.status], [400, 400])
      assert.sameMembers(
        [...faultsOf(refused), ...faultsOf(others)],
        [
          "body /name too_long",
          "body /nmae unknown_member",
          "body /projectIds read_only",
          "body /ownerId wrong_type",
          "body /tags/1 not_allowed",
          "body /categories wrong_type",
          "body /tenure not_allowed",
          "body /lettableArea/unit required",
          "body /rentedArea/unit not_allowed",
          "body /vacantArea/value too_precise",
          "body /parcelArea/standard not_allowed",
          "body /yearBuilt out_of_range",
          "body /floorCount invalid",
          "body /heritageListed wrong_type",
          "body /groundLease/expiresOn invalid_date",
          "body /zoning/siteCoverageRatio out_of_range",
          "body /zoning/statuss unknown_member",
          "body /pricing/askingPrice/value out_of_range",
          "body /pricing/askingPrice/currency invalid_currency",
          "body /pricing/netInitialYield/unit required",
          "body /energy/country invalid_country",
          "body /energy/class not_allowed",
          "body /tenants too_many",
          "body /certifications/1/schem unknown_member"
        ]
      )
    })
  )

  it.effect("belong to a member of the team, and have distinct values of vocabularies", () =>
    Effect.gen(function* () {
      const { create, made, patch, upsert, user } = yield* client
      const other = yield* client
      assert.deepStrictEqual(faultsOf(yield* create({ name: "Turm", ownerId: other.user })), [
        "body /ownerId invalid_reference"
      ])
      const { categories, id, ownerId } = yield* made({ ownerId: user, categories: ["office", "hotel", "office"] })
      assert.deepStrictEqual([ownerId, categories], [user, ["office", "hotel"]])
      assert.isNull((yield* patch(id, { ownerId: null })).body.ownerId)
      const { body } = yield* upsert([{ id, ownerId: "me" }])
      assert.strictEqual(body.results[0]?.status, "updated")
      assert.strictEqual((yield* patch(id, {})).body.ownerId, user)
      assert.strictEqual((yield* other.get(id)).status, 404)
    })
  )

  it.effect("are listed by any of some tags, by reference, and page by page", () =>
    Effect.gen(function* () {
      const { delta, list, made } = yield* client
      const tagged = yield* made({ tags: ["single_tenant"] })
      const other = yield* made({ tags: ["rail_access", "waterfront"], externalRefs: full.externalRefs })
      yield* made()
      const ids = (query: string) => Effect.map(list(query), ({ body }) => body.data.map(({ id }) => id))
      assert.deepStrictEqual(yield* ids("?tags=waterfront&tags=single_tenant"), [tagged.id, other.id])
      assert.deepStrictEqual(yield* ids("?external_ref=crm:p-1"), [other.id])
      assert.deepStrictEqual(faultsOf(yield* list("?tags=waterfront&tags=nice")), ["query /tags/1 not_allowed"])
      const first = (yield* list("?page_size=2")).body
      assert.deepStrictEqual([first.data.length, first.page.hasMore], [2, true])
      assert.lengthOf((yield* list(`?page_size=2&cursor=${first.page.nextCursor}`)).body.data, 1)
      const changed = yield* delta(`?updated_since=${other.updatedUtc}`)
      assert.includeMembers(
        changed.body.data.map(({ id }) => id),
        [other.id]
      )
    })
  )

  it.effect("leave a tombstone with the references, whose lists are empty", () =>
    Effect.gen(function* () {
      const { create, delete: remove, delta, events, get, made } = yield* client
      const before = new Date(Date.now() - 1_000).toISOString()
      const { body } = yield* create(full)
      const stale = yield* remove(body.id, "", { "if-match": '"v9"' })
      assert.strictEqual(stale.status, 412)
      assert.strictEqual((yield* remove(body.id, "", { "if-match": body.etag })).status, 204)
      assert.strictEqual((yield* get(body.id)).status, 404)
      const { data } = (yield* delta(`?updated_since=${before}&include_deleted=true`)).body
      const [tombstone] = data
      const empty = yield* made()
      assert.deepStrictEqual(tombstone, {
        ...empty,
        id: body.id,
        name: null,
        createdUtc: body.createdUtc,
        updatedUtc: tombstone?.updatedUtc ?? "",
        etag: '"v2"',
        changeType: "deleted",
        changeOrigin: "api",
        deletedUtc: tombstone?.updatedUtc ?? "",
        externalRefs: full.externalRefs
      })
      assert.deepStrictEqual(typesAndIds(yield* events).slice(0, 2), [
        `property.created ${body.id}`,
        `property.deleted ${body.id}`
      ])
      assert.strictEqual((yield* create(full)).status, 201)
    })
  )

  it.effect("are written in batches, which merge objects member by member", () =>
    Effect.gen(function* () {
      const { batchDelete, batchGet, get, upsert } = yield* client
      const externalRefs = full.externalRefs
      const items = [
        { name: "Turm", externalRefs, zoning: { status: "zoned" } },
        { name: "Tal", tags: ["nice"] }
      ]
      const first = (yield* upsert(items)).body.results
      assert.deepStrictEqual(
        first.map(({ status }) => status),
        ["created", "failed"]
      )
      assert.deepStrictEqual(
        first[1]?.problem?.errors?.map(({ pointer }) => pointer),
        ["/items/1/tags/0"]
      )
      const id = first[0]?.id ?? ""
      const next = [
        { externalRefs, zoning: { useClass: "MK" } },
        { id, zoning: { status: "zoned" } }
      ]
      const second = (yield* upsert(next)).body.results
      assert.deepStrictEqual(
        second.map(({ status }) => status),
        ["updated", "unchanged"]
      )
      assert.deepInclude((yield* get(id)).body.zoning, { status: "zoned", useClass: "MK", uses: [] })
      const found = (yield* batchGet([id, "property_x"])).body.results
      assert.deepStrictEqual(
        found.map(({ status }) => status),
        ["found", "missing"]
      )
      const deleted = (yield* batchDelete([id, id])).body.results
      assert.deepStrictEqual(
        deleted.map(({ status }) => status),
        ["deleted", "missing"]
      )
    })
  )

  it.effect("can be created once per key, and not at all in a dry run", () =>
    Effect.gen(function* () {
      const { create, list } = yield* client
      const once = { "idempotency-key": "turm" }
      const first = yield* create({ name: "Turm" }, once)
      const again = yield* create({ name: "Turm" }, once)
      assert.deepStrictEqual([again.body, again.headers.get("idempotency-replayed")], [first.body, "true"])
      assert.strictEqual((yield* create({ name: "Tal" }, once)).status, 422)
      const dry = yield* create({ name: "Tal" }, { prefer: "dry-run" })
      assert.deepStrictEqual([dry.status, dry.headers.get("preference-applied")], [200, "dry-run"])
      assert.lengthOf((yield* list()).body.data, 1)
    })
  )

  it.effect("have notes, files and a timeline", () =>
    Effect.gen(function* () {
      const { actions, events, made, patch, request, token } = yield* client
      const { id } = yield* made()
      yield* patch(id, { yearBuilt: 1990 })
      const note = yield* request("POST", `${PropertiesClient.path}/${id}/notes`, {
        token,
        json: { message: "Called" }
      })
      assert.strictEqual(note.status, 201, note.text)
      const form = new FormData()
      form.append("file", new Blob(["plan"]), "plan.txt")
      const file = yield* request<{ readonly propertyId: string }>("POST", `${PropertiesClient.path}/${id}/files`, {
        token,
        form
      })
      assert.deepStrictEqual([file.status, file.body.propertyId], [201, id])
      const rows = (yield* actions(id)).body.data
      assert.deepStrictEqual(
        rows.map(({ event, type }) => event ?? type),
        ["file.uploaded", "note", "property.updated", "property.created"]
      )
      assert.deepInclude(rows[2]?.["details"], { changedFields: ["yearBuilt"] })
      assert.deepStrictEqual(
        (yield* events).map(({ event }) => event),
        ["property.created", "property.updated"]
      )
    })
  )
})
