/** Properties and mandates whose values often meet at an edge, and mandates that are wider than others. */
import fc from "fast-check"
import { type Area, circleAt } from "../../../src/market/mandates/geography/Area.ts"
import type { MandateFields } from "../../../src/market/mandates/Mandate.ts"
import { blank as blankMandate } from "../../../src/market/mandates/rules.ts"
import { compareLocations } from "../../../src/market/matches/rules.ts"
import { blank as blankProperty } from "../../../src/market/properties/rules.ts"
import { energy, income, pricing, zoning } from "./samples.ts"

// Half of everything is open, and lists are short: else nearly all pairs would be excluded.
const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { freq: 2 })

const some = (values: ReadonlyArray<string>) => fc.subarray([...values], { maxLength: 2 })

const amount = fc.constantFrom(0, 80, 89.9999, 90, 95, 100, 105, 110, 110.0001, 120, 1_000)
const count = fc.constantFrom(0, 80, 90, 100, 110, 111, 121)
const year = fc.constantFrom(1979, 1980, 1985, 1990, 1995, 2000, 2005, 2006)
const country = fc.constantFrom("DE", "AT")
const currency = fc.constantFrom("EUR", "EUR", "SEK")
const stages = ["operating", "refurbishment", "land"]
const tenures = ["freehold", "leasehold", "other"]
const structures = ["asset", "share", "either"]
const classes = ["a", "b", "c", "d", "e"] as const
const codes = {
  categories: ["office", "hotel", "land"],
  subcategories: ["clinic", "resort", "workshop"],
  conversions: ["to_hotel", "to_office", "demolition"],
  tags: ["portfolio", "waterfront", "rail_access", "value_add"]
}

const money = fc.record({ value: amount, currency })
const sqm = fc.record({ value: amount, unit: fc.constant("sqm" as const) })
const percent = fc.record({ value: amount, unit: fc.constant("percent" as const) })
const years = fc.record({ value: amount, unit: fc.constant("years" as const) })

/** What stands for the outlines of countries in these tests. */
const outlines: { readonly [country: string]: Area } = { DE: circleAt(10, 51, 400_000), AT: circleAt(13, 47, 200_000) }

const outlineOf = (of: string | null): Area | undefined => outlines[of ?? ""]

const coordinates = fc.constantFrom(
  { latitude: 51, longitude: 10 },
  { latitude: 47.2, longitude: 13.1 },
  { latitude: 48.14, longitude: 11.58 },
  { latitude: 0, longitude: 0 }
)

const property = fc
  .record({
    plain: fc.record({
      country: maybe(country),
      coordinates: maybe(coordinates),
      categories: some(codes.categories),
      subcategories: fc.subarray(codes.subcategories),
      lifecycleStage: maybe(fc.constantFrom(...stages)),
      tenure: maybe(fc.constantFrom(...tenures)),
      dealStructure: maybe(fc.constantFrom(...structures)),
      parcelArea: maybe(sqm),
      lettableArea: maybe(sqm),
      conversions: fc.subarray(codes.conversions),
      tags: some(codes.tags),
      yearBuilt: maybe(year),
      unitCount: maybe(count)
    }),
    gfa: maybe(sqm),
    earned: fc.record({ vacancyRate: maybe(percent), waultToBreak: maybe(years), waultToExpiry: maybe(years) }),
    priced: fc.record({ askingPrice: maybe(money), netInitialYield: maybe(percent) }),
    certificate: fc.record({ class: maybe(fc.constantFrom(...classes)), country: maybe(country) })
  })
  .map(({ certificate, earned, gfa, plain, priced }) => ({
    ...blankProperty,
    ...plain,
    ...zoning({ gfa }),
    ...income(earned),
    ...pricing(priced),
    ...energy(certificate)
  }))

interface Ends {
  readonly min: number | null
  readonly max: number | null
}

/** Pairs of a value and a wider one. */
type Wider<A> = fc.Arbitrary<readonly [value: A, wider: A]>

const lower = (a: number | null, b: number | null) => (a === null || b === null ? null : Math.min(a, b))
const higher = (a: number | null, b: number | null) => (a === null || b === null ? null : Math.max(a, b))

