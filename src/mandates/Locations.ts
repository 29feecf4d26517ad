/** The areas of places: those that requests name, and those of mandates. */
import { Context, Effect, Layer, Result } from "effect"
import { bodyFault } from "../usecase/Input.ts"
import { type Fault, InvalidRequest } from "../usecase/Problem.ts"
import type { Area } from "./geography/Area.ts"
import type { ResolvedLocation } from "./Location.ts"
import type { Located, WantedPlace } from "./place.ts"

/** An area, and the place that it is if it was named. */
export interface Resolved {
  readonly area: Area
  readonly resolvedLocation?: ResolvedLocation
}

const make = Effect.sync(() => {
  /** What a name means, or why it means nothing. */
  const resolve = (_location: string): Effect.Effect<Result.Result<Resolved, Fault>> =>
    Effect.succeed(Result.fail(bodyFault("/location", "location_unknown", "This place is not known.")))

  /** The area of a wanted place; undefined for none. */
  const areaOfWanted = Effect.fnUntraced(function* (
    wanted: Exclude<WantedPlace, { readonly kind: "unchanged" }>
  ): Effect.fn.Return<Resolved | undefined, InvalidRequest> {
    if (wanted.kind === "none") return undefined
    if (wanted.kind === "area") return { area: wanted.area }
    const resolved = yield* resolve(wanted.location)
    return Result.isSuccess(resolved) ? resolved.success : yield* InvalidRequest.of([resolved.failure])
  })

  /** The area of a mandate: its own, or else that of its country; undefined for one that may be anywhere. */
  const areaOf = ({ area }: Located): Effect.Effect<Area | undefined> => Effect.succeed(area)

  return { resolve, areaOfWanted, areaOf }
})

/** Finds the areas of places. */
export class Locations extends Context.Service<Locations, Effect.Success<typeof make>>()("mandates/Locations") {
  static readonly layer = Layer.effect(Locations, make)
}
