/** How well a property fits a mandate: every criterion at its edges, and what holds for all of them. */
import fc from "fast-check"
import { describe, expect, it } from "@effect/vitest"
import { circleAt } from "../../../src/market/mandates/geography/Area.ts"
import { blank as blankMandate } from "../../../src/market/mandates/rules.ts"
import { compareLocations, isAfter, match, rank, unknownLocation } from "../../../src/market/matches/rules.ts"
import { costs, type CriterionName, type CriterionResult, matchExample } from "../../../src/market/matches/Match.ts"
import { blank as blankProperty } from "../../../src/market/properties/rules.ts"
import { widerPairs } from "./arbitraries.ts"
import {
  energy,
  eur,
  income,
  percent,
  prices,
  pricing,
  type SomeMandate,
  type SomeProperty,
  sqm,
  years,
  zoning
} from "./samples.ts"

const matchOf = (property: SomeProperty, mandate: SomeMandate, location = unknownLocation) =>
  match({ ...blankProperty, ...property }, { ...blankMandate, ...mandate }, location)

const criterionOf = (name: CriterionName, ...args: Parameters<typeof matchOf>) =>
  matchOf(...args).criteria.find(({ criterion }) => criterion === name)

const lostBy = (name: CriterionName, result: CriterionResult) => {
  const cost = costs[name]
  if (cost === "excludes") return result === "failed" ? 100 : 0
  return result === "failed" ? cost : result === "partly" ? cost / 2 : 0
}

type Case = readonly [property: SomeProperty, mandate: SomeMandate, result: CriterionResult]

/** A range from 100 to 1,000 at its edges; `step` is the smallest difference. */
const rangeCases = (
  of: (value: number) => SomeProperty,
  wanting: (min: number | null, max: number | null) => SomeMandate,
  step = 0.0001
): ReadonlyArray<Case> => [
  [{}, wanting(100, 1_000), "unknown"],
  [of(100), {}, "unknown"],
  [of(100), wanting(null, null), "met"],
  [of(100), wanting(100, 1_000), "met"],
  [of(1_000), wanting(100, 1_000), "met"],
  [of(100), wanting(100, 100), "met"],
  [of(100 - step), wanting(100, 1_000), "partly"],
  [of(90), wanting(100, 1_000), "partly"],
  [of(90 - step), wanting(100, 1_000), "failed"],
  [of(1_000 + step), wanting(100, 1_000), "partly"],
  [of(1_100), wanting(100, 1_000), "partly"],
  [of(1_100 + step), wanting(100, 1_000), "failed"],
  [of(90 - step), wanting(null, 1_000), "met"],
  [of(1_100 + step), wanting(100, null), "met"],
  [of(0), wanting(0, 0), "met"],
  [of(step), wanting(0, 0), "failed"]
]

/** Lists of codes of which one is enough. */
const codeCases = (
  of: (codes: ReadonlyArray<string>) => SomeProperty,
  wanting: (codes: ReadonlyArray<string>) => SomeMandate,
  [a, b, c]: readonly [string, string, string]
): ReadonlyArray<Case> => [
  [{}, wanting([a]), "unknown"],
  [of([a]), {}, "unknown"],
  [of([a]), wanting([a]), "met"],
  [of([a]), wanting([b, a]), "met"],
  [of([b]), wanting([a, c]), "failed"]
]

const askingPrice = (value: number, currency = "EUR") => pricing({ askingPrice: { value, currency } })

