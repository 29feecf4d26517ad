/**
 * Which mandates want a property, and which properties fit a mandate (docs/behaviour/matches.md). All candidates are compared, but for
 * their place; whether that fits is tested from the best match on, until the page is full: it can only exclude one. Investors' own
 * mandates are compared with what they see of properties.
 */
import * as Id from "../../core/Id.ts"
import { alone, makeSlowReads } from "../../core/usecase/TeamBudget.ts"
import { makePacer } from "../../core/usecase/EventLoop.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { authorize, CurrentActor } from "../../core/auth/CurrentActor.ts"
import { type Area, pointAt, searchBoxesOf } from "../mandates/geography/Area.ts"
import { meets } from "../mandates/geography/geometry.ts"
import { Locations } from "../mandates/Locations.ts"
import { Mandates } from "../mandates/Mandates.ts"
import { countriesOf, type Located, locatedOf } from "../mandates/rules.ts"
import { Properties } from "../properties/Properties.ts"
import { type Binding, Cursors, defaultPageSize } from "../../core/usecase/Page.ts"
import type { QueryTooExpensive, RateLimited } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { type Candidate, type Candidates, CandidatesRepo, type Wanted } from "./CandidatesRepo.ts"
import {
  bestCase,
  type ComparedMandate,
  type ComparedProperty,
  compareLocations,
  isAfter,
  isCurrent,
  isIndexed,
  type LocationComparison,
  type Match,
  outermost,
  pair,
  type Pair,
  positionOf,
  rank,
  type Ranked,
  type SeenProperty
} from "./rules.ts"
import {
  defaultMinScore,
  maxCandidates,
  maxScore,
  type MandateMatchPage,
  type MatchListQuery,
  type PropertyMatchPage
} from "./Match.ts"
import { now } from "../../platform/Time.ts"

/** A page reads places at most so often. It ends early where most candidates are near an area, and not in it. */
const maxReads = 4

/** So many records are read at a time: the process serves others before it reads the next. */
const recordsAtOnce = 250

const narrow = "Describe more of the property, or narrow the mandate down: its place, categories and tags."

/**
 * How many properties are read first for each that is wanted. Of those in its box, a circle has most, a country some, an outline fewer; and
 * where a mandate has criteria that the indexes do not have, any can be worth less than they say.
 */
const firstOf = (mandate: ComparedMandate, located: Located): number => {
  if (!isIndexed(mandate)) return maxReads
  if (countriesOf(located).length > 0) return 3
  return located.area?.kind === "polygons" ? maxReads : 1.5
}

type Request = Pick<UseCaseRequest<MatchListQuery>, "query">

/** How a candidate compares, given how its place does. */
interface Ranking<Compared> extends Ranked {
  readonly compared: Compared
  readonly matchAt: Pair["matchAt"]
}

/** A team's matches are found one after the other: their candidates take megabytes. */
const inTurn = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentActor, ({ teamId }) => alone(teamId, self))

