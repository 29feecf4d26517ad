/** The use-cases of projects. */
import { Context, Effect, Layer } from "effect"
import { type Actor, authorize, CurrentActor } from "../auth/CurrentActor.ts"
import { type Change, Changes } from "../changes/Changes.ts"
import { conditionally } from "../changes/Conditional.ts"
import type { ProjectTimelineQuery } from "../changes/Timeline.ts"
import { Timelines } from "../changes/Timelines.ts"
import { now, daysAgo } from "../fields/Span.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { byId } from "../usecase/Lookup.ts"
import * as MergePatch from "../usecase/MergePatch.ts"
import { Cursors, defaultPageSize, type Page, read as readPage } from "../usecase/Page.ts"
import { ConcurrencyConflict, Duplicate, Merged, NotFound } from "../usecase/Problem.ts"
import { Members } from "../identity/teams/Members.ts"
import type { RecordKind } from "../records/RecordKind.ts"
import * as Records from "../records/Records.ts"
import type { Stored } from "../records/RecordTable.ts"
import {
  Project,
  ProjectCreate,
  type ProjectListQuery,
  ProjectNotDeleted,
  ProjectPatch,
  type ProjectPropertiesQuery,
  type ProjectProperty,
  ProjectShared,
  restorableDays
} from "./Project.ts"
import { ProjectProspects } from "./ProjectProspects.ts"
import { ProjectsRepo } from "./ProjectsRepo.ts"
import {
  answerOf,
  blank,
  fieldsOf,
  toChangeRecord,
  type ProjectFields,
  type ProjectMove,
  type ProjectRecord,
  refusalOf,
  stateOf,
  statusOf,
  writeContextOf,
  transitions,
  withOwner
} from "./rules.ts"

const type = "project"
const noSuchProject = new NotFound({ detail: "There is no project with this id." })

/** Projects look like no other, and do not become part of others. */
const alone = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, Duplicate | Merged>, R> =>
  Effect.catchIf(self, (error) => error instanceof Duplicate || error instanceof Merged, Effect.die) as Effect.Effect<
    A,
    Exclude<E, Duplicate | Merged>,
    R
  >