const cases: { readonly [Name in Exclude<CriterionName, "geography">]: ReadonlyArray<Case> } = {
  country: [
    [{}, { country: "DE" }, "unknown"],
    [{ country: "DE" }, {}, "unknown"],
    [{ country: "DE" }, { country: "DE" }, "met"],
    [{ country: "AT" }, { country: "DE" }, "failed"]
  ],
  categories: [
    ...codeCases(
      (categories) => ({ categories }),
      (categories) => ({ categories }),
      ["office", "hotel", "land"]
    ),
    [{ categories: ["office", "hotel"] }, { categories: ["hotel", "land"] }, "met"]
  ],
  negativeTags: [
    [{}, { negativeTags: ["portfolio"] }, "unknown"],
    [{ tags: ["portfolio"] }, {}, "unknown"],
    [{ tags: ["waterfront"] }, { negativeTags: ["portfolio"] }, "met"],
    [{ tags: ["waterfront", "portfolio"] }, { negativeTags: ["rail_access", "portfolio"] }, "failed"]
  ],
  investmentSize: [
    ...rangeCases(askingPrice, (min, max) => ({ investmentSize: prices(min, max) })),
    // Both are products that floating-point numbers miss.
    [askingPrice(4_350_000), { investmentSize: prices(4.35, 4.35, "million") }, "met"],
    [askingPrice(1_005), { investmentSize: prices(1.005, 1.005, "thousand") }, "met"],
    [askingPrice(4_349_999.9999), { investmentSize: prices(4.35, null, "million") }, "partly"],
    [askingPrice(100, "SEK"), { investmentSize: prices(500, 600) }, "unknown"]
  ],
  lettableArea: rangeCases(
    (value) => ({ lettableArea: sqm(value) }),
    (min, max) => ({ lettableArea: { min, max, unit: "sqm" } })
  ),
  lifecycleStages: codeCases(
    ([lifecycleStage = ""]) => ({ lifecycleStage }),
    (lifecycleStages) => ({ lifecycleStages }),
    ["operating", "land", "development"]
  ),
  subcategories: codeCases(
    (subcategories) => ({ subcategories }),
    (subcategories) => ({ subcategories }),
    ["clinic", "resort", "workshop"]
  ),
  tenures: codeCases(
    ([tenure = ""]) => ({ tenure }),
    (tenures) => ({ tenures }),
    ["freehold", "leasehold", "other"]
  ),
  dealStructures: [
    ...codeCases(
      ([dealStructure = ""]) => ({ dealStructure }),
      (dealStructures) => ({ dealStructures }),
      ["asset", "share", "asset"]
    ),
    [{ dealStructure: "asset" }, { dealStructures: ["either"] }, "met"],
    [{ dealStructure: "either" }, { dealStructures: ["share"] }, "met"]
  ],
  netInitialYield: rangeCases(
    (value) => pricing({ netInitialYield: percent(value) }),
    (min, max) => ({ netInitialYield: { min, max, unit: "percent" } })
  ),
  pricePerSqm: [
    ...rangeCases(
      (value) => ({ ...askingPrice(value * 10_000), lettableArea: sqm(10_000) }),
      (min, max) => ({ pricePerSqm: prices(min, max) })
    ),
    // A third of 1,000 is more than 333.3333.
    [{ ...askingPrice(1_000), lettableArea: sqm(3) }, { pricePerSqm: prices(333.3333, null) }, "met"],
    [{ ...askingPrice(1_000), lettableArea: sqm(3) }, { pricePerSqm: prices(null, 333.3333) }, "partly"],
    [{ ...askingPrice(5_000), lettableArea: sqm(1) }, { pricePerSqm: prices(5, 5, "thousand") }, "met"],
    [{ ...askingPrice(1_000), lettableArea: sqm(0) }, { pricePerSqm: prices(1, 2) }, "unknown"],
    [askingPrice(1_000), { pricePerSqm: prices(1, 2) }, "unknown"],
    [{ lettableArea: sqm(3) }, { pricePerSqm: prices(1, 2) }, "unknown"],
    [{ ...askingPrice(1_000, "SEK"), lettableArea: sqm(1) }, { pricePerSqm: prices(1, 2) }, "unknown"]
  ],
  wault: [
    ...rangeCases(
      (value) => income({ waultToBreak: years(value) }),
      (min, max) => ({ wault: { min, max, unit: "years" } })
    ),
    [income({ waultToExpiry: years(6) }), { wault: { min: 5, max: null, unit: "years" } }, "met"],
    [
      income({ waultToBreak: years(3), waultToExpiry: years(6) }),
      { wault: { min: 5, max: null, unit: "years" } },
      "failed"
    ]
  ],
  vacancyRate: rangeCases(
    (value) => income({ vacancyRate: percent(value) }),
    (min, max) => ({ vacancyRate: { min, max, unit: "percent" } })
  ),
  yearBuilt: [
    [{}, { yearBuilt: { min: 1990, max: 2000 } }, "unknown"],
    [{ yearBuilt: 1990 }, {}, "unknown"],
    [{ yearBuilt: 1990 }, { yearBuilt: { min: null, max: null } }, "met"],
    [{ yearBuilt: 1990 }, { yearBuilt: { min: 1990, max: 2000 } }, "met"],
    [{ yearBuilt: 2000 }, { yearBuilt: { min: 1990, max: 2000 } }, "met"],
    [{ yearBuilt: 1989 }, { yearBuilt: { min: 1990, max: 2000 } }, "partly"],
    [{ yearBuilt: 1985 }, { yearBuilt: { min: 1990, max: 2000 } }, "partly"],
    [{ yearBuilt: 1984 }, { yearBuilt: { min: 1990, max: 2000 } }, "failed"],
    [{ yearBuilt: 2005 }, { yearBuilt: { min: 1990, max: 2000 } }, "partly"],
    [{ yearBuilt: 2006 }, { yearBuilt: { min: 1990, max: 2000 } }, "failed"],
    [{ yearBuilt: 1700 }, { yearBuilt: { min: null, max: 2000 } }, "met"],
    [{ yearBuilt: 2100 }, { yearBuilt: { min: 1990, max: null } }, "met"]
  ],
  parcelArea: rangeCases(
    (value) => ({ parcelArea: sqm(value) }),
    (min, max) => ({ parcelArea: { min, max, unit: "sqm" } })
  ),
  zoningGfa: rangeCases(
    (value) => zoning({ gfa: sqm(value) }),
    (min, max) => ({ zoningGfa: { min, max, unit: "sqm" } })
  ),
  unitCount: rangeCases(
    (unitCount) => ({ unitCount }),
    (min, max) => ({ unitCount: { min, max } }),
    1
  ),
  worstEnergyClass: [
    [{}, { worstEnergyClass: "d" }, "unknown"],
    [energy({ class: "d" }), {}, "unknown"],
    [energy({ class: "d" }), { worstEnergyClass: "d" }, "met"],
    [energy({ class: "a_plus" }), { worstEnergyClass: "a0" }, "met"],
    [energy({ class: "a0" }), { worstEnergyClass: "a_plus" }, "partly"],
    [energy({ class: "e" }), { worstEnergyClass: "d" }, "partly"],
    [energy({ class: "f" }), { worstEnergyClass: "d" }, "failed"],
    [{ country: "DE", ...energy({ class: "f", country: "DE" }) }, { worstEnergyClass: "d" }, "failed"],
    [{ country: "DE", ...energy({ class: "f", country: "FR" }) }, { worstEnergyClass: "d" }, "unknown"],
    [energy({ class: "f", country: "FR" }), { worstEnergyClass: "d" }, "unknown"],
    [energy({ class: "f", country: "FR" }), { worstEnergyClass: "d", country: "FR" }, "failed"],
    [energy({ class: "f", country: "FR" }), { worstEnergyClass: "d", country: "DE" }, "unknown"]
  ],
  conversions: codeCases(
    (conversions) => ({ conversions }),
    (conversions) => ({ conversions }),
    ["to_hotel", "to_office", "demolition"]
  ),
  positiveTags: [
    [{}, { positiveTags: ["waterfront"] }, "unknown"],
    [{ tags: ["waterfront"] }, {}, "unknown"],
    [{ tags: ["waterfront", "portfolio"] }, { positiveTags: ["waterfront"] }, "met"],
    [{ tags: ["waterfront", "portfolio"] }, { positiveTags: ["waterfront", "rail_access"] }, "partly"],
    [{ tags: ["portfolio"] }, { positiveTags: ["waterfront", "rail_access"] }, "failed"]
  ]
}

