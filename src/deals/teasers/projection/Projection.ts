/** What investors see of a property, and the modes by which the broker chooses how much (docs/behaviour/teasers.md#projection). */
import { Schema } from "effect"
import { Country } from "../../../core/fields/Place.ts"
import { OpenEnum } from "../../../core/fields/Text.ts"
import { AreaRange, PriceRange, YearsRange } from "../../../core/fields/Measure.ts"
import {
  categories,
  conversions,
  energyClasses,
  propertyTags,
  tenures
} from "../../../market/properties/members/vocabulary.ts"
import type { Plan } from "../../../identity/teams/Team.ts"

const text = (description: string, example: string) =>
  Schema.NullOr(Schema.String).annotate({ description, examples: [example] })

const range = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description }) as Schema.NullOr<S>

const end = (description: string, example: number) => Schema.Finite.annotate({ description, examples: [example] })

const Address = Schema.Struct({
  street: text("The street.", "Landsberger Straße"),
  houseNumber: text("The house number.", "84a"),
  postalCode: text("The postal code.", "80339")
}).annotate({ identifier: "TeaserAddress", description: "The postal address." })

const Yield = Schema.Struct({
  min: end("The lowest yield.", 2),
  max: end("The highest yield.", 5),
  unit: Schema.Literal("percent").annotate({ description: "Percent.", examples: ["percent"] })
}).annotate({ identifier: "TeaserYield", description: "A range of yields." })

const Years = Schema.Struct({ min: end("The first year.", 1990), max: end("The last year.", 2000) }).annotate({
  identifier: "TeaserYears",
  description: "A range of years of the calendar."
})

const Tenant = Schema.Struct({
  name: text("The name; null unless `tenants` is `named`.", "Nordlicht Software GmbH"),
  sector: Schema.NullOr(OpenEnum(categories, "What the tenant uses the property for."))
}).annotate({ identifier: "TeaserTenant", description: "A tenant." })

const codes = (values: readonly [string, ...Array<string>], description: string) =>
  Schema.Array(OpenEnum(values, "One of them.")).annotate({ description, examples: [[values[0]]] })

/** What a teaser shows. */
export const Projection = Schema.Struct({
  title: text(
    "The title: the broker's, or one that is composed from the categories and the place in the language of the caller.",
    "Office, Germany"
  ),
  categories: codes(categories, "The uses."),
  country: Schema.NullOr(Country).annotate({ description: "The country." }),
  region: text("The state, province or region.", "Bayern"),
  locality: text("The town or city.", "München"),
  address: Schema.NullOr(Address),
  price: range(PriceRange, "The asking price; null where prices have several currencies."),
  prices: Schema.Array(PriceRange).annotate({ description: "The asking prices, one for each currency." }),
  yield: range(Yield, "The net initial yield."),
  area: range(AreaRange, "The area: what can be let, or else the gross floor area, or else the land."),
  yearBuilt: range(Years, "The year of construction."),
  zoning: Schema.NullOr(
    Schema.Struct({ gfa: AreaRange.annotate({ description: "The gross floor area that may be built." }) })
  ).annotate({ description: "What may be built." }),
  tenure: Schema.NullOr(OpenEnum(tenures, "How the property is held.")),
  tags: codes(propertyTags, "What else describes the property."),
  conversions: codes(conversions, "What the property can be converted to."),
  energy: Schema.NullOr(
    Schema.Struct({ class: OpenEnum(energyClasses, "The energy class; of several, the worst.") })
  ).annotate({ description: "The energy certificate." }),
  wault: range(YearsRange, "The weighted average unexpired lease term."),
  tenants: Schema.Array(Tenant).annotate({ description: "The tenants, or only their sectors, each once." })
}).annotate({
  identifier: "TeaserProjection",
  description:
    "What investors see. What is hidden looks like what is not known: null, or an empty list. An exact value has `min` equal to `max`; under `range`, the ends are those of a fixed grid (1, 2, 5, 10, 20, 50 …; years by decades), and never equal."
})
export type Projection = typeof Projection.Type

// How a teaser can show each part of a property (docs/behaviour/teasers.md#modes).

const ranged = ["hidden", "range", "exact"] as const

const shown = ["hidden", "shown"] as const

/** The modes of each part, the most discreet one first. */
export const modes = {
  location: ["hidden", "country", "region", "locality", "address"],
  categories: shown,
  price: ranged,
  yield: ranged,
  area: ranged,
  yearBuilt: ranged,
  zoning: ranged,
  tenure: shown,
  tags: shown,
  conversions: shown,
  energy: shown,
  wault: shown,
  tenants: ["hidden", "sector", "named"]
} as const

/** A part of a property that a teaser shows or hides. */
export type Part = keyof typeof modes

/** A mode of a part. */
export type Mode<P extends Part = Part> = (typeof modes)[P][number]

/** All parts. */
export const parts = Object.keys(modes) as ReadonlyArray<Part>

/** One mode for each part. */
export type Options = { readonly [P in Part]: Mode<P> }

/** The modes that are chosen, of those parts for which one is. */
export type ChosenOptions = { readonly [P in Part]?: Mode<P> }

/** The modes that each part can have. */
export type AvailableModes = { readonly [P in Part]: ReadonlyArray<Mode<P>> }

const modesOfFreePlan: ReadonlyArray<Mode> = ["hidden", "country", "range"]

/** The modes that a team's plan allows. */
export const isAllowed = (plan: Plan, mode: Mode): boolean => plan !== "free" || modesOfFreePlan.includes(mode)

/** Makes a value for each part. */
export const eachPart = <A>(make: <P extends Part>(part: P) => A): { readonly [P in Part]: A } =>
  Object.fromEntries(parts.map((part) => [part, make(part)])) as { readonly [P in Part]: A }

/**
 * The mode of a part: the chosen one, or the most revealing one of those available that reveals less. Without a choice, the most
 * discreet one that is not hidden.
 */
const modeOf = (part: Part, available: ReadonlyArray<Mode>, chosen: Mode | undefined): Mode => {
  if (chosen === undefined) return available.find((mode) => mode !== "hidden") ?? "hidden"
  const all: ReadonlyArray<Mode> = modes[part]
  return all.slice(0, all.indexOf(chosen) + 1).findLast((mode) => available.includes(mode)) ?? "hidden"
}

/** The modes in effect. */
export const optionsOf = (available: AvailableModes, chosen: ChosenOptions): Options =>
  eachPart((part) => modeOf(part, available[part], chosen[part])) as Options
