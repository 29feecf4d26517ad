/** What investors see of properties, part by part. Leaks.test.ts has what they never see. */
import { assert, describe, it } from "@effect/vitest"
import { made, projected } from "./samples.ts"

const euros = (value: number) => ({ pricing: { askingPrice: { value, currency: "EUR" } } })
const yieldOf = (value: number) => ({ pricing: { netInitialYield: { value, unit: "percent" } } })
const sqm = (value: number) => ({ value, unit: "sqm" })

const munich = {
  country: "DE",
  locality: "München",
  address: { street: "Landsberger Straße", houseNumber: "84a", postalCode: "80339", region: "Bayern" }
}

describe("The projection", () => {
  it("shows the place up to the mode, and everything coarser", () => {
    const shownAs = (location: "hidden" | "country" | "region" | "locality" | "address") => {
      const { address, country, locality, region } = projected(munich, { options: { location } })
      return [country, region, locality, address?.street ?? null]
    }
    assert.deepStrictEqual(shownAs("hidden"), [null, null, null, null])
    assert.deepStrictEqual(shownAs("country"), ["DE", null, null, null])
    assert.deepStrictEqual(shownAs("region"), ["DE", "Bayern", null, null])
    assert.deepStrictEqual(shownAs("locality"), ["DE", "Bayern", "München", null])
    assert.deepStrictEqual(shownAs("address"), ["DE", "Bayern", "München", "Landsberger Straße"])
  })

  it("shows exact values with equal ends, and ranges of the grid, also for values on it", () => {
    const members = {
      ...euros(5_000_000),
      lettableArea: sqm(10_640),
      yearBuilt: 1998,
      zoning: { gfa: sqm(14_000) }
    }
    const exact = projected(members, {
      options: { price: "exact", area: "exact", yearBuilt: "exact", zoning: "exact" }
    })
    assert.deepStrictEqual(exact.price, { min: 5_000_000, max: 5_000_000, currency: "EUR", scale: "unit" })
    assert.deepStrictEqual(exact.area, { min: 10_640, max: 10_640, unit: "sqm" })
    assert.deepStrictEqual(exact.yearBuilt, { min: 1998, max: 1998 })
    assert.deepStrictEqual(exact.zoning, { gfa: { min: 14_000, max: 14_000, unit: "sqm" } })
    const ranges = projected(members)
    assert.deepStrictEqual(ranges.price, { min: 5_000_000, max: 10_000_000, currency: "EUR", scale: "unit" })
    assert.deepStrictEqual(ranges.area, { min: 10_000, max: 20_000, unit: "sqm" })
    assert.deepStrictEqual(ranges.yearBuilt, { min: 1990, max: 2000 })
  })

  it("measures what can be let, or else the gross floor area, or else the land", () => {
    const areaOf = (members: object) => projected(members, { options: { area: "exact" } }).area?.min
    const all = { lettableArea: sqm(1), grossFloorArea: sqm(2), parcelArea: sqm(3), internalArea: sqm(4) }
    assert.strictEqual(areaOf(all), 1)
    assert.strictEqual(areaOf({ ...all, lettableArea: null }), 2)
    assert.strictEqual(areaOf({ ...all, lettableArea: null, grossFloorArea: null }), 3)
  })

  it("names tenants, or each of their sectors once; a use in the broker's words is no sector", () => {
    const members = {
      tenants: [
        { name: "Nordlicht Software GmbH", use: "office", area: sqm(1), annualRent: null },
        { name: "Tal AG", use: "office", area: null },
        { name: null, use: "Headquarters of Tal AG", area: null }
      ]
    }
    assert.deepStrictEqual(projected(members).tenants, [
      { name: null, sector: "office" },
      { name: null, sector: "other" }
    ])
    assert.deepStrictEqual(projected(members, { options: { tenants: "named" } }).tenants, [
      { name: "Nordlicht Software GmbH", sector: "office" },
      { name: "Tal AG", sector: "office" },
      { name: null, sector: "other" }
    ])
  })

  it("shows the class of an energy certificate without its country", () => {
    assert.deepStrictEqual(projected({ energy: { class: "b", country: "FR" } }).energy, { class: "b" })
  })

  it("of several properties adds areas and prices up, exactly, by currency", () => {
    const { projection } = made(
      [
        { ...euros(0.1), lettableArea: sqm(0.1) },
        { ...euros(0.2), lettableArea: sqm(0.2) },
        { pricing: { askingPrice: { value: 7, currency: "CHF" } } },
        {}
      ],
      { options: { price: "exact", area: "exact" } }
    )
    assert.isNull(projection.price)
    assert.deepStrictEqual(projection.prices, [
      { min: 7, max: 7, currency: "CHF", scale: "unit" },
      { min: 0.3, max: 0.3, currency: "EUR", scale: "unit" }
    ])
    assert.deepStrictEqual(projection.area, { min: 0.3, max: 0.3, unit: "sqm" })
  })

  it("of several properties shows ranges of years, yields and terms, unions of codes, and the worst class", () => {
    const { projection } = made(
      [
        { ...yieldOf(4.3), yearBuilt: 1998, categories: ["office"], tags: ["long_lease"], tenure: "freehold" },
        { ...yieldOf(3.9), yearBuilt: 2016, categories: ["retail", "office"], tenure: "freehold" },
        { energy: { class: "a" }, income: { waultToExpiry: { value: 5.6, unit: "years" } } },
        { energy: { class: "d" }, income: { waultToBreak: { value: 4.1, unit: "years" } }, conversions: ["to_hotel"] }
      ],
      { options: { yield: "exact", yearBuilt: "exact" } }
    )
    assert.deepStrictEqual(projection.yield, { min: 3.9, max: 4.3, unit: "percent" })
    assert.deepStrictEqual(projection.yearBuilt, { min: 1998, max: 2016 })
    assert.deepStrictEqual(projection.categories, ["office", "retail"])
    assert.deepStrictEqual(projection.tags, ["long_lease"])
    assert.deepStrictEqual(projection.conversions, ["to_hotel"])
    assert.deepStrictEqual(projection.energy, { class: "d" })
    assert.deepStrictEqual(projection.wault, { min: 4.1, max: 5.6, unit: "years" })
    assert.isNull(projection.tenure)
  })

  it("of several properties shows places as far as all agree", () => {
    const shown = (...places: ReadonlyArray<object>) => {
      const { projection } = made(places, { options: { location: "address" } })
      return [projection.country, projection.region, projection.locality, projection.address?.street ?? null]
    }
    const elsewhere = (region: string, locality: string, street = "Am Turm") => ({
      country: "DE",
      locality,
      address: { street, houseNumber: null, postalCode: null, region }
    })
    assert.deepStrictEqual(shown(munich, munich), ["DE", "Bayern", "München", "Landsberger Straße"])
    assert.deepStrictEqual(shown(munich, elsewhere("Bayern", "München")), ["DE", "Bayern", "München", null])
    assert.deepStrictEqual(shown(munich, elsewhere("Bayern", "Fürth")), ["DE", "Bayern", null, null])
    assert.deepStrictEqual(shown(munich, elsewhere("Hessen", "München")), ["DE", null, null, null])
    assert.deepStrictEqual(shown(munich, { ...munich, country: "AT" }), [null, null, null, null])
    assert.deepStrictEqual(shown(munich, {}), [null, null, null, null])
  })
})

