/** Which of a team's own mandates fit what it sees of properties (docs/behaviour/offers.md#mandates). */
import * as Id from "../../core/Id.ts"
import * as Turns from "../../core/usecase/Turns.ts"
import { Context, Effect, Layer } from "effect"
import { now } from "../../platform/Time.ts"
import type { Area } from "../mandates/geography/Area.ts"
import { Locations } from "../mandates/Locations.ts"
import { type Candidate, CandidatesRepo } from "./CandidatesRepo.ts"
import {
  bestCase,
  type ComparedMandate,
  compareLocations,
  match,
  rank,
  type Ranked,
  type SeenProperty,
  unknownLocation
} from "./rules.ts"
import { defaultMinScore } from "./Match.ts"

/** The most mandates that are listed for one property. */
const maxListed = 20

/** The most mandates of a team that are compared: the newest. */
const maxOwn = 500

/** The mandates that fit wherever they look, the best first. */
const fittingOf = (seen: SeenProperty, own: ReadonlyArray<Candidate<ComparedMandate>>): ReadonlyArray<Ranked> =>
  rank(
    own.flatMap(({ compared, uuid }) => {
      const best = bestCase(seen, compared)
      const { excluded, score } = match(best.property, best.mandate, unknownLocation)
      return excluded || score < defaultMinScore ? [] : [{ uuid, score }]
    })
  )

const make = Effect.gen(function* () {
  const repo = yield* CandidatesRepo
  const locations = yield* Locations

  /**
   * The ids of the team's own active mandates that fit each of what it sees, the best first; none for null. Two queries, however many are
   * compared.
   */
  const of = Effect.fn("FittingMandates.of")(function* (
    teamId: string,
    seen: ReadonlyArray<SeenProperty | null>
  ): Effect.fn.Return<ReadonlyArray<ReadonlyArray<string>>> {
    if (seen.every((one) => one === null)) return seen.map(() => [])
    const own = yield* repo.own(teamId, yield* now, maxOwn)
    if (own.length === 0) return seen.map(() => [])
    const pace = Turns.makePacer()
    const rankings: Array<ReadonlyArray<Ranked>> = []
    for (const one of seen) {
      yield* pace
      rankings.push(one === null ? [] : fittingOf(one, own))
    }
    const areas = yield* repo.areas(teamId, [...new Set(rankings.flat().map(({ uuid }) => uuid))])
    const territories = new Map<string, Area>()
    for (const country of new Set(seen.flatMap((one) => one?.country ?? []))) {
      const territory = yield* locations.territoryOf(country)
      if (territory !== undefined) territories.set(country, territory)
    }
    // Several offers are of one country: each area is compared with it once.
    const compared = new Map<string, boolean>()
    const isElsewhere = (country: string | null, uuid: string): boolean => {
      const located = areas.get(uuid)
      if (country === null || located === undefined) return false
      const key = `${country} ${uuid}`
      const known = compared.get(key)
      if (known !== undefined) return known
      const { isInArea } = compareLocations({ coordinates: null, country }, located, (code) =>
        territories.get(code ?? "")
      )
      compared.set(key, isInArea === false)
      return isInArea === false
    }
    const found: Array<ReadonlyArray<string>> = []
    for (const [index, ranking] of rankings.entries()) {
      const ids: Array<string> = []
      for (const { uuid } of ranking) {
        if (ids.length === maxListed) break
        yield* pace
        if (!isElsewhere(seen[index]?.country ?? null, uuid)) ids.push(Id.fromUuid("mandate", uuid))
      }
      found.push(ids)
    }
    return found
  })

  return { of }
})

/** Compares what investors see with their mandates, for modules that have authorized their caller. */
export class FittingMandates extends Context.Service<FittingMandates, Effect.Success<typeof make>>()(
  "market/matches/FittingMandates"
) {
  static readonly layer = Layer.effect(FittingMandates, make)
}
