/** The areas of places that requests name, and of mandates. */
import { Context, Effect, Layer } from "effect"
import { bodyFault } from "../usecase/Input.ts"
import { InvalidRequest } from "../usecase/Problem.ts"
import { Gazetteer } from "./gazetteer/Gazetteer.ts"
import type { Area } from "./geography/Area.ts"
import type { ResolvedLocation } from "./Location.ts"
import type { Located, WantedPlace } from "./place.ts"

/** An area, and what its name was resolved to if it was named. */
export interface Resolved {
  readonly area: Area
  readonly resolvedLocation?: ResolvedLocation
}

const quoted = (locations: ReadonlyArray<{ readonly location: string }>) =>
  locations.map(({ location }) => `"${location}"`).join(", ")

const make = Effect.gen(function* () {
  const gazetteer = yield* Gazetteer

  /** What a name means; with `country`, only what is in this country. */
  const resolve = Effect.fn("Locations.resolve")(function* (
    location: string,
    country: string | null | undefined
  ): Effect.fn.Return<Resolved, InvalidRequest> {
    const resolution = yield* gazetteer.resolve(location, country ?? undefined)
    if (resolution._tag === "Resolved") return { area: resolution.area, resolvedLocation: resolution.location }
    const { candidates } = resolution
    const fault =
      resolution._tag === "Ambiguous"
        ? bodyFault("/location", "location_ambiguous", `Means several places. Send one of: ${quoted(candidates)}.`)
        : bodyFault(
            "/location",
            "location_unknown",
            candidates.length === 0
              ? "Is not a known place."
              : `Is not a known place. Did you mean one of: ${quoted(candidates)}?`
          )
    return yield* InvalidRequest.of([{ ...fault, candidates }])
  })

  /** The area of a wanted place; undefined for none. `country` narrows down what a name means. */
  const areaOfWanted = (
    wanted: Exclude<WantedPlace, { readonly kind: "unchanged" }>,
    country?: string | null
  ): Effect.Effect<Resolved | undefined, InvalidRequest> => {
    if (wanted.kind === "location") return resolve(wanted.location, country)
    return Effect.succeed(wanted.kind === "none" ? undefined : { area: wanted.area })
  }

  // A search compares many mandates that have no more than a country.
  const countries = new Map<string, Area>()

  const areaOfCountry = Effect.fnUntraced(function* (code: string) {
    const known = countries.get(code)
    if (known !== undefined) return known
    const area = yield* gazetteer.areaOfCountry(code)
    if (area !== undefined) countries.set(code, area)
    return area
  })

  /** The area of a mandate: its own, or else that of its country; undefined for one that may be anywhere. */
  const areaOf = ({ area, country }: Located): Effect.Effect<Area | undefined> =>
    area !== undefined || country === null ? Effect.succeed(area) : areaOfCountry(country)

  return { resolve, areaOfWanted, areaOf }
})

/** Finds the areas of places. */
export class Locations extends Context.Service<Locations, Effect.Success<typeof make>>()("mandates/Locations") {
  static readonly layer = Layer.effect(Locations, make)
}
