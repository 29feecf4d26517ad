/** Reads of prospects: the list, one of them, timelines; and how other use-cases authorize and load one. */
import * as DeltaList from "../../core/mutation/DeltaList.ts"
import * as Id from "../../core/Id.ts"
import { makeSlowReads } from "../../core/usecase/TeamBudget.ts"
import { Context, Effect, Layer } from "effect"
import { type Actor, authorize } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import type { Locking } from "../../core/mutation/Mutation.ts"
import type { ProspectTimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { today } from "../../platform/Time.ts"
import { Members } from "../../identity/teams/Teams.ts"
import { Projects } from "../projects/Projects.ts"
import { answerOf } from "../projects/rules.ts"
import { lockLatest } from "../../core/records/SaveRecords.ts"
import { byId, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Cursors, read as readPage, timeAndId } from "../../core/usecase/Page.ts"
import { type ConcurrencyConflict, ProspectErased, ProspectRemoved } from "../../core/usecase/Problem.ts"
import { dueDatesOf, prospectEtag, toProspect, toTombstone, userIdsOf } from "./projection.ts"
import type { AllProspectsQuery, Prospect, ProspectListQuery, ProspectRef, ProspectRow } from "./Prospect.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"

/** A prospect that a use-case has loaded for its caller. */
export interface LoadedProspect extends ProspectRef {
  readonly actor: Actor
  readonly stored: StoredProspect
  /** The ETag, which depends on the day. */
  readonly etag: string
}

/** Rejects changes of a prospect whose person was erased. */
export const requireNotErased = ({ stored }: Pick<LoadedProspect, "stored">): Effect.Effect<void, ProspectErased> =>
  stored.resource.erasedUtc === null ? Effect.void : Effect.fail(ProspectErased.rejection())

/** Rejects changes of a prospect that was removed from the list, or whose person was erased. */
export const requireOnList = ({
  stored
}: Pick<LoadedProspect, "stored">): Effect.Effect<void, ProspectErased | ProspectRemoved> =>
  stored.resource.removedUtc === null ? requireNotErased({ stored }) : Effect.fail(ProspectRemoved.rejection())

/** How many bids of a prospect people are shown: the latest ones. */
const maxBids = 20

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const projects = yield* Projects
  const members = yield* Members
  const timelines = yield* Timelines
  const cursors = yield* Cursors
  const slowReads = yield* makeSlowReads

  /** The answers for rows, in the same order. */
  const toAnswers = Effect.fnUntraced(function* (rows: ReadonlyArray<ProspectRow>) {
    const names = yield* members.names(rows.flatMap(userIdsOf))
    const day = yield* today
    return rows.map((row) => toProspect(row, names, day))
  })

  /** The answer for one row. */
  const toAnswer = (row: ProspectRow): Effect.Effect<Prospect> =>
    Effect.flatMap(toAnswers([row]), ([answer]) =>
      answer === undefined ? Effect.die(new Error("a row has no answer")) : Effect.succeed(answer)
    )

  const toLoaded = (actor: Actor, projectUuid: string, stored: StoredProspect) =>
    Effect.map(today, (day): LoadedProspect => ({
      actor,
      uuid: stored.uuid,
      projectUuid,
      stored,
      etag: prospectEtag(stored.resource, day)
    }))

  /** Loads a prospect, removed from the list or not. `actor` is authorized already. */
  const load = Effect.fn("Prospects.load")(function* (actor: Actor, projectId: string, id: string) {
    const { uuid: projectUuid } = yield* projects.load(actor, projectId)
    const stored = yield* byId("prospect", id, (uuid) => repo.findOn(actor.teamId, projectUuid, uuid))
    return yield* toLoaded(actor, projectUuid, stored)
  })

  /** As `load`, whatever project it is on. */
  const loadById = Effect.fn("Prospects.loadById")(function* (actor: Actor, id: string) {
    const stored = yield* byId("prospect", id, (uuid) => repo.find(actor.teamId, uuid))
    const projectUuid = Id.toUuid("project", stored.resource.projectId)
    if (projectUuid === undefined) return yield* Effect.die(new Error("a prospect has no project"))
    return yield* toLoaded(actor, projectUuid, stored)
  })

  /** Locks a loaded prospect until the change ends; fails when it was deleted, or is `pinned` and was changed. */
  const lock = Effect.fn("Prospects.lock")(function* (
    change: Change,
    { loaded, pinned }: Locking<LoadedProspect>
  ): Effect.fn.Return<LoadedProspect, ConcurrencyConflict> {
    const stored = yield* lockLatest({ type: "prospect", repo }, change, { loaded: loaded.stored, pinned })
    return { ...loaded, stored }
  })

  /** Locks these prospects (UUIDs) until the change ends, and returns them; deleted and removed ones, too. */
  const lockAll = (change: Change, uuids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<StoredProspect>> =>
    repo.lock(change.actor.teamId, uuids)

  /** Loads a prospect that the caller may read. */
  const authorizeRead = Effect.fn("Prospects.authorizeRead")(function* (projectId: string, id: string) {
    return yield* load(yield* authorize("broker"), projectId, id)
  })

  /** Loads a prospect that the caller may change: one that is on the list. */
  const authorizeWrite = Effect.fn("Prospects.authorizeWrite")(function* (projectId: string, id: string) {
    return yield* Effect.tap(authorizeRead(projectId, id), requireOnList)
  })

  /** A page of the prospects of a project or, without one, of a team. `filters` bind its cursors. */
  const readList = Effect.fnUntraced(function* (
    { teamId }: Actor,
    projectUuid: string | null | undefined,
    query: ProspectListQuery,
    filters: { readonly [name: string]: unknown }
  ) {
    const day = yield* today
    const dueDates = query.task_due === undefined ? undefined : dueDatesOf(query.task_due, day)
    return yield* DeltaList.read({
      list: "Prospects",
      teamId,
      ...(typeof projectUuid === "string" ? { of: projectUuid } : {}),
      nameOf: (of) =>
        of === teamId
          ? "the list of all projects, without project_id"
          : `another list: that with project_id=${Id.fromUuid("project", of)}, or that of another team`,
      query,
      filters,
      cursors,
      slowReads,
      fetch: (range) =>
        Effect.gen(function* () {
          const fetched = yield* repo.list(teamId, projectUuid, range, query, dueDates)
          const names = yield* members.names(fetched.rows.flatMap(({ resource }) => userIdsOf(resource)))
          const rows = fetched.rows.map(({ bytes, deleted, resource, unsettled, uuid }) => {
            const isTombstone = deleted || resource.removedUtc !== null
            return {
              uuid,
              unsettled,
              bytes,
              item: isTombstone ? toTombstone(resource, day) : toProspect(resource, names, day)
            }
          })
          return { ...fetched, rows }
        }),
      toItem: ({ item }) => item
    })
  })

  /** A page of the prospects of a project that the actor may read. */
  const readOf = (actor: Actor, projectUuid: string, query: ProspectListQuery) =>
    readList(actor, projectUuid, query, { ...DeltaList.filtersOf(query), project: projectUuid })

  /** A page of a project's prospects. */
  const list = Effect.fn("Prospects.list")(function* (
    projectId: string,
    request: Pick<UseCaseRequest<ProspectListQuery>, "query">
  ) {
    const { actor, uuid } = yield* projects.authorizeRead(projectId)
    return yield* readOf(actor, uuid, yield* request.query)
  })

  /** A page of the prospects of all projects, or of the one that the query names. */
  const listAll = Effect.fn("Prospects.listAll")(function* (request: Pick<UseCaseRequest<AllProspectsQuery>, "query">) {
    const actor = yield* authorize("broker")
    const { project_id: projectId, ...query } = yield* request.query
    const projectUuid = projectId === undefined ? undefined : (Id.toUuid("project", projectId) ?? null)
    return yield* readList(actor, projectUuid, query, { ...DeltaList.filtersOf(query), project_id: projectId ?? "all" })
  })

  /** One prospect on any project, removed from the list or not. */
  const getById = Effect.fn("Prospects.getById")(function* (id: string) {
    const { teamId } = yield* authorize("broker")
    const stored = yield* byId("prospect", id, (uuid) => repo.find(teamId, uuid))
    return yield* toAnswer(stored.resource)
  })

  /** The id of the project of a prospect, for callers that know the prospect alone. */
  const projectOf = Effect.fn("Prospects.projectOf")(function* (id: string) {
    return (yield* loadById(yield* authorize("broker"), id)).stored.resource.projectId
  })

  /** The ids of the prospects of a project that meet the filters of its list, at most `limit`: for what people do with all of them. */
  const matching = Effect.fn("Prospects.matching")(function* (
    projectId: string,
    query: ProspectListQuery,
    limit: number
  ) {
    const { actor, uuid } = yield* projects.authorizeRead(projectId)
    const due = query.task_due === undefined ? undefined : dueDatesOf(query.task_due, yield* today)
    return yield* repo.idsMatching(actor.teamId, uuid, query, due, limit)
  })

  /** What changes whenever a prospect of a project does, at the cost of one row: by it, a page that is open sees what others do. */
  const latestChange = Effect.fn("Prospects.latestChange")(function* (projectId: string) {
    const { actor, uuid } = yield* projects.authorizeRead(projectId)
    return yield* repo.latestChange(actor.teamId, uuid)
  })

  /**
   * A page of a project's prospects as people look at it: with its project, and with the latest change, which is read before it, so that a
   * change in between is shown twice rather than never.
   */
  const look = Effect.fn("Prospects.look")(function* (
    projectId: string,
    request: Pick<UseCaseRequest<ProspectListQuery>, "query">
  ) {
    const { actor, resource, uuid } = yield* projects.authorizeRead(projectId)
    const query = yield* request.query
    const seen = yield* repo.latestChange(actor.teamId, uuid)
    return {
      project: answerOf(resource),
      seen,
      ...(yield* readOf(actor, uuid, query))
    }
  })

  /** A page of the prospects that were removed from the list of a project, the latest first. */
  const removed = Effect.fn("Prospects.removed")(function* (projectId: string, cursor: string | undefined) {
    const { actor, uuid } = yield* projects.authorizeRead(projectId)
    return yield* readPage({
      cursors,
      binding: { list: "removed-prospects", teamId: actor.teamId, filters: { project: uuid } },
      cursor,
      pageSize: 50,
      fetch: (position, limit) => repo.removedFrom(actor.teamId, uuid, timeAndId(position), limit),
      positionOf: (row) => [row.removedUtc, row.uuid],
      toItem: ({ id, name, removedUtc }) => ({ id, name, removedUtc })
    })
  })

  /** The bids that were recorded of a prospect, the latest first. */
  const bids = Effect.fn("Prospects.bids")(function* (id: string) {
    const actor = yield* authorize("broker")
    const { uuid } = yield* loadById(actor, id)
    return yield* repo.bidsOf(actor.teamId, uuid, maxBids)
  })

  /** Those of these contacts and companies (ids) that are on the list of a project. */
  const investorsOn = Effect.fn("Prospects.investorsOn")(function* (projectId: string, ids: ReadonlyArray<string>) {
    const { actor, uuid } = yield* projects.authorizeRead(projectId)
    const byUuid = new Map(
      ids.flatMap((id) => {
        const found = Id.toUuid("contact", id) ?? Id.toUuid("company", id)
        return found === undefined ? [] : [[found, id] as const]
      })
    )
    const on = yield* repo.investorsOn(actor.teamId, uuid, [...byUuid.keys()])
    return new Set(on.map((one) => byUuid.get(one) ?? ""))
  })

  /** The tags on their project of the team's prospects, by id. */
  const tagsOf = Effect.fn("Prospects.tagsOf")(function* (ids: ReadonlyArray<string>) {
    const { teamId } = yield* authorize("broker")
    const uuids = [...new Set(ids)].flatMap((id) => Id.toUuid("prospect", id) ?? [])
    return yield* repo.tagsOf(teamId, uuids)
  })

  /** The names of the team's prospects, by id; those that are not known are left out. */
  const namesOf = Effect.fn("Prospects.namesOf")(function* (ids: ReadonlyArray<string>) {
    const { teamId } = yield* authorize("broker")
    const uuids = [...new Set(ids)].flatMap((id) => Id.toUuid("prospect", id) ?? [])
    return yield* repo.namesOf(teamId, uuids)
  })

  /** One prospect, removed from the list or not. */
  const get = Effect.fn("Prospects.get")(function* (projectId: string, id: string) {
    const { stored } = yield* authorizeRead(projectId, id)
    return yield* toAnswer(stored.resource)
  })

  /** A prospect's timeline, newest first, with the rows of its contact or company. */
  const actions = Effect.fn("Prospects.actions")(function* (
    projectId: string,
    id: string,
    request: Pick<UseCaseRequest<ProspectTimelineQuery>, "query">
  ) {
    const { actor, stored, uuid } = yield* authorizeRead(projectId, id)
    const { companyId, contactId } = stored.resource
    const investor =
      contactId === null
        ? { id: Id.toUuid("company", companyId ?? ""), as: "company" as const }
        : { id: Id.toUuid("contact", contactId), as: "contact" as const }
    return yield* timelines.read({ teamId: actor.teamId, type: "prospect", id: uuid }, yield* request.query, {
      rollUps: ["room"],
      others: investor.id === undefined ? [] : [{ id: investor.id, as: investor.as }]
    })
  })

  return {
    list,
    listAll,
    get,
    getById,
    matching,
    latestChange,
    look,
    removed,
    bids,
    investorsOn,
    tagsOf,
    namesOf,
    projectOf,
    actions,
    load,
    loadById,
    lock,
    lockAll,
    authorizeRead,
    authorizeWrite,
    toAnswer,
    toAnswers
  }
})

/**
 * Reads prospects. `load`, `loadById`, `lock`, `toAnswer` and `toAnswers` are for use-cases that have authorized their caller; the others
 * need the `broker` capability.
 */
export class Prospects extends Context.Service<Prospects, Effect.Success<typeof make>>()("deals/prospects/Prospects") {
  static readonly layer = Layer.effect(Prospects, make).pipe(
    Layer.provide([Members.layer, Projects.layer, ProspectsRepo.layer])
  )
}
