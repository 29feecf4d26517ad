/** How well a property fits a mandate (docs/behaviour/matches.md#score). Pure. */
import type { MandateFields } from "../mandates/Mandate.ts"
import type { PropertyFields } from "../properties/Property.ts"
import { energyClasses } from "../properties/members/vocabulary.ts"
import { isAtMost, quotientOf } from "./decimals.ts"
import type { LocationComparison } from "./location.ts"
import { costs, type Criterion, type CriterionName, type CriterionResult, maxScore } from "./Match.ts"

/** The members of a property that are compared. */
export const comparedOfProperty = [
  "country",
  "coordinates",
  "categories",
  "subcategories",
  "lifecycleStage",
  "tenure",
  "dealStructure",
  "parcelArea",
  "lettableArea",
  "zoning",
  "conversions",
  "tags",
  "yearBuilt",
  "unitCount",
  "income",
  "pricing",
  "energy"
] as const satisfies ReadonlyArray<keyof PropertyFields>

type Nested = "energy" | "income" | "pricing" | "zoning"

type Some<Member extends Nested, Key extends keyof NonNullable<PropertyFields[Member]>> = Pick<
  NonNullable<PropertyFields[Member]>,
  Key
> | null

/** A property, as far as it is compared. */
export interface ComparedProperty extends Pick<PropertyFields, Exclude<(typeof comparedOfProperty)[number], Nested>> {
  readonly zoning: Some<"zoning", "gfa">
  readonly income: Some<"income", "vacancyRate" | "waultToBreak" | "waultToExpiry">
  readonly pricing: Some<"pricing", "askingPrice" | "netInitialYield">
  readonly energy: Some<"energy", "class" | "country">
}

/** The members of a mandate that are compared; its area is compared by `compareLocations`. */
export const comparedOfMandate = [
  "country",
  "categories",
  "subcategories",
  "lifecycleStages",
  "tenures",
  "dealStructures",
  "conversions",
  "investmentSize",
  "yearBuilt",
  "parcelArea",
  "lettableArea",
  "zoningGfa",
  "netInitialYield",
  "vacancyRate",
  "wault",
  "unitCount",
  "pricePerSqm",
  "worstEnergyClass",
  "positiveTags",
  "negativeTags"
] as const satisfies ReadonlyArray<keyof MandateFields>

/** A mandate, as far as it is compared. */
export type ComparedMandate = Pick<MandateFields, (typeof comparedOfMandate)[number]>

/** How a criterion compares. */
interface Comparison extends Pick<Criterion, "found" | "wanted"> {
  readonly result: CriterionResult
}

/** How well a property fits a mandate. */
export interface Match {
  /** 0 to 100; 0 if it is excluded. */
  readonly score: number
  /** In the order of {@link costs}. */
  readonly criteria: ReadonlyArray<Comparison & { readonly criterion: CriterionName }>
  /** Whether a criterion failed without which the property is not wanted at all. */
  readonly excluded: boolean
}

const orNull = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> | null => (values.length === 0 ? null : values)

/** Compares what both sides have; what either leaves open is unknown. `compare` returns undefined for what cannot be compared. */
const compare = <Wanted extends Criterion["wanted"], Found extends Criterion["found"]>(
  wanted: Wanted | null,
  found: Found | null,
  resultOf: (wanted: Wanted, found: Found) => CriterionResult
): Comparison => ({
  wanted,
  found,
  result: wanted === null || found === null ? "unknown" : resultOf(wanted, found)
})

const metIf = (isMet: boolean): CriterionResult => (isMet ? "met" : "failed")

type Codes = ReadonlyArray<string>

/** Whether a property has one of the wanted codes. */
const anyOf = (wanted: Codes, found: Codes): Comparison =>
  compare(orNull(wanted), orNull(found), (some, its) => metIf(its.some((code) => some.includes(code))))

/** Whether the code of a property is one of the wanted ones. */
const oneOf = (wanted: Codes, found: string | null): Comparison =>
  compare(orNull(wanted), found, (some, code) => metIf(some.includes(code)))

