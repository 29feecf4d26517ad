import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Agent from "../../support/Agent.ts"
import { TestService } from "../../support/TestService.ts"
import * as PropertiesClient from "./PropertiesClient.ts"

const world = Effect.gen(function* () {
  const properties = yield* PropertiesClient.make()
  return { properties, agent: yield* Agent.make(properties.token) }
})

const idsOf = ({ structured }: Agent.Called) =>
  (structured["properties"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)

layer(TestService.layer, { excludeTestServices: true })("The tools of properties", (it) => {
  it.effect("write what REST reads, by flat arguments, and read what has a value", () =>
    Effect.gen(function* () {
      const { agent, properties } = yield* world
      const { structured } = yield* agent.call("create_property", {
        name: "Turm",
        ownerId: "me",
        country: "DE",
        street: "Am Fluss",
        postalCode: "80339",
        lettableAreaSqm: 8_240.5,
        askingPrice: 46_500_000,
        passingRent: 2_310_000,
        currency: "EUR",
        categories: ["office"],
        tags: ["value_add"],
        externalRefs: ["crm:7"]
      })
      const { body } = yield* properties.get(structured.id)
      assert.strictEqual(body.etag, structured.etag)
      assert.strictEqual(body.ownerId, properties.user)
      assert.deepInclude(body.address, { street: "Am Fluss", postalCode: "80339", country: "DE" })
      const read = yield* agent.call("get_property", { property: "ext=crm:7" })
      const { untrusted, ...answer } = read.structured
      assert.deepStrictEqual<object>(answer, {
        id: body.id,
        etag: body.etag,
        name: "Turm",
        ownerId: properties.user,
        country: "DE",
        locality: null,
        address: { street: "Am Fluss", postalCode: "80339", country: "DE" },
        categories: ["office"],
        tags: ["value_add"],
        lettableArea: { value: 8_240.5, unit: "sqm" },
        income: { passingRent: { value: 2_310_000, currency: "EUR" } },
        pricing: { askingPrice: { value: 46_500_000, currency: "EUR" } },
        externalRefs: ["crm:7"],
        createdUtc: body.createdUtc,
        updatedUtc: body.updatedUtc
      })
      assert.deepStrictEqual(untrusted?.members, ["externalRefs", "name", "postalCode", "street", "tags"])
    })
  )

  it.effect("change a number without what else is known of its area or amount", () =>
    Effect.gen(function* () {
      const { agent, properties } = yield* world
      const measured = { unit: "sqm", standard: "gia", measuredOn: "2025-03-01" } as const
      const made = yield* properties.made({
        lettableArea: { value: 8_000, ...measured },
        pricing: { askingPrice: { value: 1, currency: "SEK" }, qualifier: "guide" }
      })
      const change = { property: made.id, lettableAreaSqm: 8_240, askingPrice: 2 }
      const previewed = yield* agent.call("update_property", { ...change, preview: true })
      assert.deepStrictEqual(previewed.structured.preview?.events, ["property.updated"])
      const { structured } = yield* agent.call("update_property", { ...change, etag: made.etag })
      const { body } = yield* properties.get(made.id)
      assert.strictEqual(body.etag, structured.etag)
      assert.deepStrictEqual<object | null>(body.lettableArea, { value: 8_240, ...measured })
      assert.deepInclude(body.pricing, { askingPrice: { value: 2, currency: "SEK" }, qualifier: "guide" })
      yield* agent.call("update_property", { ...change, askingPrice: 3, currency: "EUR", lettableAreaSqm: null })
      const again = (yield* properties.get(made.id)).body
      assert.isNull(again.lettableArea)
      assert.deepStrictEqual(again.pricing?.askingPrice, { value: 3, currency: "EUR" })
      const stale = yield* agent.call("update_property", { ...change, etag: made.etag })
      assert.strictEqual(stale.structured.error.code, "precondition_failed")
      assert.strictEqual(stale.structured.error.currentEtag, again.etag)
    })
  )

  it.effect("name the argument that is wrong, and what it should be", () =>
    Effect.gen(function* () {
      const { agent, properties } = yield* world
      const { id } = yield* properties.made()
      const refusalOf = (args: Record<string, unknown>, tool = "create_property") =>
        Effect.map(agent.call(tool, tool === "create_property" ? { name: "Turm", ...args } : args), ({ structured }) =>
          structured.error.errors?.map(({ argument, code }) => `${argument} ${code}`)
        )
      assert.deepStrictEqual(yield* refusalOf({ askingPrice: 1 }), ["currency required"])
      assert.deepStrictEqual(yield* refusalOf({ currency: "EUR" }), ["currency not_allowed"])
      assert.deepStrictEqual(yield* refusalOf({ lettableAreaSqm: -1 }), ["lettableAreaSqm out_of_range"])
      assert.deepStrictEqual(yield* refusalOf({ ownerId: "Anna" }), ["ownerId invalid_reference"])
      const later = { property: id, netInitialYieldPercent: 0.00001 }
      assert.deepStrictEqual(yield* refusalOf(later, "update_property"), ["netInitialYieldPercent too_precise"])
      for (const tool of ["create_property", "update_property"]) {
        const args = tool === "create_property" ? { name: "Turm" } : { property: id }
        const { structured } = yield* agent.call(tool, { ...args, tags: ["value_ad"] })
        assert.strictEqual(structured.error.errors?.[0]?.argument, "tags/0")
        assert.include(structured.error.detail, `Did you mean "value_add"?`)
      }
    })
  )

  it.effect("list what has one of the tags, also among what is searched, and shorten long lists", () =>
    Effect.gen(function* () {
      const { agent, properties } = yield* world
      const tenants = Array.from({ length: 100 }, (_, index) => ({ name: `${index} ${'"'.repeat(150)}` }))
      const first = yield* properties.made({
        tags: ["value_add"],
        tenants,
        parcels: [{ cadastralId: "8412/3" }],
        address: { region: "Bayern" },
        zoning: { uses: ["mixed"] }
      })
      const second = yield* properties.made({ name: "Hof", tags: ["portfolio", "single_tenant"] })
      yield* properties.made({ tags: ["waterfront"] })
      const tags = ["value_add", "portfolio"]
      assert.deepStrictEqual(idsOf(yield* agent.call("list_properties", { tags })), [first.id, second.id])
      assert.deepStrictEqual(idsOf(yield* agent.call("list_properties", { tags, query: "turm" })), [first.id])
      const { structured } = yield* agent.call("list_properties", { tags: ["value_add"], format: "detailed" })
      const [row] = structured["properties"] as ReadonlyArray<Record<string, unknown>>
      const shown = row?.["tenants"] as typeof tenants
      assert.deepStrictEqual(shown, tenants.slice(0, shown.length))
      assert.isAtMost(JSON.stringify(shown).length, 8_000)
      assert.deepStrictEqual(row?.["leftOut"], { tenants: 100 - shown.length })
      assert.deepStrictEqual(structured.untrusted?.members, ["cadastralId", "name", "region", "tags"])
    })
  )
})
