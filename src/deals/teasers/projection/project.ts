/** The projection of properties: all that investors see of them (docs/behaviour/teasers.md#projection). Pure. */
import type { Plan } from "../../../identity/teams/Team.ts"
import type { Property } from "../../../market/properties/Property.ts"
import { type Facts, factsOf } from "./facts.ts"
import { type ChosenOptions, type Mode, modes, type Options, optionsOf } from "./modes.ts"
import type { Projection } from "./Projection.ts"
import { type Ends, onGrid, toDecades } from "./ranges.ts"
import { availableModes } from "./template.ts"
import { composedTitle, mentions, namesOfCountry } from "./title.ts"

/** What the broker chose. */
export interface Design {
  readonly options: ChosenOptions
  /** The tags that are shown, whatever the properties have now; null for all tags of the properties, while nothing was written. */
  readonly tags: ReadonlyArray<string> | null
  /** Null for a composed title. */
  readonly title: string | null
}

/** The smallest cells of the grids: what is below counts alike. */
const least = { price: 1_000, area: 10, yield: 0.1 }

const within = (mode: Mode, ends: Ends | null, widen: (ends: Ends) => Ends): Ends | null =>
  ends === null || mode === "hidden" ? null : mode === "exact" ? ends : widen(ends)

const areaWithin = (mode: Mode, area: number | null) => {
  const ends = within(mode, area === null ? null : { min: area, max: area }, (exact) => onGrid(exact, least.area))
  return ends === null ? null : { ...ends, unit: "sqm" as const }
}

const pricesWithin = (mode: Mode, prices: Facts["prices"]): Projection["prices"] =>
  prices.flatMap(({ amount, currency }) => {
    const ends = within(mode, { min: amount, max: amount }, (exact) => onGrid(exact, least.price))
    return ends === null ? [] : [{ ...ends, currency, scale: "unit" as const }]
  })

/** Whether a mode shows the place at least as precisely as `precision`. */
const reaches = (mode: Options["location"], precision: Options["location"]): boolean =>
  modes.location.indexOf(mode) >= modes.location.indexOf(precision)

const placeShown = (mode: Options["location"], { address, country, locality, region }: Facts) => ({
  country: reaches(mode, "country") ? country : null,
  region: reaches(mode, "region") ? region : null,
  locality: reaches(mode, "locality") ? locality : null,
  address: reaches(mode, "address") ? address : null
})

const tenantsShown = (mode: Options["tenants"], tenants: Facts["tenants"]): Projection["tenants"] => {
  if (mode === "hidden") return []
  const shown = tenants.map(({ name, sector }) => ({ name: mode === "named" ? name : null, sector }))
  return [...new Map(shown.map((tenant) => [JSON.stringify(tenant), tenant])).values()]
}

/** All that is shown, but for the title. */
const untitled = (facts: Facts, options: Options, tags: ReadonlyArray<string>): Omit<Projection, "title"> => {
  const prices = pricesWithin(options.price, facts.prices)
  const yields = within(options.yield, facts.yield, (exact) => onGrid(exact, least.yield))
  const gfa = areaWithin(options.zoning, facts.zoningGfa)
  const isShown = (part: "categories" | "conversions" | "energy" | "tags" | "tenure" | "wault") =>
    options[part] === "shown"
  return {
    categories: isShown("categories") ? facts.categories : [],
    ...placeShown(options.location, facts),
    price: prices.length === 1 ? (prices[0] ?? null) : null,
    prices,
    yield: yields === null ? null : { ...yields, unit: "percent" },
    area: areaWithin(options.area, facts.area),
    yearBuilt: within(options.yearBuilt, facts.yearBuilt, toDecades),
    zoning: gfa === null ? null : { gfa },
    tenure: isShown("tenure") ? facts.tenure : null,
    tags: isShown("tags") ? tags : [],
    conversions: isShown("conversions") ? facts.conversions : [],
    energy: isShown("energy") && facts.energyClass !== null ? { class: facts.energyClass } : null,
    wault: isShown("wault") && facts.wault !== null ? { ...facts.wault, unit: "years" } : null,
    tenants: tenantsShown(options.tenants, facts.tenants)
  }
}

const present = (values: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> =>
  values.flatMap((value) => value ?? [])

/** The names that a title must not contain: of the properties, and of the places and tenants that are hidden. */
const hiddenNames = (
  properties: ReadonlyArray<Property>,
  { location, tenants: tenantsMode }: Options
): ReadonlyArray<string> =>
  properties.flatMap(({ address, country, locality, name, tenants }) => [
    ...present([name]),
    ...(reaches(location, "country") || country === null ? [] : namesOfCountry(country)),
    ...(reaches(location, "region") ? [] : present([address?.region])),
    ...(reaches(location, "locality") ? [] : present([locality, address?.locality])),
    ...(reaches(location, "address") ? [] : present([address?.street, address?.postalCode])),
    ...(tenantsMode === "named" ? [] : present(tenants.map((tenant) => tenant.name)))
  ])

/** Whether a title names nothing that is hidden. A region that is shown may have the name of a town that is not. */
const isDiscreet = (title: string, properties: ReadonlyArray<Property>, options: Options, { region }: Facts): boolean =>
  !mentions(
    title,
    hiddenNames(properties, options).filter((name) => name !== region || !reaches(options.location, "region"))
  )

/** The modes to choose from, the modes in effect, the pool of tags and the tags that are chosen of it, and what investors see. */
export const project = (
  properties: ReadonlyArray<Property>,
  { options: chosen, tags: pinned, title }: Design,
  { language, plan }: { readonly plan: Plan; readonly language: string }
) => {
  const facts = factsOf(properties)
  const available = availableModes(facts, plan)
  const options = optionsOf(available, chosen)
  const tags = pinned ?? facts.tags
  const shown = untitled(facts, options, tags)
  const isWritten = title !== null && isDiscreet(title, properties, options, facts)
  const projection: Projection = { title: isWritten ? title : composedTitle(shown, language), ...shown }
  return { available, options, pool: facts.tags, tags, projection }
}
