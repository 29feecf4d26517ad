/**
 * The use-cases of mandates. A search by place (docs/behaviour/mandates.md#search) finds candidates by the boxes of mandates, which the
 * database has; the exact test of areas decides. A page ends early when it takes too long: it has its cursor all the same.
 */
import * as Id from "../../core/Id.ts"
import * as Records from "../../core/records/Records.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { makeMergePatch } from "../../core/usecase/UnvalidatedJson.ts"
import { makeSlowReads } from "../../core/usecase/TeamBudget.ts"
import { makePacer } from "../../core/usecase/EventLoop.ts"
import { Clock, Context, Effect, Layer, Result, Struct } from "effect"
import { type Actor, authorize } from "../../core/auth/CurrentActor.ts"
import { type Change, following, followingDeletions, restoreOf } from "../../core/mutation/Changes.ts"
import type { TimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import {
  type Deleted,
  type EditableKind,
  type ReadableKind,
  type RestorableKind,
  type Return,
  type Returned,
  StepSize
} from "../../core/records/RecordKind.ts"
import { notRestoredOf, nothingFollows, planReturn } from "../../core/records/RestoreRecords.ts"
import { DeletedRecords } from "../../core/records/DeletedRecords.ts"
import type { NextVersion } from "../../core/records/Table.ts"
import { omitMembers, textOf } from "../../core/records/UpsertMatching.ts"
import { all, orReject } from "../../core/usecase/Input.ts"
import { byId, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { type Area, type Box, boxesOf, halfTurn, maxBoxes, quarterTurn, searchBoxesOf } from "./geography/Area.ts"
import {
  type FoundMandate,
  type MandateConditions,
  MandateCreate,
  type MandateFields,
  type MandateListQuery,
  MandatePatch,
  MandateSearch,
  type StoredMandate,
  WrittenMandate
} from "./Mandate.ts"
import { type Investors, MandateBoxesRepo, MandatesRepo, type Scan } from "./MandatesRepo.ts"
import {
  blank,
  countriesOf,
  countryAfter,
  faultsOf,
  fieldsOf,
  followingCountry,
  investorUuid,
  locatedOf,
  nowhere,
  returnOf,
  toChangeRecord,
  toPlace,
  wantedPlace,
  wholeCountriesOf,
  type WithCountry,
  writeContextOf
} from "./rules.ts"
import { Locations } from "./Locations.ts"
import { Cursors, defaultPageSize, type Page, type Position } from "../../core/usecase/Page.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import { meets } from "./geography/geometry.ts"

/** The box of a mandate without a place. */
const everywhere: Box = { west: -halfTurn, south: -quarterTurn, east: halfTurn, north: quarterTurn }

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
  const repo = yield* MandatesRepo
  const deletedRecords = yield* DeletedRecords
  const boxes = yield* MandateBoxesRepo
  const locations = yield* Locations
  const timelines = yield* Timelines
  const cursors = yield* Cursors
  const slowReads = yield* makeSlowReads

  /** The members to store for a body. The present place of a new mandate is none. */
  const toFields = Effect.fnUntraced(function* (sent: MandatePatch, current: WithCountry) {
    const named = yield* orReject(wantedPlace(sent, current))
    const wanted = followingCountry(named, sent, current)
    if (wanted.kind === "unchanged") return fieldsOf(sent, undefined)
    const resolved = yield* locations.areaOfWanted(wanted, sent.country)
    const place = resolved === undefined ? nowhere : toPlace(resolved.area, resolved.wholeCountries)
    return { ...fieldsOf(sent, place), ...countryAfter(sent, current, resolved) }
  })

  const decodeCreate = UnvalidatedJson.decoder(MandateCreate, WrittenMandate.fields)
  const decodePatch = makeMergePatch(MandatePatch)

  /** Writes the boxes of the mandates of a change. */
  const writeBoxes = Effect.fnUntraced(function* (
    { actor: { teamId } }: Change,
    versions: ReadonlyArray<NextVersion<MandateFields>>
  ) {
    const written = yield* Effect.forEach(versions, ({ fields, uuid }) =>
      Effect.gen(function* () {
        const located = locatedOf(fields)
        const countries = countriesOf(located)
        if (located.area === undefined && countries.length === 0) return { mandate: uuid, boxes: [everywhere] }
        if (countries.length === 0)
          return { mandate: uuid, boxes: located.area === undefined ? [] : boxesOf(located.area) }
        const limit = Math.max(1, Math.floor(maxBoxes / countries.length))
        const ofCountries = yield* Effect.forEach(countries, (country) =>
          Effect.map(locations.territoryOf(country), (territory) =>
            (territory === undefined ? [] : boxesOf(territory, limit)).map((box) => ({ ...box, country }))
          )
        )
        return { mandate: uuid, boxes: ofCountries.flat() }
      })
    )
    yield* boxes.replace(teamId, written)
  })

  /** Mandates come back for what their investors were merged into. Those of deleted ones are closed, as by the deletion. */
  const returning = Effect.fnUntraced(function* (change: Change, deleted: ReadonlyArray<Deleted<MandateFields>>) {
    const { teamId } = change.actor
    const uuidsOf = (type: "company" | "contact") =>
      deleted.flatMap(({ fields: { investor } }) => Id.toUuid(type, investor?.[`${type}Id`] ?? "") ?? [])
    const living = new Map([
      ...(yield* deletedRecords.lockSurvivors(teamId, "contact", uuidsOf("contact"))),
      ...(yield* deletedRecords.lockSurvivors(teamId, "company", uuidsOf("company")))
    ])
    // An investor that is restored later opens them again.
    yield* deletedRecords.keepEffects(
      change,
      "mandate",
      deleted.flatMap(({ fields, uuid }) => {
        const cause = investorUuid(fields)
        return cause === null || living.has(cause) || fields.status === "closed"
          ? []
          : [{ cause, uuid, fields: { status: fields.status } }]
      })
    )
    const plan: Return<MandateFields, never> = {
      of: ({ fields, uuid }) => Result.succeed(returnOf(Id.fromUuid("mandate", uuid), fields, living)),
      finish: () => Effect.succeed(nothingFollows)
    }
    return plan
  })

  const kind: EditableKind<MandateFields, StoredMandate> &
    ReadableKind<StoredMandate, MandateListQuery> &
    RestorableKind<MandateFields> = {
    type: "mandate",
    needs: "broker-or-investor",
    plural: "Mandates",
    quota: "mandates",
    requiresIds: true,
    blank,
    repo: {
      ...repo,
      insert: (change, versions) => Effect.tap(repo.insert(change, versions), () => writeBoxes(change, versions)),
      update: (change, versions) => Effect.tap(repo.update(change, versions), () => writeBoxes(change, versions)),
      delete: (change, versions, mergedInto) =>
        Effect.tap(repo.delete(change, versions, mergedInto), () =>
          boxes.replace(
            change.actor.teamId,
            versions.map(({ uuid }) => ({ mandate: uuid, boxes: [] }))
          )
        )
    },
    context: (change, wanted) => {
      const uuidsOf = (type: "company" | "contact") =>
        wanted.flatMap(({ investor }) => Id.toUuid(type, investor?.[`${type}Id`] ?? "") ?? [])
      return Effect.map(
        repo.lockInvestors(change, { contacts: uuidsOf("contact"), companies: uuidsOf("company") }),
        writeContextOf
      )
    },
    decodeCreate: (document) => Effect.flatMap(decodeCreate(document), (sent) => toFields(sent, blank)),
    // Only answers of writes have `resolvedLocation`, so no present value could be compared with what is sent back.
    decodePatch: (document, current) =>
      Effect.flatMap(decodePatch(omitMembers(document, ["resolvedLocation"]), current), (sent) =>
        toFields(sent, { ...blank, ...current, wholeCountries: wholeCountriesOf(current) })
      ),
    faultsOf,
    toChangeRecord,
    returning
  }
  const records = yield* Records.make(kind)

  /** What the `location` of a body means; undefined without one, and for one that the write refuses. */
  const meaningOf = (body: UnvalidatedJson.UnvalidatedJson) => {
    const location = textOf(body, "location")
    return location === undefined
      ? Effect.undefined
      : locations.resolve(location, textOf(body, "country")).pipe(
          Effect.map(({ resolvedLocation }) => resolvedLocation),
          Effect.orElseSucceed(() => undefined)
        )
  }

  /**
   * A write whose answer says what the `location` of its body means. That is found out when the write reads the body, because nothing may
   * fail any more once the write is committed.
   */
  const locating = <Request extends Pick<UseCaseRequest, "body">, A, Located, E, R>(
    request: Request,
    write: (request: Request) => Effect.Effect<A, E, R>,
    withLocation: (written: A, meant: Partial<Pick<WrittenMandate, "resolvedLocation">>) => Located
  ) =>
    Effect.suspend(() => {
      let meant: Partial<Pick<WrittenMandate, "resolvedLocation">> = {}
      const body = Effect.tap(request.body, (read) =>
        Effect.map(meaningOf(read), (resolvedLocation) => {
          meant = resolvedLocation === undefined ? {} : { resolvedLocation }
        })
      )
      return Effect.map(write({ ...request, body }), (written) => withLocation(written, meant))
    })

  /** Creates a mandate. */
  const create = Effect.fn("Mandates.createAndLocate")((request: Parameters<typeof records.create>[0]) =>
    locating(request, records.create, (created, meant) => ({ ...created, value: { ...created.value, ...meant } }))
  )

  /** Changes a mandate. */
  const patch = Effect.fn("Mandates.patchAndLocate")((id: string, request: Parameters<typeof records.patch>[1]) =>
    locating(
      request,
      (located) => records.patch(id, located),
      (mandate, meant): WrittenMandate => ({ ...mandate, ...meant })
    )
  )

  /** The timeline of a mandate, newest first. */
  const actions = Effect.fn("Mandates.actions")(function* (
    id: string,
    request: Pick<UseCaseRequest<TimelineQuery>, "query">
  ) {
    const { teamId } = yield* authorize(kind.needs)
    const { uuid } = yield* byId("mandate", id, (uuid) => repo.find(teamId, uuid))
    return yield* timelines.read({ teamId, type: "mandate", id: uuid }, yield* request.query)
  })

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
  const meeting = Effect.fn("Mandates.meeting")(function* (
    { teamId }: Pick<Actor, "teamId">,
    { area, conditions, from, limit }: Meeting
  ) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const wanted = searchBoxesOf(area)
    const met: Array<Met> = []
    const pace = makePacer()
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
        if (pace.isDue()) yield* pace.turn
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

  const decodeSearch = UnvalidatedJson.decoder(MandateSearch)

  /** A page of the mandates whose place meets a searched one, and of those without a place. */
  const search = Effect.fn("Mandates.search")(function* (request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize("broker-or-investor")
    const document = yield* request.body
    const [, sent] = yield* all(request.query, decodeSearch(document))
    const { cursor, page_size: pageSize = defaultPageSize } = sent
    const place = Struct.pick(sent, ["geography", "location", "near", "radius"])
    const conditions: MandateConditions = Struct.omit(sent, [
      "cursor",
      "geography",
      "location",
      "near",
      "page_size",
      "radius"
    ])
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
      filters: { place, ...conditions }
    }
    const from = cursor === undefined ? start : positionOf(yield* cursors.open(binding, cursor))
    // One more than the page has, to learn whether another page follows.
    const { met, next } = yield* meeting(actor, {
      area,
      conditions,
      from,
      limit: pageSize + 1
    })
    const shown = met.slice(0, pageSize)
    const stored = new Map(
      (yield* repo.findAll(
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

  /**
   * Locks the mandates that a step of a merge takes of those of contacts or companies (UUIDs). Call it before these are locked, as all
   * writers do.
   */
  const lockOf = Effect.fn("Mandates.lockOf")(function* (change: Change, of: Investors) {
    return yield* repo.lockOf(change.actor.teamId, of, { limit: yield* StepSize, closed: true })
  })

  /**
   * Closes the mandates of deleted contacts or companies (UUIDs), as many as a step takes: nobody is left to buy. They still name them.
   */
  const closeOf = Effect.fn("Mandates.closeOf")(function* (change: Change, of: Investors) {
    const caused = followingDeletions(change, "contacts" in of ? "contact" : "company")
    const { left, taken } = yield* repo.lockOf(change.actor.teamId, of, { limit: yield* StepSize, closed: false })
    yield* deletedRecords.keepEffects(
      change,
      "mandate",
      taken.map(({ resource, uuid }) => ({
        cause: investorUuid(resource) ?? "",
        uuid,
        fields: { status: resource.status }
      }))
    )
    yield* records.patchLocked(caused, taken, () => ({ status: "closed" }))
    return left
  })

  /**
   * Opens the mandates of contacts or companies (UUIDs) again that live again, as many as a step takes, unless somebody wrote their status
   * since.
   */
  const reopenOf = Effect.fn("Mandates.reopenOf")(function* (
    change: Change,
    type: "company" | "contact",
    causes: ReadonlyArray<string>
  ) {
    const { left, taken } = yield* deletedRecords.takeEffects(change, "mandate", causes, yield* StepSize)
    const locked = yield* records.lock(
      change,
      taken.map(({ uuid }) => uuid)
    )
    const { changed, deleted, returned } = planReturn(
      taken,
      locked,
      (mandate, { cause }) => mandate.status === "closed" && investorUuid(mandate) === cause
    )
    const former = new Map(returned.map(({ effect, stored }) => [stored.uuid, effect]))
    const caused = following(change, ({ resource }) => restoreOf(type, former.get(resource.id)?.cause ?? ""))
    yield* records.patchLocked(
      caused,
      returned.map(({ stored }) => stored),
      ({ uuid }) => former.get(uuid)?.fields as Pick<MandateFields, "status">
    )
    yield* deletedRecords.amend(change, "mandate", { status: "closed" }, deleted)
    const answer: Returned = { left, notRestored: notRestoredOf("mandate", changed) }
    return answer
  })

  /** Gives mandates of merged contacts or companies to the one that they are merged into (UUIDs), as many as a step takes. */
  const reassign = Effect.fn("Mandates.reassign")(function* (
    change: Change,
    {
      from,
      to,
      type
    }: { readonly type: "company" | "contact"; readonly from: ReadonlyArray<string>; readonly to: string }
  ) {
    const { left, taken } = yield* lockOf(change, type === "contact" ? { contacts: from } : { companies: from })
    yield* records.patchLocked(change, taken, () => ({
      investor: type === "contact" ? { contactId: Id.fromUuid(type, to) } : { companyId: Id.fromUuid(type, to) }
    }))
    return left
  })

  return {
    ...records,
    create,
    patch,
    search,
    meeting,
    actions,
    findAll: repo.findAll,
    lockOf,
    closeOf,
    reopenOf,
    reassign
  }
})

/**
 * The use-cases of mandates. They need the `investor` capability, approved or requested, or the `broker` capability; `findAll`
 * and `meeting` are for modules that have authorized their caller, as are `lockOf`, `closeOf`, `reopenOf` and `reassign`, which run inside the
 * transaction of `change`.
 */
export class Mandates extends Context.Service<Mandates, Effect.Success<typeof make>>()("market/mandates/Mandates") {
  static readonly layer = Layer.effect(Mandates, make).pipe(
    Layer.provide([Locations.layer, MandateBoxesRepo.layer, MandatesRepo.layer])
  )
}
