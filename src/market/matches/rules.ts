/** How well a property fits a mandate (docs/behaviour/matches.md#score). Pure. */
import type { MandateFields } from "../mandates/Mandate.ts"
import type { PropertyFields } from "../properties/Property.ts"
import { energyClasses } from "../properties/members/vocabulary.ts"
import { costs, type Criterion, type CriterionName, type CriterionResult, maxScore } from "./Match.ts"
import { type Area, type Box, toDegrees } from "../mandates/geography/Area.ts"
import { contains, meets } from "../mandates/geography/geometry.ts"
import type { Located } from "../mandates/rules.ts"
import { BigDecimal } from "effect"

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

/** What prices are given in. */
export const scales = { unit: 1, thousand: 1e3, million: 1e6 }

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

/** How many years outside of its range a year is met partly. */
export const toleratedYears = 5

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

/** Energy classes in the order in which they are compared, the best first. */
export const orderOfClasses: Codes = energyClasses

/** Whether an energy class is no worse than the wanted one; one class worse is met partly. */
const energyClass = (
  { country: wantedCountry, worstEnergyClass }: ComparedMandate,
  { country, energy }: ComparedProperty
): Comparison =>
  compare(worstEnergyClass, energy?.class ?? null, (worst, found) => {
    const scale = energy?.country ?? null
    if (scale !== null && scale !== (country ?? wantedCountry)) return "unknown"
    const worse = orderOfClasses.indexOf(found) - orderOfClasses.indexOf(worst)
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

type PlaceName = "country" | "geography"

/** The criteria of the place. */
const placesOf = (
  property: ComparedProperty,
  mandate: ComparedMandate,
  location: LocationComparison
): { readonly [Name in PlaceName]: Comparison } => ({
  country:
    property.country === null
      ? { wanted: mandate.country, found: null, result: resultOf(location.isInCountry) }
      : compare(mandate.country, property.country, (wanted, found) => metIf(wanted === found)),
  geography: {
    wanted: location.wanted,
    found: property.coordinates,
    result: resultOf(location.isInArea)
  }
})

/** All other criteria, by their names. */
const othersOf = (
  property: ComparedProperty,
  mandate: ComparedMandate
): { readonly [Name in Exclude<CriterionName, PlaceName>]: Comparison } => {
  const { income, pricing } = property
  const askingPrice = pricing?.askingPrice ?? null
  return {
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

const criterionNames = Object.keys(costs) as ReadonlyArray<CriterionName>

/** A property and a mandate, compared but for their places. */
export interface Pair {
  /** As in {@link Match}, wherever they are. */
  readonly score: number
  /** Whether they do not fit wherever they are. */
  readonly excluded: boolean
  readonly matchAt: (location: LocationComparison) => Match
}

/** Compares a property with a mandate. Most pairs are only ranked, so that their criteria are not listed. */
export const pair = (property: ComparedProperty, mandate: ComparedMandate): Pair => {
  const others = othersOf(property, mandate)
  const isExcludedAt = (places: ReturnType<typeof placesOf>) =>
    places.country.result === "failed" ||
    places.geography.result === "failed" ||
    others.categories.result === "failed" ||
    others.negativeTags.result === "failed"
  let lost = 0
  for (const criterion of criterionNames) {
    const cost = costs[criterion]
    if (cost !== "excludes") lost += lostOf(cost, others[criterion as keyof typeof others].result)
  }
  const scoreIf = (excluded: boolean) => (excluded ? 0 : Math.max(0, maxScore - lost))
  const excluded = isExcludedAt(placesOf(property, mandate, unknownLocation))
  return {
    score: scoreIf(excluded),
    excluded,
    matchAt: (location) => {
      const places = placesOf(property, mandate, location)
      const comparisons = { ...places, ...others }
      const isExcluded = isExcludedAt(places)
      return {
        score: scoreIf(isExcluded),
        criteria: criterionNames.map((criterion) => ({ criterion, ...comparisons[criterion] })),
        excluded: isExcluded
      }
    }
  }
}

/** How well a property fits a mandate; `location` says how their places compare. */
export const match = (property: ComparedProperty, mandate: ComparedMandate, location: LocationComparison): Match =>
  pair(property, mandate).matchAt(location)

/** The members of mandates whose criteria the indexes of candidates do not have, so that a property's score can be lower than they say. */
const unindexed = ["conversions", "subcategories", "vacancyRate", "wault", "worstEnergyClass", "zoningGfa"] as const

/** Whether the indexes of candidates have all criteria that a mandate does not leave open. */
export const isIndexed = (mandate: ComparedMandate): boolean =>
  unindexed.every((member) => {
    const wanted = mandate[member]
    return wanted === null || (Array.isArray(wanted) && wanted.length === 0)
  })

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

// Compares where a property is with where a mandate looks. Pure.

/** Where a property is, as far as it is known. */
export interface PropertyLocation {
  readonly coordinates: { readonly latitude: number | null; readonly longitude: number | null } | null
  readonly country: string | null
}

/** Where a mandate looks: in the countries that its place consists of, in its area, or else in its country. */
export type MandateLocation = Located

/** How the two compare. */
export interface LocationComparison {
  /** The area of the mandate, for people; null if it has none. */
  readonly wanted: AreaSummary | null
  /** Whether the property is in the area of the mandate; undefined where that is not known. */
  readonly isInArea: boolean | undefined
  /** Whether the property is in the country of the mandate by its coordinates; undefined where that is not known. */
  readonly isInCountry: boolean | undefined
}

/** A short description of an area: a circle, or the box around it in degrees (west, south, east, north). */
export type AreaSummary =
  | { readonly near: { readonly latitude: number; readonly longitude: number }; readonly radius: number }
  | { readonly bbox: readonly [west: number, south: number, east: number, north: number] }

/** Nothing is known of either place. */
export const unknownLocation: LocationComparison = { wanted: null, isInArea: undefined, isInCountry: undefined }

const boxAround = (boxes: ReadonlyArray<Box>): AreaSummary => ({
  bbox: [
    toDegrees(Math.min(...boxes.map(({ west }) => west))),
    toDegrees(Math.min(...boxes.map(({ south }) => south))),
    toDegrees(Math.max(...boxes.map(({ east }) => east))),
    toDegrees(Math.max(...boxes.map(({ north }) => north)))
  ]
})

const summaryOf = (area: Area): AreaSummary =>
  area.kind === "circle"
    ? {
        near: { latitude: toDegrees(area.latitude), longitude: toDegrees(area.longitude) },
        radius: area.radius
      }
    : boxAround(area.polygons.map(({ box }) => box))

const covers = (a: Box, b: Box) => a.west <= b.west && a.south <= b.south && a.east >= b.east && a.north >= b.north

/** Those of some boxes that no other one covers: countries have many small ones on their borders. */
export const outermost = (boxes: ReadonlyArray<Box>): ReadonlyArray<Box> =>
  boxes.filter((box, at) => !boxes.some((other, index) => covers(other, box) && (!covers(box, other) || index < at)))

/** The position of a property, if it is known. */
export const positionOf = ({
  coordinates
}: PropertyLocation): { readonly latitude: number; readonly longitude: number } | undefined => {
  const { latitude = null, longitude = null } = coordinates ?? {}
  return latitude === null || longitude === null ? undefined : { latitude, longitude }
}

/**
 * Compares the two; `territoryOf` has what lies in countries. A country holds what says that it is there, and, of what does not say where
 * it is, what lies in its territory. A property without coordinates may be anywhere in its country: it is not in an area outside of it,
 * and whether it is in one inside is not known.
 */
export const compareLocations = (
  property: PropertyLocation,
  mandate: MandateLocation,
  territoryOf: (country: string | null) => Area | undefined,
  /** Whether a territory has a point of the area of the mandate. */
  isMet: (territory: Area, area: Area) => boolean = meets
): LocationComparison => {
  const position = positionOf(property)
  const { area, wholeCountries } = mandate
  const isIn = (place: Area | undefined) =>
    place === undefined || position === undefined ? undefined : contains(place, position.longitude, position.latitude)
  const isInOneOf = (countries: ReadonlyArray<string>) => {
    if (property.country !== null) return countries.includes(property.country)
    return position === undefined ? undefined : countries.some((country) => isIn(territoryOf(country)) === true)
  }
  const isElsewhere = () => {
    const country = territoryOf(property.country)
    return position === undefined && area !== undefined && country !== undefined && !isMet(country, area)
  }
  return {
    wanted: area === undefined ? null : summaryOf(area),
    isInArea: wholeCountries.length > 0 ? isInOneOf(wholeCountries) : isElsewhere() ? false : isIn(area),
    isInCountry: property.country === null ? isIn(territoryOf(mandate.country)) : undefined
  }
}

// Exact comparisons of decimals, which are kept as floating-point numbers. Pure.

/** A number of factors that are multiplied. */
type Factors = ReadonlyArray<number>

const multiply = (factors: Factors): number => factors.reduce((product, factor) => product * factor, 1)

const multiplyExactly = (factors: Factors): BigDecimal.BigDecimal =>
  BigDecimal.multiplyAll(factors.map(BigDecimal.fromNumberUnsafe))

// Some multiplications cannot be further off than this.
const margin = 1e-9

/** The product of some decimals, exactly, as a text. */
export const productOf = (factors: Factors): string => BigDecimal.format(multiplyExactly(factors))

/** Whether the product of some decimals is at most that of others: exact, where floating-point products may round. */
export const isAtMost = (factors: Factors, limit: Factors): boolean => {
  const [product, most] = [multiply(factors), multiply(limit)]
  // Nearly all products differ clearly, and exact ones take fifty times as long.
  return Math.abs(product - most) > margin * Math.max(Math.abs(product), Math.abs(most))
    ? product < most
    : BigDecimal.isLessThanOrEqualTo(multiplyExactly(factors), multiplyExactly(limit))
}

const places = 4

/** A decimal of at most four places as a whole number of its ten-thousandths. */
const inUnits = (value: number): bigint => BigInt(value.toFixed(places).replace(".", ""))

/**
 * The quotient of two decimals of at most four places that are not negative, rounded half up to four places; undefined when divided by
 * 0. With whole numbers, because dividing by `BigDecimal` takes longer than all else in a match.
 */
export const quotientOf = (dividend: number, divisor: number): number | undefined => {
  const [numerator, denominator] = [inUnits(dividend), inUnits(divisor)]
  if (denominator === 0n) return undefined
  const rounded = (2n * numerator * 10n ** BigInt(places) + denominator) / (2n * denominator)
  return Number(rounded) / 10 ** places
}

// Compares what an investor sees of a property, which are ranges, with a mandate. Pure.

interface Ends {
  readonly min: number | null
  readonly max: number | null
}

/** What is seen of a property. An exact value has `min` equal to `max`. */
export interface SeenProperty {
  readonly categories: ReadonlyArray<string>
  readonly country: string | null
  readonly prices: ReadonlyArray<Ends & { readonly currency: string }>
  readonly yield: Ends | null
  readonly area: Ends | null
  readonly yearBuilt: Ends | null
  readonly zoning: { readonly gfa: Ends } | null
  readonly tenure: string | null
  readonly tags: ReadonlyArray<string>
  readonly conversions: ReadonlyArray<string>
  readonly energy: { readonly class: string } | null
  readonly wault: Ends | null
}

/** The value of a range that is nearest to what is wanted; null if neither says anything. */
const nearest = (seen: Ends | null, wanted: Ends | null, scale = 1): number | null => {
  if (seen === null) return null
  const [min, max] = [seen.min ?? seen.max ?? 0, seen.max ?? seen.min ?? 0]
  const [low, high] = [(wanted?.min ?? -Infinity) * scale, (wanted?.max ?? Infinity) * scale]
  return max < low ? max : min > high ? min : Math.max(min, low)
}

const isExact = (seen: Ends | null | undefined): boolean =>
  seen?.min !== undefined && seen.min !== null && seen.min === seen.max

const valueOr = <A>(value: number | null, make: (value: number) => A): A | null => (value === null ? null : make(value))

/**
 * The property of which as much fits the mandate as what is seen allows, and the mandate without what does not follow from ranges:
 * the price per square metre.
 */
export const bestCase = (
  seen: SeenProperty,
  mandate: ComparedMandate
): { readonly property: ComparedProperty; readonly mandate: ComparedMandate } => {
  const { investmentSize } = mandate
  const price = seen.prices.find(({ currency }) => currency === investmentSize?.currency) ?? seen.prices[0]
  const scale = scales[investmentSize?.scale ?? "unit"]
  const askingPrice =
    price === undefined
      ? null
      : valueOr(
          nearest(price, price.currency === investmentSize?.currency ? investmentSize : null, scale),
          (value) => ({
            value,
            currency: price.currency
          })
        )
  const percent = (value: number) => ({ value, unit: "percent" as const })
  const sqm = (value: number) => ({ value, unit: "sqm" as const })
  const gfa = valueOr(nearest(seen.zoning?.gfa ?? null, mandate.zoningGfa), sqm)
  const wault = valueOr(nearest(seen.wault, mandate.wault), (value) => ({ value, unit: "years" as const }))
  const compared = {
    country: seen.country,
    coordinates: null,
    categories: seen.categories,
    subcategories: [],
    lifecycleStage: null,
    tenure: seen.tenure,
    dealStructure: null,
    parcelArea: null,
    lettableArea: valueOr(nearest(seen.area, mandate.lettableArea), sqm),
    zoning: gfa === null ? null : { gfa },
    conversions: seen.conversions,
    tags: seen.tags,
    yearBuilt: nearest(seen.yearBuilt, mandate.yearBuilt),
    unitCount: null,
    income: wault === null ? null : { waultToBreak: wault, waultToExpiry: null, vacancyRate: null },
    pricing: { askingPrice, netInitialYield: valueOr(nearest(seen.yield, mandate.netInitialYield), percent) },
    energy: seen.energy === null ? null : { class: seen.energy.class, country: seen.country }
  }
  const isComparable = isExact(price) && isExact(seen.area)
  return {
    property: compared,
    mandate: isComparable ? mandate : { ...mandate, pricePerSqm: null }
  }
}