interface Range {
  readonly min: number | null
  readonly max: number | null
}

const scales = { unit: 1, thousand: 1e3, million: 1e6 }

/**
 * Whether a value is within a range, or beyond its end by at most a tenth of that end. The value and the ends are products, so that
 * neither a scale nor a quotient is rounded: `value` / `per`, and an end × `scale`.
 */
const withinRange = ({ max, min }: Range, value: number, { per = 1, scale = 1 } = {}): CriterionResult => {
  const isWithin = (tenthsOfMin: number, tenthsOfMax: number) =>
    (min === null || isAtMost([min, scale, per, tenthsOfMin], [value, 10])) &&
    (max === null || isAtMost([value, 10], [max, scale, per, tenthsOfMax]))
  return isWithin(10, 10) ? "met" : isWithin(9, 11) ? "partly" : "failed"
}

interface Measure {
  readonly value: number
}

/** Whether the value of a measure is within a range. */
const inRange = <Wanted extends Range & Criterion["wanted"], Found extends Measure & Criterion["found"]>(
  wanted: Wanted | null,
  found: Found | null | undefined
): Comparison => compare(wanted, found ?? null, (range, { value }) => withinRange(range, value))

const toleratedYears = 5

const inYears = (wanted: ComparedMandate["yearBuilt"], found: number | null): Comparison =>
  compare(wanted, found, ({ max, min }, year) => {
    const beyond = Math.max((min ?? year) - year, year - (max ?? year))
    return beyond <= 0 ? "met" : beyond <= toleratedYears ? "partly" : "failed"
  })

type PriceRange = NonNullable<ComparedMandate["investmentSize"]>

/** Whether a price, or a price per `per` of something, is within a range of the same currency; another currency is unknown. */
const inPrices = <Found extends Criterion["found"]>(
  wanted: PriceRange | null,
  found: Found | null,
  price: { readonly value: number; readonly currency: string } | null,
  per = 1
): Comparison =>
  compare(wanted, found, (range) =>
    price === null || range.currency !== price.currency
      ? "unknown"
      : withinRange(range, price.value, { per, scale: scales[range.scale] })
  )

const perSqm = (wanted: PriceRange | null, { lettableArea, pricing }: ComparedProperty): Comparison => {
  const price = pricing?.askingPrice ?? null
  const area = lettableArea?.value ?? 0
  const value = price === null ? undefined : quotientOf(price.value, area)
  const found = price === null || value === undefined ? null : { value, currency: price.currency }
  return inPrices(wanted, found, price, area)
}

/** Whether an energy class is no worse than the wanted one; one class worse is met partly. */
const energyClass = (
  { country: wantedCountry, worstEnergyClass }: ComparedMandate,
  { country, energy }: ComparedProperty
): Comparison =>
  compare(worstEnergyClass, energy?.class ?? null, (worst, found) => {
    const scale = energy?.country ?? null
    if (scale !== null && scale !== (country ?? wantedCountry)) return "unknown"
    const classes: Codes = energyClasses
    const worse = classes.indexOf(found) - classes.indexOf(worst)
    return worse <= 0 ? "met" : worse === 1 ? "partly" : "failed"
  })

const either = "either"

const dealStructure = (wanted: Codes, found: string | null): Comparison =>
  compare(orNull(wanted), found, (some, one) => metIf(some.includes(either) || one === either || some.includes(one)))

const allOf = (wanted: Codes, found: Codes): Comparison =>
  compare(orNull(wanted), orNull(found), (all, its) => {
    const has = all.filter((tag) => its.includes(tag)).length
    return has === all.length ? "met" : has > 0 ? "partly" : "failed"
  })

const noneOf = (wanted: Codes, found: Codes): Comparison =>
  compare(orNull(wanted), orNull(found), (none, its) => metIf(!its.some((tag) => none.includes(tag))))

const resultOf = (is: boolean | undefined): CriterionResult => (is === undefined ? "unknown" : metIf(is))

