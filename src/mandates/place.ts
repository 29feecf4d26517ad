/** Which place a request names, in which mode (docs/behaviour/mandates.md#place). Pure. */
import { Result } from "effect"
import { bodyFault } from "../usecase/Input.ts"
import { differing } from "../usecase/MergePatch.ts"
import type { Fault } from "../usecase/Problem.ts"
import { type Area, circleAt, toDegrees } from "./geography/Area.ts"
import { areaOf, type Near } from "./geography/Geography.ts"
import { geographyOf } from "./geography/geographyOf.ts"
import type { MandateCreate, MandateFields } from "./Mandate.ts"

/** The members of a mandate that are its place: `near` and `radius` if it is a circle, `geography` in any case. */
export type Place = Pick<MandateFields, "geography" | "near" | "radius">

/** The members by which a request names a place. */
export type SentPlace = Pick<MandateCreate, "geography" | "near" | "radius" | "location">

/** A mandate without a place. */
export const nowhere: Place = { geography: null, near: null, radius: null }

/** What a request wants: to leave the place as it is, to have none, an area, or one that is to be resolved from its name. */
export type WantedPlace =
  | { readonly kind: "unchanged" }
  | { readonly kind: "none" }
  | { readonly kind: "area"; readonly area: Area }
  | { readonly kind: "location"; readonly location: string }

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
  const isNew = (member: keyof Place) =>
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

/** The members of a mandate whose place is this area. */
export const toPlace = (area: Area): Place =>
  area.kind === "circle"
    ? {
        geography: geographyOf(area),
        near: { latitude: toDegrees(area.latitude), longitude: toDegrees(area.longitude) },
        radius: area.radius
      }
    : { geography: geographyOf(area), near: null, radius: null }

/** What the area of a mandate follows from: its own, or else its country. */
export interface Located {
  readonly area: Area | undefined
  readonly country: string | null
}

/** Where a mandate with these members is. */
export const locatedOf = ({ country, geography, near, radius }: Place & Pick<MandateFields, "country">): Located => ({
  area: near !== null && radius !== null ? circleOf(near, radius) : geography === null ? undefined : areaOf(geography),
  country
})