const allCases = Object.entries(cases).flatMap(([name, ofName]) =>
  ofName.map(([property, mandate, result]) => ({ name: name as keyof typeof cases, property, mandate, result }))
)

describe("a criterion", () => {
  it.each(allCases)("$name is $result for $property and $mandate", ({ mandate, name, property, result }) => {
    expect(criterionOf(name, property, mandate)?.result).toBe(result)
  })

  it.each(allCases)("$name alone decides on $property and $mandate", ({ mandate, name, property, result }) => {
    const { criteria, excluded, score } = matchOf(property, mandate)
    const worse = criteria.filter(({ result: one }) => one === "failed" || one === "partly")
    expect(worse.every(({ criterion }) => criterion === name)).toBe(true)
    expect(excluded).toBe(costs[name] === "excludes" && result === "failed")
    expect(score).toBe(100 - lostBy(name, result))
  })

  it.each([
    ["geography", "isInArea"],
    ["country", "isInCountry"]
  ] as const)("%s goes by the coordinates where these decide", (name, member) => {
    const resultFor = (is: boolean | undefined) => {
      const location = { ...unknownLocation, [member]: is }
      const { excluded } = matchOf({}, { country: "DE" }, location)
      return [criterionOf(name, {}, { country: "DE" }, location)?.result, excluded]
    }
    expect(resultFor(true)).toStrictEqual(["met", false])
    expect(resultFor(false)).toStrictEqual(["failed", true])
    expect(resultFor(undefined)).toStrictEqual(["unknown", false])
  })

  it("says what is wanted and what was found; null is what is left open", () => {
    const property = { ...askingPrice(1_000), lettableArea: sqm(3), tags: ["portfolio"] }
    const mandate = { pricePerSqm: prices(300, null), investmentSize: prices(null, 2, "thousand") }
    expect(criterionOf("pricePerSqm", property, mandate)).toStrictEqual({
      criterion: "pricePerSqm",
      result: "met",
      wanted: prices(300, null),
      found: eur(333.3333)
    })
    expect(criterionOf("investmentSize", property, mandate)).toStrictEqual({
      criterion: "investmentSize",
      result: "met",
      wanted: prices(null, 2, "thousand"),
      found: eur(1_000)
    })
    expect(criterionOf("positiveTags", property, mandate)).toStrictEqual({
      criterion: "positiveTags",
      result: "unknown",
      wanted: null,
      found: ["portfolio"]
    })
  })
})