/** All criteria, by their names. */
const comparisonsOf = (
  property: ComparedProperty,
  mandate: ComparedMandate,
  location: LocationComparison
): { readonly [Name in CriterionName]: Comparison } => {
  const { income, pricing } = property
  const askingPrice = pricing?.askingPrice ?? null
  return {
    country:
      property.country === null
        ? { wanted: mandate.country, found: null, result: resultOf(location.isInCountry) }
        : compare(mandate.country, property.country, (wanted, found) => metIf(wanted === found)),
    geography: {
      wanted: location.wanted,
      found: property.coordinates,
      result: resultOf(location.isInArea)
    },
    categories: anyOf(mandate.categories, property.categories),
    negativeTags: noneOf(mandate.negativeTags, property.tags),
    investmentSize: inPrices(mandate.investmentSize, askingPrice, askingPrice),
    lettableArea: inRange(mandate.lettableArea, property.lettableArea),
    lifecycleStages: oneOf(mandate.lifecycleStages, property.lifecycleStage),
    subcategories: anyOf(mandate.subcategories, property.subcategories),
    tenures: oneOf(mandate.tenures, property.tenure),
    dealStructures: dealStructure(mandate.dealStructures, property.dealStructure),
    netInitialYield: inRange(mandate.netInitialYield, pricing?.netInitialYield),
    pricePerSqm: perSqm(mandate.pricePerSqm, property),
    wault: inRange(mandate.wault, income?.waultToBreak ?? income?.waultToExpiry),
    vacancyRate: inRange(mandate.vacancyRate, income?.vacancyRate),
    yearBuilt: inYears(mandate.yearBuilt, property.yearBuilt),
    parcelArea: inRange(mandate.parcelArea, property.parcelArea),
    zoningGfa: inRange(mandate.zoningGfa, property.zoning?.gfa),
    unitCount: compare(mandate.unitCount, property.unitCount, (range, count) => withinRange(range, count)),
    worstEnergyClass: energyClass(mandate, property),
    conversions: anyOf(mandate.conversions, property.conversions),
    positiveTags: allOf(mandate.positiveTags, property.tags)
  }
}

const lostOf = (cost: number, result: CriterionResult): number =>
  result === "failed" ? cost : result === "partly" ? cost / 2 : 0

/** How well a property fits a mandate; `location` says how their places compare. */
export const match = (property: ComparedProperty, mandate: ComparedMandate, location: LocationComparison): Match => {
  const comparisons = comparisonsOf(property, mandate, location)
  const criteria = (Object.keys(costs) as ReadonlyArray<CriterionName>).map((criterion) => ({
    criterion,
    ...comparisons[criterion]
  }))
  const excluded = criteria.some(({ criterion, result }) => costs[criterion] === "excludes" && result === "failed")
  const lost = criteria.reduce((sum, { criterion, result }) => {
    const cost = costs[criterion]
    return cost === "excludes" ? sum : sum + lostOf(cost, result)
  }, 0)
  return { score: excluded ? 0 : Math.max(0, maxScore - lost), criteria, excluded }
}

/** Whether a mandate takes part in matches: active, and still valid at a time (milliseconds since 1970). */
export const isCurrent = ({ status, validUntilUtc }: Pick<MandateFields, "status" | "validUntilUtc">, now: number) =>
  status === "active" && (validUntilUtc === null || Date.parse(validUntilUtc) > now)

/** A match in a list: its score, and the UUID of the mandate or property that is listed. */
export interface Ranked {
  readonly score: number
  readonly uuid: string
}

/** Best first; those of one score by creation, which UUIDs (version 7) follow. */
export const rank = <A extends Ranked>(matches: ReadonlyArray<A>): ReadonlyArray<A> =>
  matches.toSorted((a, b) => b.score - a.score || (a.uuid < b.uuid ? -1 : a.uuid > b.uuid ? 1 : 0))

/** Whether a match comes after a position in the order of {@link rank}. */
export const isAfter = ({ score, uuid }: Ranked, position: Ranked): boolean =>
  score < position.score || (score === position.score && uuid > position.uuid)
