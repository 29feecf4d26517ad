/** Which place a request names, in which mode (docs/behaviour/mandates.md#place). Pure. */
import { Result } from "effect"
import { bodyFault } from "../../core/usecase/Input.ts"
import { differing } from "../../core/usecase/MergePatch.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import { type Area, circleAt, toDegrees } from "./geography/Area.ts"
import { areaOf, type Near } from "./geography/Geography.ts"
import { geographyOf } from "./geography/geographyOf.ts"
import type { ResolvedLocation } from "./Location.ts"
import type { MandateCreate, MandateFields } from "./Mandate.ts"

/**
 * The members of a mandate that are its place: `near` and `radius` if it is a circle, `geography` in any case, and the countries that
 * it consists of if it came as their name.
 */
export type Place = Pick<MandateFields, "geography" | "near" | "radius" | "wholeCountries">

/** The members by which a request names a place. */
export type SentPlace = Pick<MandateCreate, "geography" | "near" | "radius" | "location">

/** A mandate without a place. */
export const nowhere: Place = { geography: null, near: null, radius: null, wholeCountries: [] }

/** What a request wants: to leave the place as it is, to have none, an area, or one that is to be resolved from its name. */
export type WantedPlace =
  | { readonly kind: "unchanged" }
  | { readonly kind: "none" }
  | { readonly kind: "area"; readonly area: Area }
  | { readonly kind: "location"; readonly location: string }

/** An area, and what its name was resolved to if it was named, with the countries that it consists of. */
export interface Resolved {
  readonly area: Area
  readonly wholeCountries: ReadonlyArray<string>
  readonly resolvedLocation?: ResolvedLocation
}

const conflict = (pointer: string) =>
  bodyFault(
    pointer,
    "geography_conflict",
    "Name a place in one way: `geography`, or `near` with `radius`, or `location`."
  )

const missing = (pointer: "/near" | "/radius") =>
  bodyFault(pointer, "required", "A circle has both: `near` and `radius`.")

const isPresent = <A>(value: A | null | undefined): value is A => value !== undefined && value !== null

const circleOf = (near: Near, radius: number): Area => circleAt(near.longitude, near.latitude, radius)

/**
 * What the members of a request mean for a mandate with this place. A member with its present value says nothing, so that a client can
 * send back what it read; of a circle, one of `near` and `radius` can be changed alone.
 */
export const wantedPlace = (sent: SentPlace, current: Place): Result.Result<WantedPlace, ReadonlyArray<Fault>> => {
  const isNew = (member: "geography" | "near" | "radius") =>
    sent[member] !== undefined && differing({ [member]: sent[member] }, current).length > 0
  const { location } = sent
  const geography = isNew("geography") ? sent.geography : undefined
  const near = isNew("near") ? sent.near : undefined
  const radius = isNew("radius") ? sent.radius : undefined
  const modes = [
    ...(isPresent(geography) ? ["/geography"] : []),
    ...(isPresent(near) ? ["/near"] : isPresent(radius) ? ["/radius"] : []),
    ...(location === undefined ? [] : ["/location"])
  ]
  const [mode, ...others] = modes
  if (others.length > 0) return Result.fail(others.map(conflict))
  if (mode === undefined) {
    return Result.succeed({ kind: geography === null || near === null || radius === null ? "none" : "unchanged" })
  }
  if (location !== undefined) return Result.succeed({ kind: "location", location })
  if (isPresent(geography)) return Result.succeed({ kind: "area", area: areaOf(geography) })
  const center = near === undefined ? current.near : near
  const distance = radius === undefined ? current.radius : radius
  if (!isPresent(center)) return Result.fail([missing("/near")])
  return isPresent(distance)
    ? Result.succeed({ kind: "area", area: circleOf(center, distance) })
    : Result.fail([missing("/radius")])
}

/**
 * What a request wants of the place of a mandate whose place is the country that it names: with another `country` alone, that country.
 */
export const followingCountry = (
  wanted: WantedPlace,
  { country }: Pick<MandateCreate, "country">,
  current: WithCountry
): WantedPlace =>
  wanted.kind === "unchanged" && isPresent(country) && country !== (countryOfPlace(current) ?? country)
    ? { kind: "location", location: `place:${country}` }
    : wanted

/**
 * The `country` of a mandate whose place changes, as far as it follows: a place that is a country sets it, and takes it away when it
 * is replaced by a place elsewhere.
 */
export const countryAfter = (
  { country }: Pick<MandateCreate, "country">,
  current: WithCountry,
  resolved: Resolved | undefined
): Partial<Pick<MandateFields, "country">> => {
  const [set, ...others] = resolved?.wholeCountries ?? []
  if (set !== undefined && others.length === 0) return { country: set }
  const before = countryOfPlace(current)
  const isElsewhere = before !== undefined && resolved?.resolvedLocation?.country !== before
  return country === undefined && isElsewhere ? { country: null } : {}
}

/** The members of a mandate whose place is this area, which may consist of whole countries. */
export const toPlace = (area: Area, wholeCountries: ReadonlyArray<string> = []): Place =>
  area.kind === "circle"
    ? {
        geography: geographyOf(area),
        near: { latitude: toDegrees(area.latitude), longitude: toDegrees(area.longitude) },
        radius: area.radius,
        wholeCountries
      }
    : { geography: geographyOf(area), near: null, radius: null, wholeCountries }

/** The members of a mandate that say where it is. */
export type WithCountry = Place & Pick<MandateFields, "country">

/** The country that a mandate has because its place came as the name of that country; undefined if it has none so. */
export const countryOfPlace = ({ country, wholeCountries }: Pick<WithCountry, "country" | "wholeCountries">) =>
  wholeCountries.length === 1 && country === wholeCountries[0] ? wholeCountries[0] : undefined

/** What the place of a mandate follows from: its own area, the countries that this consists of, or else its country. */
export interface Located {
  readonly area: Area | undefined
  readonly wholeCountries: ReadonlyArray<string>
  readonly country: string | null
}

/** Where a mandate with these members is. */
export const locatedOf = ({ country, geography, near, radius, wholeCountries }: WithCountry): Located => ({
  area: near !== null && radius !== null ? circleOf(near, radius) : geography === null ? undefined : areaOf(geography),
  wholeCountries,
  country
})

/** The countries that a place consists of: without an area of its own, the one that the mandate names. */
export const countriesOf = ({ area, country, wholeCountries }: Located): ReadonlyArray<string> =>
  area !== undefined ? wholeCountries : country === null ? [] : [country]