describe("The template", () => {
  it("has the modes that the data can serve", () => {
    const { available, options, pool } = made([
      { country: "DE", tags: ["long_lease"], tenants: [{ name: null, use: null }] }
    ])
    assert.deepStrictEqual(available.location, ["hidden", "country"])
    assert.deepStrictEqual(available.price, ["hidden"])
    assert.deepStrictEqual(available.tags, ["hidden", "shown"])
    assert.deepStrictEqual(available.tenants, ["hidden", "sector"])
    assert.deepStrictEqual(pool, ["long_lease"])
    assert.deepStrictEqual([options.location, options.price, options.tenants], ["country", "hidden", "sector"])
  })

  it("never makes an address the default", () => {
    const street = { address: { street: "Am Turm", houseNumber: null, postalCode: null, region: null } }
    assert.deepStrictEqual(made([street]).available.location, ["hidden"])
    assert.strictEqual(made([{ ...street, locality: "Fürth" }]).options.location, "locality")
  })

  it("lets a part show less while the data for its mode is missing", () => {
    const design = { options: { location: "address", price: "exact", tenants: "named" } } as const
    const { options, projection } = made([{ country: "DE", tenants: [{ name: null, use: "office" }] }], design)
    assert.deepStrictEqual([options.location, options.price, options.tenants], ["country", "hidden", "sector"])
    assert.strictEqual(projection.country, "DE")
    assert.deepStrictEqual(made([{ ...munich, ...euros(1) }], design).options.price, "exact")
  })

  it("of the free plan has hidden, country and range only", () => {
    const full = { ...munich, ...euros(5), categories: ["office"], tenants: [{ name: "Tal AG", use: "office" }] }
    const design = { options: { location: "address", price: "exact", tenants: "named" } } as const
    const { available, options, projection } = made([full], design, { plan: "free" })
    const allowed = ["hidden", "country", "range"]
    for (const modes of Object.values(available)) assert.includeMembers(allowed, [...modes])
    assert.deepStrictEqual([options.location, options.price, options.tenants], ["country", "range", "hidden"])
    assert.deepStrictEqual([projection.locality, projection.price?.max], [null, 1_000])
  })
})

describe("A title of the broker", () => {
  it("is shown unless it names the property, or a place or tenant that is hidden", () => {
    const members = { ...munich, name: "Haus Nord", categories: ["office"], tenants: [{ name: "Tal AG", use: null }] }
    const titleOf = (title: string, options = {}) => projected(members, { title, options }).title
    assert.strictEqual(titleOf("Core office"), "Core office")
    for (const title of [
      "Haus-Nord",
      "Office in Munchen",
      "Near Landsberger Str",
      "80339",
      "Let to Tal AG",
      "Bayern"
    ]) {
      const isNamed = !title.includes("Str")
      assert.strictEqual(titleOf(title), isNamed ? "Office, Germany" : title)
    }
    assert.strictEqual(titleOf("In München", { location: "locality" }), "In München")
    assert.strictEqual(titleOf("In Germany", { location: "hidden" }), "Office")
    assert.strictEqual(titleOf("Let to Tal AG", { tenants: "named" }), "Let to Tal AG")
  })

  it("may name a region that is shown and has the name of a town that is hidden", () => {
    const berlin = { country: "DE", locality: "Berlin", address: { region: "Berlin" } }
    assert.strictEqual(
      projected(berlin, { title: "Core Berlin", options: { location: "region" } }).title,
      "Core Berlin"
    )
  })
})
