/**
 * Finds mandates by their place (docs/behaviour/mandates.md#search). The boxes of mandates, which the database has, find candidates;
 * the exact test of areas decides. A page ends early when it takes too long: it has its cursor all the same.
 */
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as SlowReads from "../../core/usecase/SlowReads.ts"
import * as Turns from "../../core/usecase/Turns.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { type Actor, authorize } from "../../core/auth/CurrentActor.ts"
import { all, orReject } from "../../core/usecase/Input.ts"
import { Cursors, defaultPageSize, type Page, type Position } from "../../core/usecase/Page.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import type { Area } from "./geography/Area.ts"
import { searchBoxesOf } from "./geography/boxes.ts"
import { meets } from "./geography/meets.ts"
import { MandateBoxesRepo, type Scan } from "./MandateBoxesRepo.ts"
import { type FoundMandate, type MandateConditions, MandateSearch } from "./Mandate.ts"
import { MandatesRepo } from "./MandatesRepo.ts"
import { nowhere, wantedPlace } from "./rules.ts"
import { Locations } from "./Locations.ts"

/** A page ends after comparing areas for this time, though it is not full. */
const maxMillis = 50

/** A page ends after so many exact tests, though it is not full. */
const maxTested = 2_000

/** A page ends after so many scans, though it is not full. */
const maxScans = 5

/** The most boxes that one scan walks. */
export const maxWalked = 10_000

/** The most boxes that the index of places returns: from here on, walking finds the next mandates sooner. */
export const maxIndexed = 5_000

/** A mandate that meets an area: because its place does, or because it has none. */
export interface Met {
  readonly uuid: string
  readonly match: "anywhere" | "area"
}

/**
 * How a search reads: it begins with a `short_walk`, which fills the page where many mandates meet the area, and in small teams sees
 * all. Else it goes on by the `index` of places, or with a `walk` if that finds too many.
 */
export type SearchWay = "short_walk" | "index" | "walk"

/** Where a search goes on. */
export interface SearchPosition {
  /** After this mandate (UUID). */
  readonly after: string | undefined
  readonly way: SearchWay
}

/** What a search looks for: mandates that meet an area, from a position on. */
export interface Meeting {
  readonly area: Area
  readonly conditions: MandateConditions
  readonly from: SearchPosition
  /** The most mandates to return. */
  readonly limit: number
}

const narrow = "Search a smaller place, add categories or tags, or ask for a smaller page_size."

const start: SearchPosition = { after: undefined, way: "short_walk" }

const positionOf = ([after, way]: Position): SearchPosition => ({
  after,
  way: way === "index" || way === "walk" ? way : "short_walk"
})

const toPosition = ({ after, way }: SearchPosition): Position => [after ?? "", way]