describe("a match", () => {
  it("of which nothing is known has the best score, and lists all criteria", () => {
    const { criteria, excluded, score } = matchOf({}, {})
    expect({ excluded, score }).toStrictEqual({ excluded: false, score: 100 })
    expect(criteria.map(({ criterion }) => criterion)).toStrictEqual(Object.keys(costs))
    expect(new Set(criteria.map(({ result }) => result))).toStrictEqual(new Set(["unknown"]))
  })

  it("is answered as the documentation shows it", () => {
    const location = { country: "DE", coordinates: { latitude: 48.1385, longitude: 11.5309 } }
    const property = {
      ...location,
      ...askingPrice(46_500_000),
      categories: ["office"],
      lettableArea: sqm(10_640),
      tags: ["multi_tenant", "partly_vacant"]
    }
    const mandate: SomeMandate = {
      categories: ["office", "mixed_use"],
      negativeTags: ["contaminated_land"],
      positiveTags: ["partly_vacant", "rail_access"],
      investmentSize: prices(20, 45, "million"),
      lettableArea: { min: 5_000, max: null, unit: "sqm" }
    }
    const area = circleAt(11.5755, 48.1372, 60_000)
    const compared = compareLocations(location, { area, wholeCountries: [], country: null }, () => undefined)
    const { criteria, score } = matchOf(property, mandate, compared)
    expect({ score, criteria }).toStrictEqual(matchExample)
  })

  it("has a whole score from 0 to 100, which is what its criteria leave of it", () => {
    fc.assert(
      fc.property(widerPairs, ({ location, mandate, property }) => {
        const { criteria, score } = match(property, mandate, location)
        const lost = criteria.reduce((sum, { criterion, result }) => sum + lostBy(criterion, result), 0)
        expect(score).toBe(Math.max(0, 100 - lost))
        expect(Number.isInteger(score)).toBe(true)
      })
    )
  })

  it("never becomes worse when the mandate becomes wider", () => {
    fc.assert(
      fc.property(widerPairs, ({ location, mandate, property, wider, widerLocation }) => {
        const narrow = match(property, mandate, location)
        const wide = match(property, wider, widerLocation)
        expect(wide.score).toBeGreaterThanOrEqual(narrow.score)
        expect(narrow.excluded || !wide.excluded).toBe(true)
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("the order of matches", () => {
  const matches = fc.uniqueArray(
    fc.record({ score: fc.integer({ min: 0, max: 3 }), uuid: fc.constantFrom("a", "b", "c", "d", "e", "f") }),
    { selector: ({ uuid }) => uuid }
  )

  it("is by score, the best first, then by id, and can be continued after any match", () => {
    fc.assert(
      fc.property(matches, (some) => {
        const ranked = rank(some)
        expect(ranked).toStrictEqual(some.toSorted((a, b) => b.score - a.score || a.uuid.localeCompare(b.uuid)))
        for (const [index, one] of ranked.entries()) {
          expect(ranked.filter((other) => isAfter(other, one))).toStrictEqual(ranked.slice(index + 1))
        }
      })
    )
  })
})