const ranges = <Rest extends object>(of: fc.Arbitrary<number>, rest: fc.Arbitrary<Rest>): Wider<(Ends & Rest) | null> =>
  fc.tuple(maybe(of), maybe(of), maybe(of), maybe(of), rest, fc.nat(9)).map(([a, b, c, d, more, kind]) => {
    const [min, max] = a !== null && b !== null && a > b ? [b, a] : [a, b]
    const value = { min, max, ...more }
    if (kind === 0) return [null, null]
    if (kind === 1) return [value, null]
    return kind < 6 ? [value, value] : [value, { min: lower(min, c), max: higher(max, d), ...more }]
  })

/** Lists of which one value is enough: more values are wider, and none leaves it open. */
const lists = (values: ReadonlyArray<string>): Wider<ReadonlyArray<string>> =>
  fc.tuple(fc.subarray([...values]), fc.subarray([...values]), fc.nat(4)).map(([wanted, others, kind]) => {
    if (wanted.length === 0 || kind === 0) return [wanted, []]
    return [wanted, [...new Set([...wanted, ...others])]]
  })

const perhapsOpen = <A>(value: fc.Arbitrary<A>, open: NoInfer<A>): Wider<A> =>
  fc.tuple(value, fc.nat(4)).map(([one, kind]) => [one, kind === 0 ? open : one])

const areas: Wider<Area | undefined> = fc
  .tuple(maybe(coordinates), fc.constantFrom(1_000, 150_000, 400_000), fc.constantFrom(1, 1, 3), fc.nat(4))
  .map(([center, radius, factor, kind]) => {
    if (center === null) return [undefined, undefined]
    const area = circleAt(center.longitude, center.latitude, radius)
    return [area, kind === 0 ? undefined : circleAt(center.longitude, center.latitude, radius * factor)]
  })

const unit = fc.record({ unit: fc.constant("sqm" as const) })
const inPercent = fc.record({ unit: fc.constant("percent" as const) })
const priced = fc.record({ currency, scale: fc.constantFrom("unit" as const, "thousand" as const) })

const mandates = fc.record({
  country: perhapsOpen(maybe(country), null),
  categories: lists(codes.categories),
  subcategories: lists(codes.subcategories),
  lifecycleStages: lists(stages),
  tenures: lists(tenures),
  dealStructures: lists(structures),
  conversions: lists(codes.conversions),
  investmentSize: ranges(amount, priced),
  yearBuilt: ranges(year, fc.constant({})),
  parcelArea: ranges(amount, unit),
  lettableArea: ranges(amount, unit),
  zoningGfa: ranges(amount, unit),
  netInitialYield: ranges(amount, inPercent),
  vacancyRate: ranges(amount, inPercent),
  wault: ranges(amount, fc.record({ unit: fc.constant("years" as const) })),
  unitCount: ranges(count, fc.constant({})),
  pricePerSqm: ranges(amount, priced),
  worstEnergyClass: fc
    .tuple(maybe(fc.nat(classes.length - 1)), maybe(fc.nat(classes.length - 1)))
    .map(([a, b]): readonly [string | null, string | null] => [
      a === null ? null : (classes[a] ?? null),
      a === null || b === null ? null : (classes[Math.max(a, b)] ?? null)
    ]),
  // Neither more nor fewer of these are wider: one more can be one more that a property has, or lacks.
  positiveTags: perhapsOpen(fc.subarray(codes.tags), []),
  negativeTags: fc
    .tuple(some(codes.tags), fc.subarray(codes.tags))
    .map(([excluded, kept]): readonly [ReadonlyArray<string>, ReadonlyArray<string>] => [
      excluded,
      excluded.filter((tag) => kept.includes(tag))
    ])
})

/** A property with a mandate, and a wider one. */
export const widerPairs = fc.record({ property, mandates, areas }).map(({ areas: [area, widerArea], ...pair }) => {
  const at = (index: 0 | 1) =>
    Object.fromEntries(Object.entries(pair.mandates).map(([member, both]) => [member, both[index]]))
  const mandate = { ...blankMandate, ...at(0) } as MandateFields
  const wider = { ...blankMandate, ...at(1) } as MandateFields
  return {
    property: pair.property,
    mandate,
    location: compareLocations(pair.property, { area, wholeCountries: [], country: mandate.country }, outlineOf),
    wider,
    widerLocation: compareLocations(
      pair.property,
      { area: widerArea, wholeCountries: [], country: wider.country },
      outlineOf
    )
  }
})
