/** The areas of places that requests name, and of mandates. */
import { Context, Effect, Layer } from "effect"
import { countryCodes } from "../../core/fields/Place.ts"
import { makePacer } from "../../core/usecase/EventLoop.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import { Gazetteer } from "./gazetteer/Gazetteer.ts"
import type { Area, Polygons } from "./geography/Area.ts"
import { meets } from "./geography/geometry.ts"
import { countriesOf, type Located, type Resolved, type WantedPlace } from "./rules.ts"

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
    if (resolution._tag === "Resolved") {
      const { area, countries: wholeCountries, location: resolvedLocation } = resolution
      return { area, wholeCountries, resolvedLocation }
    }
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
    return Effect.succeed(wanted.kind === "none" ? undefined : { area: wanted.area, wholeCountries: [] })
  }

  // A search compares many mandates that have no more than a country.
  const territories = new Map<string, Polygons>()

  /** What lies in a country: its outline, and what is up to 25 km off its coast and in no other country. */
  const territoryOf = Effect.fnUntraced(function* (code: string) {
    const known = territories.get(code)
    if (known !== undefined) return known
    const territory = yield* gazetteer.territoryOf(code)
    if (territory !== undefined) territories.set(code, territory)
    return territory
  })

  /** What a place covers: the territories of the countries that it consists of, or else its area; undefined for anywhere. */
  const areaOf = Effect.fnUntraced(function* (located: Located): Effect.fn.Return<Area | undefined> {
    const countries = countriesOf(located)
    if (countries.length === 0) return located.area
    const territories = yield* Effect.forEach(countries, territoryOf)
    const polygons = territories.flatMap((territory) => territory?.polygons ?? [])
    return polygons.length === 0 ? located.area : { kind: "polygons", polygons }
  })

  /** The codes of the countries that may have a point of an area: all but those whose territories have none. */
  const countriesMeeting = Effect.fnUntraced(function* (area: Area) {
    const meeting: Array<string> = []
    const pace = makePacer()
    for (const code of countryCodes) {
      if (pace.isDue()) yield* pace.turn
      const territory = yield* territoryOf(code)
      if (territory === undefined || meets(territory, area)) meeting.push(code)
    }
    return meeting
  })

  return { resolve, areaOfWanted, areaOf, territoryOf, countriesMeeting, featuresIn: gazetteer.featuresIn }
})

/** Finds the areas of places. */
export class Locations extends Context.Service<Locations, Effect.Success<typeof make>>()("market/mandates/Locations") {
  static readonly layer = Layer.effect(Locations, make).pipe(Layer.provide(Gazetteer.layer))
}