const make = Effect.gen(function* () {
  const repo = yield* ProjectsRepo
  const prospects = yield* ProjectProspects
  const changes = yield* Changes
  const cursors = yield* Cursors
  const members = yield* Members
  const timelines = yield* Timelines
  const decodeCreate = UnvalidatedJson.decoder(ProjectCreate, Project.fields)
  const decodePatch = MergePatch.make(ProjectPatch)

  const kind: RecordKind<ProjectFields, ProjectRecord, ProjectListQuery> = {
    type,
    plural: "Projects",
    blank,
    decodeCreate: (document) => Effect.map(decodeCreate(document), fieldsOf),
    decodePatch: (document, current) => Effect.map(decodePatch(document, answerOf(current as ProjectRecord)), fieldsOf),
    normalize: (sent) => sent,
    faultsOf: () => [],
    toChangeRecord,
    repo: {
      ...repo,
      context: (change, wanted) =>
        Effect.map(
          members.active(
            change.actor.teamId,
            wanted.flatMap(({ ownerId }) => ownerId ?? [])
          ),
          (names) => writeContextOf(new Set(names.keys()))
        )
    },
    cascade: () => Effect.void
  }
  const records = yield* Records.make(kind, { refusalOf: ({ value }) => refusalOf(value) })

  /** A page of the team's projects. */
  const list = Effect.fn("Projects.list")(function* (request: Pick<UseCaseRequest<ProjectListQuery>, "query">) {
    const page = yield* records.list(request)
    return { ...page, data: page.data.map(answerOf) }
  })

  /** A project that lives, with who asks. Fails where there is none. */
  const authorizeRead = Effect.fn("Projects.reach")(function* (id: string) {
    const actor = yield* authorize("broker")
    return { actor, ...(yield* alone(records.load(actor, id))) }
  })

  /** One project. */
  const get = Effect.fn("Projects.get")(function* (id: string) {
    return answerOf((yield* authorizeRead(id)).resource)
  })

  /** These projects (UUIDs) by their UUIDs, as far as they live. */
  const byUuids = Effect.fn("Projects.byUuids")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    const found = yield* repo.findAll(teamId, uuids)
    return new Map(
      found.flatMap(({ deleted, resource, uuid }) => (deleted ? [] : [[uuid, answerOf(resource)] as const]))
    )
  })

  /** The call as one that names the caller by id. */
  const naming = <C extends Pick<UseCaseRequest, "body">>(actor: Actor, request: C): C => ({
    ...request,
    body: Effect.map(request.body, (document) => ({ ...document, value: withOwner(document.value, actor.userId) }))
  })

  /** Adds a project. */
  const create = Effect.fn("Projects.create")(function* (request: UseCaseRequest<object>) {
    const actor = yield* CurrentActor
    const once = yield* alone(records.create(naming(actor, request)))
    return { ...once, value: answerOf(once.value) }
  })

  /** Changes members of a project; a patch that changes nothing leaves no trace. */
  const patch = Effect.fn("Projects.patch")(function* (id: string, request: UseCaseRequest<object>) {
    const actor = yield* CurrentActor
    return answerOf(yield* alone(records.patch(id, naming(actor, request))))
  })

  /** The properties that are linked to a project. */
  const properties = Effect.fn("Projects.properties")(function* (
    id: string,
    request: Pick<UseCaseRequest<ProjectPropertiesQuery>, "query">
  ) {
    const { actor, uuid } = yield* authorizeRead(id)
    const query = yield* request.query
    const page: Page<ProjectProperty> = yield* readPage({
      cursors,
      binding: { list: "project-properties", teamId: actor.teamId, filters: { project: uuid } },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: () => Effect.succeed<ReadonlyArray<ProjectProperty>>([]),
      positionOf: ({ createdUtc, id }) => [createdUtc, id],
      toItem: (property) => property
    })
    return page
  })

  /** The timeline of a project, newest first. */
  const actions = Effect.fn("Projects.actions")(function* (
    id: string,
    request: Pick<UseCaseRequest<ProjectTimelineQuery>, "query">
  ) {
    const { actor, uuid } = yield* authorizeRead(id)
    return yield* timelines.read({ teamId: actor.teamId, type, id: uuid }, yield* request.query, {
      rollUps: ["prospect", "room"]
    })
  })

  /** The project that was read, which nobody else can write now: as it was if `exactly`, or as it is by now. */
  const lockAgain = Effect.fnUntraced(function* (change: Change, stored: Stored<ProjectRecord>, exactly: boolean) {
    const [latest] = yield* records.lock(change, [stored.uuid])
    return latest === undefined || latest.deleted !== stored.deleted || (exactly && latest.version !== stored.version)
      ? yield* ConcurrencyConflict.of(type)
      : latest
  })

  type Moving = Pick<UseCaseRequest, "ifMatch" | "query">

  /** Runs a move of a project: `write` gets it locked. */
  const moving = <A, E, R>(
    actor: Actor,
    request: Moving,
    load: Effect.Effect<Stored<ProjectRecord>, NotFound>,
    write: (change: Change, latest: Stored<ProjectRecord>) => Effect.Effect<A, E, R>
  ) =>
    conditionally({
      request,
      load,
      etagOf: ({ resource }) => resource.etag,
      body: Effect.void,
      change: Effect.fnUntraced(function* (stored: Stored<ProjectRecord>, _: void, hasPrecondition: boolean) {
        yield* request.query
        return yield* changes.commit(actor, (change) =>
          Effect.flatMap(lockAgain(change, stored, hasPrecondition), (latest) => write(change, latest))
        )
      })
    })

  const living = (actor: Actor, id: string) => byId(type, id, (uuid) => repo.find(actor.teamId, uuid))

  /** Whether a move of a project that lives leads elsewhere; whether it is shared does not matter to it. */
  const moves = ({ resource }: Stored<ProjectRecord>, move: ProjectMove) => {
    const state = stateOf(resource, false)
    return transitions[state][move] !== state
  }

  /** Closes a project; one that is closed stays as it is. */
  const close = Effect.fn("Projects.close")(function* (id: string, request: Moving) {
    const actor = yield* authorize("broker")
    return yield* moving(
      actor,
      request,
      living(actor, id),
      Effect.fnUntraced(function* (change, latest) {
        if (!moves(latest, "close")) return answerOf(latest.resource)
        const closedUtc = change.at.toISOString()
        const [closed = latest] = yield* records.rewrite(change, [latest], () => ({ closedUtc }))
        return answerOf(closed.resource)
      })
    )
  })

  /** Opens a closed project again, and gives it what it missed; one that is not closed stays as it is. */
  const reopen = Effect.fn("Projects.reopen")(function* (id: string, request: Moving) {
    const actor = yield* authorize("broker")
    return yield* moving(
      actor,
      request,
      living(actor, id),
      Effect.fnUntraced(function* (change, latest) {
        if (!moves(latest, "reopen")) return answerOf(latest.resource)
        const [opened = latest] = yield* records.rewrite(change, [latest], () => ({ closedUtc: null }))
        yield* prospects.removeOrphans(change, latest.uuid)
        return answerOf(opened.resource)
      })
    )
  })

  /** Deletes a project that nobody outside has seen, with its prospects; for 30 days it can be restored. */
  const deleteProject = Effect.fn("Projects.delete")(function* (id: string, request: Moving) {
    const actor = yield* authorize("broker")
    return yield* moving(
      actor,
      request,
      living(actor, id),
      Effect.fnUntraced(function* (change, latest) {
        const { resource, uuid, version } = latest
        const state = stateOf(resource, yield* prospects.hasRoomMembers(actor.teamId, uuid))
        if (transitions[state].delete === "refused") {
          return yield* new ProjectShared({
            detail: "Investors have seen this project: close it instead, which keeps its history."
          })
        }
        yield* prospects.deleteAll(change, uuid)
        yield* repo.remove(change, [{ uuid, readVersion: version, version: version + 1, fields: resource }])
        yield* records.release(change, uuid)
        change.record(toChangeRecord("deleted", resource, uuid, []))
      })
    )
  })

  /** Brings back a deleted project with what went with it: its prospects, its references and theirs. */
  const restore = Effect.fn("Projects.restore")(function* (id: string, request: Moving) {
    const actor = yield* authorize("broker")
    const load = Effect.flatMap(daysAgo(restorableDays), (since) =>
      byId(type, id, (uuid) => repo.findRestorable(actor.teamId, uuid, since))
    )
    return yield* moving(
      actor,
      request,
      load,
      Effect.fnUntraced(function* (change, latest) {
        const {
          resource: { externalRefs },
          uuid
        } = latest
        if (transitions[stateOf(latest.resource, false)].restore === "refused") {
          return yield* new ProjectNotDeleted({ detail: "Only a deleted project can be restored." })
        }
        if (!(yield* repo.restore(change, latest))) return yield* ConcurrencyConflict.of(type)
        // Before what becomes of those that come with it.
        change.record(toChangeRecord("restored", latest.resource, uuid, []))
        yield* prospects.restoreAll(change, uuid)
        yield* records.reclaim(change, uuid, externalRefs)
        const restored = yield* repo.find(actor.teamId, uuid)
        if (restored === undefined)
          return yield* Effect.die(new Error("a locked project was written by another transaction"))
        return answerOf(restored.resource)
      })
    )
  })

  /** A project (UUID) that lives, and stays, until the transaction of `change` ends. */
  const share = Effect.fn("Projects.share")(function* (change: Change, uuid: string) {
    return (yield* repo.share(change.actor.teamId, uuid)) ?? (yield* noSuchProject)
  })

  /** Notes the time of something that happens to a project for the first time. */
  const note = Effect.fnUntraced(function* (change: Change, uuid: string, member: "communicatedUtc" | "roomOpenedUtc") {
    const [stored] = yield* records.lock(change, [uuid])
    if (stored === undefined || stored.deleted) return yield* noSuchProject
    if (stored.resource[member] !== null) return
    const at = change.at.toISOString()
    const noted = member === "communicatedUtc" ? { communicatedUtc: at } : { roomOpenedUtc: at }
    // Where it answers nothing else, it stays the version that it is.
    const isAnswered =
      member === "communicatedUtc" || statusOf({ ...stored.resource, ...noted }) !== stored.resource.status
    yield* isAnswered ? records.rewrite(change, [stored], () => noted) : repo.openRoom(change, uuid)
  })

  /**
   * Notes, inside the transaction of `change`, that a teaser of a project (UUID) was communicated: with the first one, it
   * is shared. Locks the project, so it comes before prospects are locked.
   */
  const communicated = Effect.fn("Projects.communicated")((change: Change, uuid: string) =>
    note(change, uuid, "communicatedUtc")
  )

  /** As {@link communicated}, that somebody got access to a room of the project: with the first one, it is open. */
  const roomOpened = Effect.fn("Projects.roomOpened")((change: Change, uuid: string) =>
    note(change, uuid, "roomOpenedUtc")
  )

  /**
   * A step of the removal of all that projects had which were deleted longer ago than they can be restored: at most
   * `limit` rows. Answers how many there were; 0 when nothing is left to do. One that comes after a step that never ended
   * goes on where that one began. What is left of a project is its tombstone.
   */
  const empty = Effect.fn("Projects.empty")(function* (limit: number) {
    // First what a restore would bring back: from here on there is none.
    const begun = yield* repo.empty(yield* daysAgo(restorableDays), limit)
    if (begun > 0) return begun
    const uuids = yield* repo.emptied(limit)
    if (uuids.length === 0) return 0
    const below = yield* prospects.purge(uuids, limit)
    if (below > 0) return below
    const rows = yield* timelines.clear(uuids, limit)
    return rows > 0 ? rows : yield* repo.finish(uuids, yield* now)
  })

  return {
    list,
    create,
    get,
    patch,
    delete: deleteProject,
    restore,
    close,
    reopen,
    properties,
    actions,
    authorizeRead,
    byUuids,
    share,
    communicated,
    roomOpened,
    empty,
    purge: records.purge
  }
})

/**
 * What can be done with projects. Every use-case needs the `broker` capability; `byUuids`, `share`, `communicated` and
 * `roomOpened` are for other rooms' changes, `empty` and `purge` are the service's own.
 */
export class Projects extends Context.Service<Projects, Effect.Success<typeof make>>()("projects/Projects") {
  static readonly layer = Layer.effect(Projects, make)
}
