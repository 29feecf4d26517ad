/** How a teaser can show each part of a property: docs/behaviour/teasers.md#modes. */
import type { Plan } from "../../../identity/teams/Team.ts"

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
