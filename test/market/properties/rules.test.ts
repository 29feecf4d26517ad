/** Merge patches of properties against a model of RFC 7396. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { PropertyFields } from "../../../src/market/properties/Property.ts"
import {
  blank,
  completed,
  faultsOf,
  movedBetween,
  normalize,
  projectIdsAfter,
  repeatsMember
} from "../../../src/market/properties/rules.ts"

type Json = null | boolean | number | string | ReadonlyArray<unknown> | { readonly [name: string]: unknown }

const isObject = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

// Amounts with a unit are values: a patch replaces them as it replaces numbers.
const isValue = (value: unknown) => isObject(value) && ("unit" in value || "currency" in value)

/** RFC 7396, section 2. A cleared member is null. */
const mergePatch = (target: Json, patch: Json): Json => {
  if (!isObject(patch) || isValue(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) merged[name] = mergePatch((merged[name] ?? null) as Json, value)
  return merged
}

const isBlank = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

/** An object as it is answered: with all its members, or null without any value. */
const answered = (members: object, merged: Json): Json => {
  const all = { ...members, ...(isObject(merged) ? merged : {}) }
  const listed = Object.entries(all).map(([name, value]) => [name, name === "uses" ? (value ?? []) : value])
  return listed.every(([, value]) => isBlank(value)) ? null : (Object.fromEntries(listed) as Json)
}

const area = fc.record({ value: fc.nat(), unit: fc.constant("sqm") })
const money = fc.record({ value: fc.nat(), currency: fc.constantFrom("EUR", "SEK") })
const text = fc.constantFrom("a", "b", "c")

const patchOf = <T>(members: { readonly [name: string]: fc.Arbitrary<T> }) =>
  fc.option(
    fc.record(Object.fromEntries(Object.entries(members).map(([name, value]) => [name, fc.option(value)])), {
      requiredKeys: []
    })
  )

const zoningMembers = {
  gfa: null,
  uses: [],
  useClass: null,
  status: null,
  planReference: null,
  floorAreaRatio: null,
  siteCoverageRatio: null,
  planningPermission: null
}

const patches = fc.record(
  {
    zoning: patchOf<unknown>({
      gfa: area,
      uses: fc.uniqueArray(fc.constantFrom("residential", "mixed")),
      useClass: text,
      status: fc.constantFrom("zoned", "expected")
    }),
    groundLease: patchOf<unknown>({ annualRent: money, expiresOn: fc.constant("2030-01-01") }),
    lettableArea: fc.option(area),
    description: fc.option(text),
    tags: fc.option(fc.uniqueArray(fc.constantFrom("single_tenant", "portfolio")))
  },
  { requiredKeys: [] }
) as fc.Arbitrary<Partial<PropertyFields>>

const apply = (fields: PropertyFields, patch: Partial<PropertyFields>): PropertyFields => ({
  ...fields,
  ...normalize(patch, fields)
})

describe("A patch", () => {
  test("is RFC 7396 at every depth, where values are replaced and an object without values is null", () => {
    fc.assert(
      fc.property(fc.array(patches, { maxLength: 6 }), (sent) => {
        let fields = blank
        let model: Json = {}
        for (const patch of sent) {
          fields = apply(fields, patch)
          model = mergePatch(model, patch as Json)
          const {
            description = null,
            groundLease = null,
            lettableArea = null,
            tags,
            zoning = null
          } = model as Partial<Record<string, Json>>
          expect({
            description: fields.description,
            groundLease: fields.groundLease,
            lettableArea: fields.lettableArea,
            tags: fields.tags,
            zoning: fields.zoning
          }).toEqual({
            description,
            groundLease: answered({ expiresOn: null, annualRent: null }, groundLease),
            lettableArea,
            tags: tags ?? [],
            zoning: answered(zoningMembers, zoning)
          })
        }
      })
    )
  })

  test("with everything that was read changes nothing", () => {
    fc.assert(
      fc.property(fc.array(patches, { maxLength: 4 }), (sent) => {
        const fields = sent.reduce(apply, blank)
        expect(apply(fields, fields)).toStrictEqual(fields)
      })
    )
  })

  test("repeats an object of which it has a part, and no value of which it has a part", () => {
    const pricing = { askingPrice: { value: 2, currency: "SEK" }, qualifier: "guide", vat: null }
    expect([
      repeatsMember("pricing", { askingPrice: { value: 2, currency: "SEK" } }, pricing),
      repeatsMember("pricing", { askingPrice: { value: 2 } }, pricing),
      repeatsMember("pricing", { qualifier: "guide", unknown: 1 }, pricing),
      repeatsMember("pricing", JSON.parse('{ "__proto__": {} }') as never, pricing),
      repeatsMember("pricing", { qualifier: null }, pricing),
      repeatsMember("pricing", null, pricing),
      repeatsMember("pricing", {}, null),
      repeatsMember("lettableArea", { value: 1, unit: "sqm" }, { value: 1, unit: "sqm", standard: "gia" })
    ]).toStrictEqual([true, false, false, false, false, false, false, false])
    fc.assert(
      fc.property(fc.array(patches, { maxLength: 4 }), patches, (sent, patch) => {
        const fields = sent.reduce(apply, blank)
        const repeated = Object.entries(patch).filter(([name, value]) =>
          repeatsMember(name, value as never, fields[name as keyof PropertyFields])
        )
        expect(apply(fields, Object.fromEntries(repeated))).toStrictEqual(fields)
      })
    )
  })

  test("that is completed keeps what its values omit, and changes nothing else", () => {
    const stored = {
      lettableArea: { value: 1, unit: "sqm", standard: "gia", measuredOn: "2025-03-01" },
      pricing: { askingPrice: { value: 2, currency: "SEK" }, qualifier: "guide" },
      tenants: [{ area: { value: 3, unit: "sqm", standard: "gia" } }]
    }
    const patchOfNumbers = { lettableArea: { value: 4, unit: "sqm" }, pricing: { askingPrice: { value: 5 } } }
    expect(completed(patchOfNumbers, stored)).toStrictEqual({
      lettableArea: { ...stored.lettableArea, value: 4 },
      pricing: { askingPrice: { value: 5, currency: "SEK" } }
    })
    expect(completed(patchOfNumbers, blank)).toStrictEqual(patchOfNumbers)
    const others = { name: "a", lettableArea: null, pricing: null, tenants: [{ area: { value: 6, unit: "sqm" } }] }
    expect(completed(others, stored)).toStrictEqual(others)
    fc.assert(
      fc.property(patches, (patch) => {
        expect(completed(patch as never, blank)).toEqual(patch)
      })
    )
  })

  test("keeps the country and the locality alike in both places", () => {
    const place = fc.option(fc.constantFrom("DE", "FR"))
    const address = fc.option(
      fc.record({ country: place, locality: fc.option(text), street: fc.option(text) }, { requiredKeys: [] })
    )
    const located = fc.record({ country: place, locality: fc.option(text), address }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.array(located as fc.Arbitrary<Partial<PropertyFields>>, { maxLength: 6 }), (sent) => {
        const { address: last, country, locality } = sent.reduce(apply, blank)
        expect([last?.country ?? null, last?.locality ?? null]).toStrictEqual([country, locality])
      })
    )
  })
})

test("Coordinates lack what the other one has", () => {
  const faults = (latitude: number | null, longitude: number | null) =>
    faultsOf({ name: "Turm", coordinates: { latitude, longitude } }).map(({ pointer }) => pointer)
  expect([faults(1, 2), faults(1, null), faults(null, 2)]).toStrictEqual([
    [],
    ["/coordinates/longitude"],
    ["/coordinates/latitude"]
  ])
})

test("Properties move when they join or leave one of the lists", () => {
  const listOf = (projectId: string, ...propertyIds: ReadonlyArray<string>) => ({
    projectId,
    propertyIds,
    event: "project.updated" as const
  })
  const naming = new Map([
    ["stays", ["p", "other"]],
    ["leaves", ["p"]],
    ["changes", ["q"]]
  ])
  expect(movedBetween([listOf("p", "stays", "changes", "joins"), listOf("q")], naming)).toStrictEqual([
    "leaves",
    "changes",
    "joins"
  ])
})

test("Projects of a property keep their order, without those that do not list it any more", () => {
  expect(projectIdsAfter(["a", "b", "c"], ["b", "c", "d"], ["d", "c"])).toStrictEqual(["a", "c", "d"])
})