const make = Effect.gen(function* () {
  const repo = yield* CandidatesRepo
  const mandates = yield* Mandates
  const properties = yield* Properties
  const locations = yield* Locations
  const cursors = yield* Cursors
  const slowReads = yield* makeSlowReads

  /** What lies in countries, by their codes. */
  const territoriesOf = Effect.fnUntraced(function* (countries: Iterable<string | null>) {
    const territories = new Map<string | null, Area>()
    for (const country of new Set(countries)) {
      const territory = country === null ? undefined : yield* locations.territoryOf(country)
      if (territory !== undefined) territories.set(country, territory)
    }
    return (country: string | null) => territories.get(country)
  })

  /** How candidates compare, without those that are excluded wherever they are. */
  const rankingsOf = <Compared>(
    candidates: ReadonlyArray<Candidate<Compared>>,
    pairWith: (compared: Compared) => Pair
  ): Effect.Effect<ReadonlyArray<Ranking<Compared>>> =>
    Effect.gen(function* () {
      const rankings: Array<Ranking<Compared>> = []
      const pace = makePacer()
      for (const one of candidates) {
        if (pace.isDue()) yield* pace.turn
        const { excluded, matchAt, score } = pairWith(one.compared)
        if (!excluded) rankings.push({ uuid: one.uuid, compared: one.compared, score, matchAt })
      }
      return rankings
    })

  /**
   * A page of matches, the best first. `find` reads candidates: first of those that can have the highest score, which are enough for a
   * page where there are many. `locate` compares the places of some.
   */
  const read = Effect.fnUntraced(function* <Compared>(
    list: Pick<Binding, "filters" | "list" | "teamId">,
    query: MatchListQuery,
    {
      find,
      first,
      growth,
      locate,
      pairWith
    }: {
      readonly find: (wanted: Wanted) => Effect.Effect<Candidates<Compared>, QueryTooExpensive | RateLimited>
      /** How many candidates are read first for each that is wanted: some are not in the place. */
      readonly first: number
      /** How many times as many are read at once where those before were not enough. */
      readonly growth: number
      readonly pairWith: (compared: Compared) => Pair
      readonly locate: (
        some: ReadonlyArray<Ranking<Compared>>
      ) => Effect.Effect<(one: Ranking<Compared>) => LocationComparison>
    }
  ) {
    const { cursor, min_score: minScore = defaultMinScore, page_size: pageSize = defaultPageSize } = query
    const binding = { ...list, filters: { ...list.filters, min_score: minScore } }
    const position = cursor === undefined ? undefined : yield* cursors.open(binding, cursor)
    const after = position === undefined ? undefined : { score: Number(position[0]), uuid: position[1] ?? "" }
    const atOnce = pageSize + 10

    const ranked: Array<Ranking<Compared>> = []
    /** Read, but others may come before them. */
    let waiting: ReadonlyArray<Ranking<Compared>> = []
    const all: Wanted = { minScore, after: undefined, limit: maxCandidates }
    let next: Wanted | undefined =
      after === undefined || after.score === maxScore ? { minScore, after, limit: Math.ceil(first * atOnce) } : all
    // Those before a page that begins among the highest scores are not read; some can have a lower one.
    let hasSkipped = after !== undefined && after.score === maxScore
    let isComplete = true
    /** Ranks more, until this many are ranked or there are no others. */
    const rankUpTo = Effect.fnUntraced(function* (count: number) {
      while (ranked.length < count && next !== undefined) {
        const wanted: Wanted = next
        const { candidates, unread, ...read }: Candidates<Compared> = yield* find(wanted)
        isComplete = read.isComplete
        if (read.isAll) hasSkipped = false
        const last = ranked.at(-1) ?? after
        const known = [...(read.isAll ? [] : waiting), ...(yield* rankingsOf(candidates, pairWith))].filter(
          (one) => one.score >= minScore && (last === undefined || isAfter(one, last))
        )
        const isNext = (one: Ranked) =>
          (unread === undefined || !isAfter(one, unread)) && (!hasSkipped || one.score === maxScore)
        ranked.push(...rank(known.filter(isNext)))
        waiting = known.filter((one) => !isNext(one))
        if (hasSkipped && (unread === undefined || unread.score < maxScore)) {
          hasSkipped = false
          waiting = []
          next = all
        } else {
          const limit = Math.min(growth * wanted.limit, maxCandidates)
          next = unread === undefined || unread.score < minScore ? undefined : { minScore, after: unread, limit }
        }
      }
    })

    const found: Array<Ranked & Match> = []
    let tested = 0
    const pace = makePacer()
    const most = maxReads * atOnce
    for (;;) {
      yield* rankUpTo(tested + 1)
      if (tested === ranked.length || tested === most || found.length > pageSize) break
      const some = ranked.slice(tested, Math.min(tested + atOnce, most))
      const locationOf = yield* locate(some)
      for (const one of some) {
        if (pace.isDue()) yield* pace.turn
        const result = one.matchAt(locationOf(one))
        if (!result.excluded) found.push({ uuid: one.uuid, ...result })
      }
      tested += some.length
    }
    const shown = found.slice(0, pageSize)
    const hasMore = found.length > pageSize || tested < ranked.length
    const last = found.length > pageSize ? shown.at(-1) : ranked[tested - 1]
    return {
      shown,
      isComplete,
      page: {
        nextCursor: hasMore && last !== undefined ? cursors.seal(binding, [String(last.score), last.uuid]) : null,
        pageSize,
        hasMore
      }
    }
  })

  /** The shown matches with their records, which `findAll` loads; one that was deleted meanwhile is left out. */
  const withRecords = Effect.fnUntraced(function* <Record extends { readonly id: string }>(
    shown: ReadonlyArray<Ranked & Match>,
    findAll: (
      uuids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<{ readonly uuid: string; readonly deleted: boolean; readonly resource: Record }>>
  ) {
    const data: Array<Record & Pick<Match, "criteria" | "score">> = []
    for (let from = 0; from < shown.length; from += recordsAtOnce) {
      const some = shown.slice(from, from + recordsAtOnce)
      const stored = yield* findAll(some.map(({ uuid }) => uuid))
      const records = new Map(stored.flatMap((one) => (one.deleted ? [] : [[one.uuid, one.resource]])))
      for (const { criteria, score, uuid } of some) {
        const record = records.get(uuid)
        if (record !== undefined) data.push({ ...record, score, criteria })
      }
    }
    return data
  })

  /** The active mandates of the team that want a property. */
  const ofProperty = Effect.fn("Matches.ofProperty")(function* (id: string, request: Request) {
    const actor = yield* authorize("broker")
    const { resource: property, uuid } = yield* Effect.catchTag(properties.load(actor, id), "Merged", Effect.die)
    const query = yield* request.query
    const position = positionOf(property)
    const country = (yield* territoriesOf([property.country]))(property.country)
    const wanted = {
      property,
      boxes:
        position !== undefined
          ? searchBoxesOf(pointAt(position.longitude, position.latitude))
          : country === undefined
            ? undefined
            : outermost(searchBoxesOf(country)),
      now: new Date(yield* Clock.currentTimeMillis)
    }
    const { shown, ...page } = yield* read<ComparedMandate>(
      { list: "Matches.ofProperty", teamId: actor.teamId, filters: { of: uuid } },
      query,
      {
        find: (which) => slowReads(actor.teamId, narrow, repo.mandates(actor.teamId, wanted, which)),
        first: 1.5,
        growth: 1,
        pairWith: (mandate) => pair(property, mandate),
        locate: Effect.fnUntraced(function* (some) {
          const areas = yield* repo.areas(
            actor.teamId,
            some.map(({ uuid }) => uuid)
          )
          const whereOf = ({ compared, uuid }: Ranking<ComparedMandate>): Located =>
            areas.get(uuid) ?? { area: undefined, wholeCountries: [], country: compared.country }
          const territoryOf = yield* territoriesOf([
            property.country,
            ...some.flatMap((one) => [whereOf(one).country, ...whereOf(one).wholeCountries])
          ])
          return (one) => compareLocations(property, whereOf(one), territoryOf)
        })
      }
    )
    const data = yield* withRecords(shown, (uuids) => mandates.findAll(actor.teamId, uuids))
    const answer: MandateMatchPage = { data, ...page }
    return answer
  }, inTurn)

  /** The properties of the team that fit a mandate; none if it is not active, or no longer valid. */
  const ofMandate = Effect.fn("Matches.ofMandate")(function* (id: string, request: Request) {
    const actor = yield* authorize("broker")
    const { resource: mandate, uuid } = yield* Effect.catchTag(mandates.load(actor, id), "Merged", Effect.die)
    const query = yield* request.query
    const located = locatedOf(mandate)
    const looked = yield* locations.areaOf(located)
    const whole = countriesOf(located)
    const wanted = {
      mandate,
      by:
        whole.length > 0
          ? ("countries" as const)
          : located.area !== undefined
            ? ("area" as const)
            : ("anywhere" as const),
      countries: whole,
      // Of a mandate that names its country, the others are left out anyway.
      meeting:
        whole.length === 0 && located.area !== undefined && located.country === null
          ? yield* locations.countriesMeeting(located.area)
          : undefined,
      boxes: looked === undefined ? [] : outermost(searchBoxesOf(looked))
    }
    // Many properties are in the same country.
    const met = new Map<Area, boolean>()
    const isMet = (territory: Area, area: Area) => {
      const known = met.get(territory) ?? meets(territory, area)
      met.set(territory, known)
      return known
    }
    const isListed = isCurrent(mandate, yield* Clock.currentTimeMillis)
    const { shown, ...page } = yield* read<ComparedProperty>(
      { list: "Matches.ofMandate", teamId: actor.teamId, filters: { of: uuid } },
      query,
      {
        find: (which) =>
          isListed
            ? slowReads(actor.teamId, narrow, repo.properties(actor.teamId, wanted, which))
            : Effect.succeed({ candidates: [], isAll: true, isComplete: true, unread: undefined }),
        first: firstOf(mandate, located),
        growth: 8,
        pairWith: (property) => pair(property, mandate),
        locate: Effect.fnUntraced(function* (some) {
          const territoryOf = yield* territoriesOf([
            located.country,
            ...whole,
            ...some.map(({ compared }) => compared.country)
          ])
          return ({ compared }) => compareLocations(compared, located, territoryOf, isMet)
        })
      }
    )
    const data = yield* withRecords(shown, (uuids) => properties.findAll(actor.teamId, uuids))
    const answer: PropertyMatchPage = { data, ...page }
    return answer
  }, inTurn)

  return { ofProperty, ofMandate }
})

/** Matches of properties and mandates. They need the `broker` capability. */
export class Matches extends Context.Service<Matches, Effect.Success<typeof make>>()("market/matches/Matches") {
  static readonly layer = Layer.effect(Matches, make).pipe(
    Layer.provide([CandidatesRepo.layer, Locations.layer, Mandates.layer, Properties.layer])
  )
}

// Which of a team's own mandates fit what it sees of properties (docs/behaviour/offers.md#mandates).

/** The most mandates that are listed for one property. */
const maxListed = 20

/** The most mandates of a team that are compared: the newest. */
const maxOwn = 500

/** The mandates that fit wherever they look, the best first. */
const fittingOf = (seen: SeenProperty, own: ReadonlyArray<Candidate<ComparedMandate>>): ReadonlyArray<Ranked> =>
  rank(
    own.flatMap(({ compared, uuid }) => {
      const best = bestCase(seen, compared)
      const { excluded, score } = pair(best.property, best.mandate)
      return excluded || score < defaultMinScore ? [] : [{ uuid, score }]
    })
  )

const makeFittingMandates = Effect.gen(function* () {
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
    const pace = makePacer()
    const rankings: Array<ReadonlyArray<Ranked>> = []
    for (const one of seen) {
      if (pace.isDue()) yield* pace.turn
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
        if (pace.isDue()) yield* pace.turn
        if (!isElsewhere(seen[index]?.country ?? null, uuid)) ids.push(Id.fromUuid("mandate", uuid))
      }
      found.push(ids)
    }
    return found
  })

  return { of }
})

/** Compares what investors see with their mandates, for modules that have authorized their caller. */
export class FittingMandates extends Context.Service<FittingMandates, Effect.Success<typeof makeFittingMandates>>()(
  "market/matches/FittingMandates"
) {
  /** Without what it needs, so that a test can put something else in its place. */
  static readonly layerNoDeps = Layer.effect(FittingMandates, makeFittingMandates)
  static readonly layer = this.layerNoDeps.pipe(Layer.provide([CandidatesRepo.layer, Locations.layer]))
}
