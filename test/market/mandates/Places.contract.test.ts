import * as fc from "fast-check"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"
import { areaOf } from "../../../src/market/mandates/geography/Geography.ts"
import { meets } from "../../../src/market/mandates/geography/geometry.ts"
import { anyPlace } from "./arbitraries.ts"

const client = RecordsClient.make()

const near = { latitude: 48.1372, longitude: 11.5755 }
const circle = { near, radius: 60_000 }

const ring = [
  [11, 48],
  [12, 48],
  [12, 49],
  [11, 49],
  [11, 48]
]
const polygon = { type: "Polygon", coordinates: [ring] }

layer(TestService.layer, { excludeTestServices: true })("Places of mandates", (it) => {
  it.effect("have one mode a request", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, patch }
      } = yield* client
      const asked = (place: object) => Effect.map(create({ name: "Place", ...place }), faultsOf)
      assert.deepStrictEqual(yield* asked({ geography: polygon, ...circle }), ["body /near geography_conflict"])
      assert.deepStrictEqual(yield* asked({ geography: polygon, radius: 500 }), ["body /radius geography_conflict"])
      assert.deepStrictEqual(yield* asked({ geography: polygon, ...circle, location: "Munich" }), [
        "body /near geography_conflict",
        "body /location geography_conflict"
      ])
      assert.deepStrictEqual(yield* asked({ near }), ["body /radius required"])
      assert.deepStrictEqual(yield* asked({ radius: 500 }), ["body /near required"])
      assert.deepStrictEqual(yield* asked({ geography: polygon, near: null, radius: null }), [])
      const { id } = (yield* create({ name: "Place" })).body
      assert.deepStrictEqual(faultsOf(yield* patch(id, { location: "Munich", geography: polygon })), [
        "body /location geography_conflict"
      ])
    })
  )

  it.effect("answer a circle with its polygon, its centre and its radius", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, get, patch }
      } = yield* client
      const { body } = yield* create({
        name: "Circle",
        near: { latitude: 48.13720004, longitude: 11.5755 },
        radius: 100
      })
      assert.deepInclude(body, { near, radius: 100 })
      const around = areaOf(body.geography)
      assert.isAbove(around.polygons[0]?.rings[0]?.length ?? 0, 32)
      assert.isTrue(
        meets(
          around,
          areaOf({
            type: "Polygon",
            coordinates: [
              [
                [11.5755, 48.1372],
                [11.5756, 48.1372],
                [11.5755, 48.1373],
                [11.5755, 48.1372]
              ]
            ]
          })
        )
      )
      assert.deepStrictEqual((yield* get(body.id)).body, body)
      const wider = (yield* patch(body.id, { radius: 500_000 })).body
      assert.deepInclude(wider, { near, radius: 500_000 })
      assert.notDeepEqual(wider.geography, body.geography)
      const moved = (yield* patch(body.id, { near: { latitude: 0, longitude: 180 } })).body
      assert.deepInclude(moved, { near: { latitude: 0, longitude: 180 }, radius: 500_000 })
      assert.propertyVal(moved.geography, "type", "MultiPolygon")
      const computed = { latitude: 0, longitude: 180.0000000001 }
      assert.deepInclude((yield* patch(body.id, { near: computed })).body, { near: { latitude: 0, longitude: 180 } })
      for (const [place, fault] of [
        [{ radius: 99.9 }, "body /radius invalid_radius"],
        [{ radius: 500_000.1 }, "body /radius invalid_radius"],
        [{ near: { latitude: 91, longitude: 0 } }, "body /near/latitude coordinate_out_of_range"],
        [{ near: { latitude: 0, longitude: -181 } }, "body /near/longitude coordinate_out_of_range"],
        [{ near: { latitude: 0 } }, "body /near/longitude required"]
      ] as const) {
        assert.deepStrictEqual(faultsOf(yield* patch(body.id, place)), [fault])
      }
    })
  )

  it.effect("replace one another, and are cleared by null", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, get, patch }
      } = yield* client
      const none = { geography: null, near: null, radius: null }
      const { id } = (yield* create({ name: "Place", ...circle })).body
      assert.deepInclude((yield* patch(id, { geography: polygon })).body, {
        geography: polygon,
        near: null,
        radius: null
      })
      const again = (yield* patch(id, circle)).body
      assert.deepInclude(again, circle)
      // What was read of the circle is not a second mode.
      const { geography, near, radius } = again
      assert.deepInclude((yield* patch(id, { geography: polygon, near, radius })).body, {
        geography: polygon,
        near: null
      })
      assert.deepInclude((yield* patch(id, { geography: null, ...circle })).body, circle)
      assert.strictEqual((yield* patch(id, { geography })).body.radius, circle.radius)
      for (const cleared of [{ geography: null }, { near: null }, { radius: null }, none]) {
        assert.deepInclude((yield* patch(id, circle)).body, circle)
        assert.deepInclude((yield* patch(id, cleared)).body, none, JSON.stringify(cleared))
      }
      const { etag } = (yield* get(id)).body
      assert.strictEqual((yield* patch(id, none)).body.etag, etag)
      assert.deepStrictEqual(faultsOf(yield* patch(id, { near: null, radius: 500 })), ["body /near required"])
    })
  )

  it.effect("are validated, with a pointer to the position", () =>
    Effect.gen(function* () {
      const {
        mandates: { create }
      } = yield* client
      const asked = (geography: unknown) => Effect.map(create({ name: "Place", geography }), faultsOf)
      const at = (path: string) => `body /geography${path}`
      const rings = (...coordinates: ReadonlyArray<unknown>) => asked({ type: "Polygon", coordinates })
      assert.deepStrictEqual(yield* rings(ring.slice(0, 4)), [at("/coordinates/0/3 ring_not_closed")])
      assert.deepStrictEqual(
        yield* rings([
          [0, 0],
          [1, 0],
          [0, 0]
        ]),
        [at("/coordinates/0 too_few_positions")]
      )
      assert.deepStrictEqual(
        yield* rings([
          [0, 0],
          [1, 0],
          [1, 91],
          [0, 0]
        ]),
        [at("/coordinates/0/2 coordinate_out_of_range")]
      )
      assert.match(
        (yield* rings([
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0]
        ])).join(),
        /\/coordinates\/0\/\d ring_crosses_itself$/
      )
      assert.match(
        (yield* rings(ring, [
          [20, 48],
          [21, 48],
          [21, 49],
          [20, 48]
        ])).join(),
        /hole_outside$/
      )
      assert.match(
        (yield* rings([
          [-100, 0],
          [100, 0],
          [100, 1],
          [-100, 0]
        ])).join(),
        /ambiguous_edge/
      )
      const many = Array.from({ length: 5_001 }, (_, index) => [index / 1_000, (index % 2) / 10])
      assert.deepStrictEqual(yield* rings([...many, many[0]]), [at("/coordinates area_too_complex")])
      const world = (by: number) =>
        [
          [-180 - by, -90 - by],
          [180 + by, -90 - by],
          [180 + by, 90 + by],
          [-180 - by, 90 + by],
          [-180 - by, -90 - by]
        ] as const
      assert.deepStrictEqual(yield* rings(world(0.000_000_000_1)), [])
      assert.match((yield* rings(world(0.000_000_1))).join(), /coordinate_out_of_range/)
      assert.deepStrictEqual(yield* asked({ type: "Point", coordinates: [1, 2] }), [at("/type not_allowed")])
      assert.deepStrictEqual(yield* asked({ ...polygon, crs: {} }), [at("/crs unknown_member")])
    })
  )

  it.effect("may be sent back as they are read, whatever they are", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, get, patch }
      } = yield* client
      yield* Effect.forEach(fc.sample(anyPlace, 12), (place) =>
        Effect.gen(function* () {
          const created = yield* create({ name: "Place", ...place })
          assert.strictEqual(created.status, 201, created.text)
          const { body } = yield* get(created.body.id)
          assert.deepStrictEqual(created.body, body)
          for (const sent of [body, { geography: body.geography }, place, { near: body.near, radius: body.radius }]) {
            const patched = yield* patch(body.id, sent)
            assert.deepStrictEqual([patched.status, patched.body], [200, body], JSON.stringify(place))
          }
        })
      )
    })
  )

  it.effect("are resolved from a name, which the answer of the write tells and no read", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, get, patch, upsert }
      } = yield* client
      const key = { "idempotency-key": "munich" }
      const created = yield* create({ name: "Munich", location: " Munich " }, key)
      assert.strictEqual(created.status, 201, created.text)
      const { resolvedLocation, ...mandate } = created.body
      assert.deepInclude(resolvedLocation, { name: "München", kind: "city", country: "DE" })
      assert.isNumber(mandate.radius)
      assert.deepStrictEqual((yield* create({ name: "Munich", location: " Munich " }, key)).body, created.body)
      assert.deepStrictEqual<unknown>((yield* get(mandate.id)).body, mandate)
      // What the write answered can be sent back, and so can the name.
      assert.deepStrictEqual<unknown>((yield* patch(mandate.id, created.body)).body, mandate)
      assert.deepStrictEqual((yield* patch(mandate.id, { location: "München" })).body, created.body)
      const bavaria = (yield* patch(mandate.id, { location: "Bayern" })).body
      assert.deepInclude(bavaria, { near: null, radius: null })
      assert.deepInclude(bavaria.resolvedLocation, { kind: "region", country: "DE" })
      assert.notProperty((yield* patch(mandate.id, { status: "paused" })).body, "resolvedLocation")
      assert.deepStrictEqual(faultsOf(yield* create({ name: "Munich", resolvedLocation })), [
        "body /resolvedLocation read_only"
      ])
      const dry = yield* create({ name: "Dry", location: "Wien" }, { prefer: "dry-run" })
      assert.include(dry.text, '"resolvedLocation"')
      const [receipt] = (yield* upsert([{ id: mandate.id, location: "Munich" }])).body.results
      assert.strictEqual(receipt?.status, "updated")
      assert.deepStrictEqual((yield* get(mandate.id)).body.near, mandate.near)
    })
  )

  it.effect("are resolved from what brokers write", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, get, patch }
      } = yield* client
      for (const [location, kind, name] of [
        ["75008 Paris", "city", "Paris"],
        ["Großraum München", "region", "Greater München"],
        ["Ruhrgebiet", "region", "Ruhrgebiet"],
        ["Mallorca", "region", "Mallorca"],
        ["Berlin und Hamburg", "group", "Berlin, Hamburg"],
        ["東京", "city", "Tokyo"],
        ["Europe", "group", "Europe"]
      ] as const) {
        const created = yield* create({ name: location, location })
        assert.strictEqual(created.status, 201, created.text)
        assert.deepInclude(created.body.resolvedLocation, { kind, name })
        // What was read of it is valid, and changes nothing.
        const read = (yield* get(created.body.id)).body
        assert.deepStrictEqual((yield* patch(created.body.id, read)).body, read)
      }
      assert.deepStrictEqual(faultsOf(yield* create({ name: "Frankfurt", location: "Frankfurt, Berlin" })), [
        "body /location location_ambiguous"
      ])
      assert.deepStrictEqual(faultsOf(yield* create({ name: "Müchen", location: "Müchen" })), [
        "body /location location_unknown"
      ])
    })
  )

  it.effect("that are a country set the country, which follows them", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, get, patch }
      } = yield* client
      const { body } = yield* create({ name: "Denmark", location: "Dänemark" })
      assert.strictEqual(body.country, "DK")
      assert.propertyVal(body.geography, "type", "MultiPolygon")
      assert.isFalse(JSON.stringify(body).includes("wholeCountries"))
      const read = (yield* get(body.id)).body
      assert.deepStrictEqual((yield* patch(body.id, read)).body, read)
      const countryAfter = (sent: object) => Effect.map(patch(body.id, sent), (reply) => reply.body.country)
      // A place in the country leaves it, one elsewhere does not.
      assert.strictEqual(yield* countryAfter({ location: "København" }), "DK")
      assert.strictEqual(yield* countryAfter({ location: "Dänemark" }), "DK")
      assert.strictEqual(yield* countryAfter({ location: "Oslo" }), null)
      assert.strictEqual(yield* countryAfter({ location: "Dänemark" }), "DK")
      assert.strictEqual(yield* countryAfter(circle), null)
      assert.strictEqual(yield* countryAfter({ location: "Benelux" }), null)
      assert.strictEqual(yield* countryAfter({ location: "Dänemark", country: "DK" }), "DK")
      // Another country alone is another place.
      const swedish = (yield* patch(body.id, { country: "SE" })).body
      assert.strictEqual(swedish.country, "SE")
      assert.notDeepEqual(swedish.geography, read.geography)
      assert.deepStrictEqual((yield* patch(body.id, { location: "Sweden" })).body.geography, swedish.geography)
      // Of a place that a client drew, it says no more than the country.
      const drawn = (yield* patch(body.id, { geography: polygon, country: "DE" })).body
      assert.deepInclude((yield* patch(drawn.id, { country: "AT" })).body, { geography: polygon, country: "AT" })
    })
  )

  it.effect("with a name that is unknown or ambiguous are rejected, with names that resolve", () =>
    Effect.gen(function* () {
      const {
        mandates: { create, upsert }
      } = yield* client
      type Candidates = ReadonlyArray<{ readonly location: string; readonly country: string | null }>
      const rejected = (location: string) =>
        Effect.map(create({ name: "Where", location }), (reply) => ({
          faults: faultsOf(reply),
          candidates: (reply.body as unknown as { errors?: ReadonlyArray<{ candidates?: Candidates }> }).errors?.[0]
            ?.candidates
        }))
      const ambiguous = yield* rejected("Frankfurt")
      assert.deepStrictEqual(ambiguous.faults, ["body /location location_ambiguous"])
      assert.isAtLeast(ambiguous.candidates?.length ?? 0, 2)
      for (const { location } of ambiguous.candidates ?? []) {
        assert.strictEqual((yield* create({ name: "Where", location })).status, 201, location)
      }
      const unknown = yield* rejected("Munchn")
      assert.deepStrictEqual(unknown.faults, ["body /location location_unknown"])
      assert.include(unknown.candidates?.map(({ location }) => location).join(), "München")
      assert.deepStrictEqual(yield* rejected("Xyzzyplugh"), {
        faults: ["body /location location_unknown"],
        candidates: []
      })
      assert.deepStrictEqual((yield* rejected(" ")).faults, ["body /location blank"])
      assert.deepStrictEqual((yield* rejected("x".repeat(201))).faults, ["body /location too_long"])
      const valencia = (country: string) => create({ name: "Where", location: "Valencia", country })
      assert.strictEqual((yield* valencia("ES")).body.resolvedLocation?.country, "ES")
      assert.strictEqual((yield* valencia("VE")).body.resolvedLocation?.country, "VE")
      assert.deepStrictEqual(faultsOf(yield* valencia("SE")), ["body /location location_unknown"])
      const [receipt] = (yield* upsert([{ name: "Where", location: "Frankfurt" }])).body.results
      assert.strictEqual(receipt?.problem?.errors?.[0]?.pointer, "/items/0/location")
    })
  )
})
