/** What the properties of a teaser say together: of several, only what can be said of all of them as a whole. Pure. */
import { BigDecimal } from "effect"
import type { Property } from "../../../market/properties/Property.ts"
import { categories, energyClasses } from "../../../market/properties/members/vocabulary.ts"

type Code = string

/** Two ends, equal for an exact value. */
export interface Ends {
  readonly min: number
  readonly max: number
}

/** An amount of money that is exact. */
interface Price {
  readonly amount: number
  readonly currency: string
}

/** A tenant. */
interface Tenant {
  readonly name: string | null
  readonly sector: Code
}

/** The address below the town. */
interface Address {
  readonly street: string | null
  readonly houseNumber: string | null
  readonly postalCode: string | null
}

/** What is known, before anything is hidden. */
export interface Facts {
  readonly country: Code | null
  readonly region: string | null
  readonly locality: string | null
  readonly address: Address | null
  /** The sum for each currency, by currency. */
  readonly prices: ReadonlyArray<Price>
  readonly yield: Ends | null
  readonly area: number | null
  readonly yearBuilt: Ends | null
  readonly zoningGfa: number | null
  readonly categories: ReadonlyArray<Code>
  readonly tenure: Code | null
  readonly tags: ReadonlyArray<Code>
  readonly conversions: ReadonlyArray<Code>
  readonly energyClass: Code | null
  readonly wault: Ends | null
  readonly tenants: ReadonlyArray<Tenant>
}

type Properties = ReadonlyArray<Property>

/** Whether all have the same value, or all have none. */
const agree = (properties: Properties, valueOf: (property: Property) => string | null): boolean =>
  new Set(properties.map(valueOf)).size <= 1

/** The value that all have; null if they differ, or if one has none. */
const shared = (properties: Properties, valueOf: (property: Property) => string | null): string | null => {
  const [first] = properties
  return first !== undefined && agree(properties, valueOf) ? valueOf(first) : null
}

const known = <A>(values: ReadonlyArray<A | null | undefined>): ReadonlyArray<A> =>
  values.filter((value): value is A => value !== null && value !== undefined)

const union = (properties: Properties, valuesOf: (property: Property) => ReadonlyArray<Code>): ReadonlyArray<Code> => [
  ...new Set(properties.flatMap(valuesOf))
]

const sumOf = (amounts: ReadonlyArray<number>): number =>
  BigDecimal.toNumberUnsafe(BigDecimal.sumAll(amounts.map(BigDecimal.fromNumberUnsafe)))

const sumOrNull = (amounts: ReadonlyArray<number>): number | null => (amounts.length === 0 ? null : sumOf(amounts))

const endsOf = (values: ReadonlyArray<number>): Ends | null =>
  values.length === 0 ? null : { min: Math.min(...values), max: Math.max(...values) }

const pricesOf = (properties: Properties): ReadonlyArray<Price> => {
  const prices = known(properties.map(({ pricing }) => pricing?.askingPrice))
  const currencies = [...new Set(prices.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => ({
    currency,
    amount: sumOf(prices.flatMap((price) => (price.currency === currency ? [price.value] : [])))
  }))
}

/** The address of all properties, if they have the same one. */
const addressOf = (properties: Properties): Address | null => {
  const address = {
    street: shared(properties, (property) => property.address?.street ?? null),
    houseNumber: shared(properties, (property) => property.address?.houseNumber ?? null),
    postalCode: shared(properties, (property) => property.address?.postalCode ?? null)
  }
  return Object.values(address).every((value) => value === null) ? null : address
}

const countryOf = ({ country }: Property) => country
const regionOf = ({ address }: Property) => address?.region ?? null
const localityOf = ({ locality }: Property) => locality

/** A place as far as all properties agree: where they differ, nothing more precise is said either. */
const locationOf = (properties: Properties): Pick<Facts, "country" | "region" | "locality" | "address"> => {
  const inOneCountry = agree(properties, countryOf)
  const inOneRegion = inOneCountry && agree(properties, regionOf)
  const inOneTown = inOneRegion && agree(properties, localityOf)
  return {
    country: shared(properties, countryOf),
    region: inOneCountry ? shared(properties, regionOf) : null,
    locality: inOneRegion ? shared(properties, localityOf) : null,
    address: inOneTown ? addressOf(properties) : null
  }
}

/** The sector of a tenant: a use in the words of the broker can name the tenant, so only the known ones count. */
const sectorOf = (use: string | null): Code => (categories.some((category) => category === use) ? (use ?? "") : "other")

const energyClassOf = (properties: Properties): Code | null => {
  const order: ReadonlyArray<Code> = energyClasses
  const classes = known(properties.map(({ energy }) => energy?.class))
  return classes.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)).at(-1) ?? null
}

/** What some properties say together. */
export const factsOf = (properties: Properties): Facts => ({
  ...locationOf(properties),
  prices: pricesOf(properties),
  yield: endsOf(known(properties.map(({ pricing }) => pricing?.netInitialYield?.value))),
  area: sumOrNull(
    known(
      properties.map(
        ({ grossFloorArea, lettableArea, parcelArea }) => (lettableArea ?? grossFloorArea ?? parcelArea)?.value
      )
    )
  ),
  yearBuilt: endsOf(known(properties.map(({ yearBuilt }) => yearBuilt))),
  zoningGfa: sumOrNull(known(properties.map(({ zoning }) => zoning?.gfa?.value))),
  categories: union(properties, (property) => property.categories),
  tenure: shared(properties, (property) => property.tenure),
  tags: union(properties, (property) => property.tags),
  conversions: union(properties, (property) => property.conversions),
  energyClass: energyClassOf(properties),
  wault: endsOf(known(properties.map(({ income }) => (income?.waultToBreak ?? income?.waultToExpiry)?.value))),
  tenants: properties.flatMap(({ tenants }) => tenants.map(({ name, use }) => ({ name, sector: sectorOf(use) })))
})
