/**
 * All that investors see of properties (docs/behaviour/teasers.md#projection): `project` picks it, part by part, from what is known of
 * them (facts.ts). It is an allow-list: what it does not name stays hidden. Pure.
 */
import type { Plan } from "../../../identity/teams/Team.ts"
import type { Property } from "../../../market/properties/Property.ts"
import { type Ends, type Facts, factsOf } from "./facts.ts"
import {
  type AvailableModes,
  type ChosenOptions,
  eachPart,
  isAllowed,
  type Mode,
  modes,
  type Options,
  optionsOf,
  type Part,
  type Projection
} from "./Projection.ts"

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

// The modes that the properties of a teaser, and the team's plan, leave to choose from (docs/behaviour/teasers.md#template).

const hasPlace = ({ country, locality, region }: Facts) => country !== null || region !== null || locality !== null

/** Whether something is known that a mode would show. */
const canServe = (part: Part, mode: Mode, facts: Facts): boolean => {
  if (mode === "hidden") return true
  switch (part) {
    case "location":
      // An address alone would be the most discreet place to show, and the default.
      return mode === "address" ? facts.address !== null && hasPlace(facts) : facts[mode as "country"] !== null
    case "price":
      return facts.prices.length > 0
    case "zoning":
      return facts.zoningGfa !== null
    case "energy":
      return facts.energyClass !== null
    case "tenants":
      return facts.tenants.some(({ name }) => mode === "sector" || name !== null)
    case "categories":
    case "tags":
    case "conversions":
      return facts[part].length > 0
    case "area":
    case "tenure":
    case "wault":
    case "yearBuilt":
    case "yield":
      return facts[part] !== null
  }
}

/** The modes that each part can have. */
const availableModes = (facts: Facts, plan: Plan): AvailableModes =>
  eachPart((part) => {
    const all: ReadonlyArray<Mode> = modes[part]
    return all.filter((mode) => isAllowed(plan, mode) && canServe(part, mode, facts))
  }) as AvailableModes

// The ranges in which a teaser shows values: the cells of a fixed grid, so that looking again, or at another teaser of the same
// property, never narrows them.

/** The digits of a positive number: its leading one with what follows, and the power of ten. */
const scientific = (value: number) => {
  const [leading = "", exponent = ""] = value.toExponential().split("e")
  return { leading: Number(leading), exponent }
}

/** The greatest of 1, 2, 5, 10, 20, 50 … that is at most a number that is not negative; 0 below the least one that counts. */
const atMost = (value: number, least: number): number => {
  if (value < least) return 0
  const { exponent, leading } = scientific(value)
  return Number(`${leading >= 5 ? 5 : leading >= 2 ? 2 : 1}e${exponent}`)
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is above such a number. */
const above = (value: number, least: number): number => {
  if (value < least) return least
  const { exponent, leading } = scientific(value)
  return Number(`${leading < 2 ? 2 : leading < 5 ? 5 : 10}e${exponent}`)
}

/**
 * Widens ends to the grid of 1, 2, 5, 10, 20, 50 … and its negatives. Cells smaller than `least`, itself on the grid, are one cell.
 * The ends of a cell are never equal, even for a value on the grid.
 */
export const onGrid = ({ max, min }: Ends, least: number): Ends => ({
  min: min < 0 ? 0 - above(-min, least) : atMost(min, least),
  max: max < 0 ? 0 - atMost(-max, least) : above(max, least)
})

const decade = 10

/** Widens years to decades. */
export const toDecades = ({ max, min }: Ends): Ends => ({
  min: Math.floor(min / decade) * decade,
  max: (Math.floor(max / decade) + 1) * decade
})

// The titles of teasers (docs/behaviour/teasers.md#title).

/** What a title is composed of: only what the projection shows. */
type Shown = Pick<Projection, "categories" | "country" | "region" | "locality">

const maxCategories = 3

/** The languages that titles are composed in. The first one serves for all others. */
const languages = ["en", "de", "fr"] as const
type Language = (typeof languages)[number]

/** The language for a BCP-47 tag. */
const languageOf = (tag: string): Language => languages.find((one) => one === tag.split("-", 1)[0]) ?? "en"

const regionNames: { readonly [L in Language]: Intl.DisplayNames } = {
  en: new Intl.DisplayNames("en", { type: "region" }),
  de: new Intl.DisplayNames("de", { type: "region" }),
  fr: new Intl.DisplayNames("fr", { type: "region" })
}

/** `light_industrial` as `light industrial`. */
const inEnglish = (code: string): string => code.replaceAll("_", " ")

const wordOf = (category: string, language: Language): string =>
  (language === "en" ? undefined : words[language][category]) ?? inEnglish(category)

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const compose = ({ categories, country, locality, region }: Shown, language: Language): string | null => {
  // A region or a country alone labels nothing.
  if (categories.length === 0 && locality === null) return null
  const named = categories.length > maxCategories ? ["mixed_use"] : categories
  const uses = new Intl.ListFormat(language).format(named.map((category) => wordOf(category, language)))
  const place = locality ?? region ?? (country === null ? undefined : regionNames[language].of(country))
  return capitalized([uses, place].filter((part) => part !== undefined && part !== "").join(", "))
}

/** The title of what is shown, in the language of a BCP-47 tag where it has words; null if neither categories nor a locality are shown. */
export const composedTitle = (shown: Shown, tag: string): string | null => compose(shown, languageOf(tag))

/** A projection in another language: its title is composed again, unless the broker wrote it. */
export const inLanguage = (projection: Projection, tag: string): Projection =>
  languages.some((language) => compose(projection, language) === projection.title)
    ? { ...projection, title: composedTitle(projection, tag) }
    : projection

const folded = (text: string): string =>
  ` ${text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `

/** Whether a text names one of these, as whole words; case and accents do not count. */
export const mentions = (text: string, names: ReadonlyArray<string>): boolean => {
  const words = folded(text)
  return names.map(folded).some((name) => name.trim() !== "" && words.includes(name))
}

/** The names of a country in the languages of titles. */
export const namesOfCountry = (country: string): ReadonlyArray<string> =>
  languages.flatMap((language) => regionNames[language].of(country) ?? [])

/** The words for categories in titles. English ones are the codes themselves. */
export const words: { readonly [language in "de" | "fr"]: { readonly [category: string]: string } } = {
  de: {
    office: "Büro",
    retail: "Einzelhandel",
    logistics: "Logistik",
    light_industrial: "Gewerbe",
    residential: "Wohnen",
    student_housing: "Studentisches Wohnen",
    senior_living: "Seniorenwohnen",
    healthcare: "Gesundheit",
    hotel: "Hotel",
    leisure: "Freizeit",
    mixed_use: "Gemischte Nutzung",
    data_centre: "Rechenzentrum",
    life_science: "Life Science",
    self_storage: "Self-Storage",
    parking: "Parken",
    education: "Bildung",
    public: "Öffentliche Nutzung",
    land: "Grundstück",
    other: "Sonstiges"
  },
  fr: {
    office: "bureaux",
    retail: "commerce",
    logistics: "logistique",
    light_industrial: "locaux d’activité",
    residential: "logement",
    student_housing: "résidence étudiante",
    senior_living: "résidence seniors",
    healthcare: "santé",
    hotel: "hôtel",
    leisure: "loisirs",
    mixed_use: "usage mixte",
    data_centre: "centre de données",
    life_science: "sciences de la vie",
    self_storage: "self-stockage",
    parking: "stationnement",
    education: "enseignement",
    public: "équipement public",
    land: "terrain",
    other: "autre"
  }
}