const make = Effect.gen(function* () {
  const boxes = yield* MandateBoxesRepo
  const mandates = yield* MandatesRepo
  const locations = yield* Locations
  const cursors = yield* Cursors
  const slowReads = yield* SlowReads.make

  /** The next mandates that may meet the searched boxes, and the way that was taken: the index is left when it finds too many. */
  const scanBy = Effect.fnUntraced(function* (teamId: string, way: SearchWay, scan: Omit<Scan, "maxBoxes">) {
    const found = way === "index" ? yield* boxes.lookUp(teamId, { ...scan, maxBoxes: maxIndexed }) : undefined
    return found === undefined
      ? {
          way: way === "index" ? ("walk" as const) : way,
          ...(yield* boxes.walk(teamId, { ...scan, maxBoxes: maxWalked }))
        }
      : { way, ...found }
  })

  /**
   * The next mandates that meet an area, in the order of their UUIDs, and where to go on; `next` is undefined at the end. They may be
   * fewer than the limit, even none. The caller is authorized.
   */
  const meeting = Effect.fn("MandateSearches.meeting")(function* (
    { teamId }: Pick<Actor, "teamId">,
    { area, conditions, from, limit }: Meeting
  ) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const wanted = searchBoxesOf(area)
    const met: Array<Met> = []
    const pace = Turns.makePacer()
    let tested = 0
    let position = from
    // The first scan does not count, nor the loading of countries, so that every page compares some.
    let began: number | undefined
    for (let scans = 1; ; scans += 1) {
      const scan = {
        boxes: wanted,
        conditions: { ...conditions, now },
        after: position.after,
        // Usually, most candidates meet the area. Where they do not, the next scan returns more.
        limit: Math.ceil(limit * 1.4 ** scans)
      }
      const { candidates, reached, way } = yield* slowReads(teamId, narrow, scanBy(teamId, position.way, scan))
      const compared = yield* Effect.forEach(candidates, ({ uuid, ...located }) =>
        Effect.map(locations.areaOf(located), (own) => ({ uuid, own }))
      )
      began ??= yield* Clock.currentTimeMillis
      for (const { own, uuid } of compared) {
        tested += 1
        yield* pace
        if (own === undefined || meets(own, area)) met.push({ uuid, match: own === undefined ? "anywhere" : "area" })
        position = { after: uuid, way }
        const isOver = tested >= maxTested || (yield* Clock.currentTimeMillis) - began >= maxMillis
        if (met.length >= limit || isOver) return { met, next: position }
      }
      if (reached === null) return { met, next: undefined }
      position = { after: reached, way: way === "short_walk" && met.length < limit / 2 ? "index" : way }
      if (scans >= maxScans) return { met, next: position }
    }
  })

  const decode = UnvalidatedJson.decoder(MandateSearch)

  /** A page of the mandates whose place meets a searched one, and of those without a place. */
  const search = Effect.fn("MandateSearches.search")(function* (request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize("broker-or-investor")
    const document = yield* request.body
    const [, sent] = yield* all(request.query, decode(document))
    const { categories, cursor, page_size: pageSize = defaultPageSize, status, tags, ...place } = sent
    const wanted = yield* orReject(wantedPlace(place, nowhere))
    const resolved = wanted.kind === "unchanged" ? undefined : yield* locations.areaOfWanted(wanted)
    if (resolved === undefined) {
      return yield* InvalidRequest.of([
        {
          in: "body",
          pointer: "",
          code: "required",
          detail: "Needs a place: `geography`, `near` with `radius`, or `location`."
        }
      ])
    }
    const area = (yield* locations.areaOf({ ...resolved, country: null })) ?? resolved.area
    const binding = {
      list: "Mandates.search",
      teamId: actor.teamId,
      filters: { place, categories, tags, status }
    }
    const from = cursor === undefined ? start : positionOf(yield* cursors.open(binding, cursor))
    // One more than the page has, to learn whether another page follows.
    const { met, next } = yield* meeting(actor, {
      area,
      conditions: {
        ...(categories === undefined ? {} : { categories }),
        ...(tags === undefined ? {} : { tags }),
        ...(status === undefined ? {} : { status })
      },
      from,
      limit: pageSize + 1
    })
    const shown = met.slice(0, pageSize)
    const stored = new Map(
      (yield* mandates.findAll(
        actor.teamId,
        shown.map(({ uuid }) => uuid)
      )).map(({ deleted, resource, uuid }) => [uuid, deleted ? undefined : resource])
    )
    const end = met.length > pageSize ? { after: shown.at(-1)?.uuid, way: next?.way ?? from.way } : next
    const page: Page<FoundMandate> = {
      data: shown.flatMap(({ match, uuid }) => {
        const mandate = stored.get(uuid)
        return mandate === undefined ? [] : [{ ...mandate, match }]
      }),
      page: {
        nextCursor: end === undefined ? null : cursors.seal(binding, toPosition(end)),
        pageSize,
        hasMore: end !== undefined
      }
    }
    return page
  })

  return { meeting, search }
})

/**
 * Searches mandates by place. `search` needs the `investor` capability, approved or requested, or the `broker` capability; `meeting`
 * is for modules that have authorized their caller.
 */
export class MandateSearches extends Context.Service<MandateSearches, Effect.Success<typeof make>>()(
  "market/mandates/MandateSearches"
) {
  static readonly layer = Layer.effect(MandateSearches, make)
}
