/**
 * The use-cases of projects, except their lifecycle (deals/lifecycle/ProjectLifecycle.ts): reads, create and patch, which projects share
 * with other records, and what other modules do to a project inside their own change.
 */
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { makeList } from "../../core/records/Records.ts"
import { makeMergePatch } from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import { type Actor, authorize, CurrentActor } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import type { ProjectTimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { byId, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Cursors, defaultPageSize, type Page, read as readPage, timeAndId } from "../../core/usecase/Page.ts"
import { ConcurrencyConflict, ExternalReferenceTaken, NotFound } from "../../core/usecase/Problem.ts"
import { Members, resolveMe } from "../../identity/teams/Teams.ts"
import { Properties } from "../../market/properties/Properties.ts"
import type { Property } from "../../market/properties/Property.ts"
import {
  Project,
  ProjectCreate,
  type ProjectListQuery,
  ProjectPatch,
  type ProjectSearch,
  type ProjectPropertiesQuery,
  type ValidationFailed
} from "./Project.ts"
import { daysAgo } from "../../platform/Time.ts"
import { Retention } from "../../platform/Retention.ts"
import { ProjectsRepo } from "./ProjectsRepo.ts"
import {
  answerOf,
  blank,
  eventOf,
  fieldsOf,
  normalize,
  type ProjectFields,
  type ProjectRecord,
  rejectionOf,
  sellerAfter,
  statusOf,
  toChangeRecord,
  writeContextOf
} from "./rules.ts"
import type { ExternalRef } from "../../core/externalRefs/ExternalRef.ts"
import { DeletedRecords } from "../../core/records/DeletedRecords.ts"
import { ExternalRefsRepo } from "../../core/externalRefs/ExternalRefsRepo.ts"
import {
  makeChangeLocked,
  makeCreateRecord,
  makePatchRecord,
  makeTombstonePurge
} from "../../core/records/ChangeRecords.ts"
import type { EditableKind, ReadableKind } from "../../core/records/RecordKind.ts"

const notFound = new NotFound({ detail: "There is no project with this id." })

const make = Effect.gen(function* () {
  const { deletedContent: restorable } = yield* Retention
  const repo = yield* ProjectsRepo
  const members = yield* Members
  const allProperties = yield* Properties
  const refs = yield* ExternalRefsRepo
  const deletedRecords = yield* DeletedRecords
  const cursors = yield* Cursors
  const timelines = yield* Timelines
  const decodeCreate = UnvalidatedJson.decoder(ProjectCreate, Project.fields)
  const decodePatch = makeMergePatch(ProjectPatch)

  /** Updates the `projectIds` of the properties that these projects (UUIDs) list now, or listed before. */
  const followLists = Effect.fnUntraced(function* (change: Change, uuids: ReadonlyArray<string>) {
    const written = yield* repo.findAll(change.actor.teamId, uuids)
    yield* allProperties.followLists(
      change,
      written.map(({ resource: { changeType, id, propertyIds } }) => ({
        projectId: id,
        propertyIds,
        event: eventOf(changeType)
      }))
    )
  })

  const kind: EditableKind<ProjectFields, ProjectRecord, ValidationFailed> &
    ReadableKind<ProjectRecord, ProjectListQuery> = {
    type: "project",
    needs: "broker",
    plural: "Projects",
    quota: "projects",
    blank,
    repo,
    context: Effect.fnUntraced(function* (change, wanted) {
      const { teamId } = change.actor
      const owners = yield* members.active(
        teamId,
        wanted.flatMap(({ ownerId }) => ownerId ?? [])
      )
      const uuids = wanted.flatMap(({ propertyIds }) => propertyIds.flatMap((id) => Id.toUuid("property", id) ?? []))
      return writeContextOf(
        new Set(owners.keys()),
        yield* allProperties.projectIdsOf(teamId, [...new Set(uuids)]),
        yield* repo.existingContacts(
          teamId,
          wanted.flatMap(({ sellerContactId }) => sellerContactId ?? [])
        )
      )
    }),
    decodeCreate: (document) => Effect.map(decodeCreate(document), fieldsOf),
    decodePatch: (document, current) => Effect.map(decodePatch(document, answerOf(current as ProjectRecord)), fieldsOf),
    rejectBody: ({ value }) => rejectionOf(value),
    normalize,
    toChangeRecord,
    denormalizedCopies: {
      members: ["propertyIds"],
      ofNew: true,
      update: followLists,
      // Projects are not deleted by the use-cases of records (deals/lifecycle/ProjectLifecycle.ts).
      removeDeleted: () => Effect.succeed("nothing" as const)
    }
  }

  const listRecords = yield* makeList(kind)
  const createRecord = yield* makeCreateRecord(kind)
  const patchRecord = yield* makePatchRecord(kind)
  const locked = yield* makeChangeLocked(kind)
  const purge = yield* makeTombstonePurge(repo)

  /** A page of the team's projects. */
  const list = Effect.fn("Projects.list")(function* (request: Pick<UseCaseRequest<ProjectListQuery>, "query">) {
    const page = yield* listRecords(request)
    return { ...page, data: page.data.map(answerOf) }
  })

  /** A page of the team's projects for people, the newest first; deleted ones as long as they can be restored. */
  const search = Effect.fn("Projects.search")(function* (
    wanted: ProjectSearch,
    { cursor, pageSize }: { readonly cursor: string | undefined; readonly pageSize: number }
  ) {
    const { teamId } = yield* authorize("broker")
    const { name, ownerId, state } = wanted
    const restorableSince = yield* daysAgo(restorable)
    const ownerUuid = ownerId === undefined ? undefined : (Id.toUuid("user", ownerId) ?? null)
    const page = yield* readPage({
      cursors,
      binding: { list: "projects-for-people", teamId, filters: { name, ownerId, state } },
      cursor,
      pageSize,
      fetch: (position, limit) =>
        repo.search(teamId, { name, ownerUuid, restorableSince, state }, timeAndId(position), limit),
      positionOf: ({ createdUtc, id }) => [createdUtc, Id.toUuid("project", id) ?? ""],
      toItem: (line) => line
    })
    const names = yield* members.names(page.data.flatMap(({ ownerId }) => ownerId ?? []))
    return {
      ...page,
      data: page.data.map((line) => ({ ...line, owner: line.ownerId === null ? undefined : names.get(line.ownerId) }))
    }
  })

  /** The names of the team's living projects, by id. */
  const namesOf = Effect.fn("Projects.namesOf")(function* (ids: ReadonlyArray<string>) {
    const { teamId } = yield* authorize("broker")
    const uuids = [...new Set(ids)].flatMap((id) => Id.toUuid("project", id) ?? [])
    const found = yield* repo.namesOf(teamId, uuids)
    return new Map([...found].map(([uuid, name]) => [Id.fromUuid("project", uuid) as string, name]))
  })

  /** Loads a living project. `actor` is authorized already. */
  const load = (actor: Actor, id: string) => byId("project", id, (uuid) => repo.find(actor.teamId, uuid))

  /** Loads a living project that the caller may read. */
  const authorizeRead = Effect.fn("Projects.authorizeRead")(function* (id: string) {
    const actor = yield* authorize("broker")
    return { actor, ...(yield* load(actor, id)) }
  })

  /** One project. */
  const get = Effect.fn("Projects.get")(function* (id: string) {
    return answerOf((yield* authorizeRead(id)).resource)
  })

  /** The living ones of these projects, by their UUIDs. */
  const byUuids = Effect.fn("Projects.byUuids")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    const stored = yield* repo.findAll(teamId, uuids)
    return new Map(
      stored.flatMap(({ deleted, resource, uuid }) => (deleted ? [] : [[uuid, answerOf(resource)] as const]))
    )
  })

  /** Adds a project. */
  const create = Effect.fn("Projects.create")(function* (request: UseCaseRequest<object>) {
    const actor = yield* CurrentActor
    const once = yield* createRecord(resolveMe(actor, request))
    return { ...once, value: answerOf(once.value) }
  })

  /** Changes members of a project; a patch that changes nothing leaves no trace. */
  const patch = Effect.fn("Projects.patch")(function* (id: string, request: UseCaseRequest<object>) {
    const actor = yield* CurrentActor
    return answerOf(yield* patchRecord(id, resolveMe(actor, request)))
  })

  /** The properties that are linked to a project. */
  const properties = Effect.fn("Projects.properties")(function* (
    id: string,
    request: Pick<UseCaseRequest<ProjectPropertiesQuery>, "query">
  ) {
    const { actor, resource, uuid } = yield* authorizeRead(id)
    const query = yield* request.query
    const uuids = resource.propertyIds.flatMap((property) => Id.toUuid("property", property) ?? [])
    const page: Page<Property> = yield* readPage({
      cursors,
      binding: { list: "project-properties", teamId: actor.teamId, filters: { project: uuid } },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (position, limit) => allProperties.listOf(actor.teamId, uuids, timeAndId(position), limit),
      positionOf: (property) => [property.resource.createdUtc, property.uuid],
      toItem: (property) => property.resource
    })
    return page
  })

  /** The timeline of a project, newest first. */
  const actions = Effect.fn("Projects.actions")(function* (
    id: string,
    request: Pick<UseCaseRequest<ProjectTimelineQuery>, "query">
  ) {
    const { actor, uuid } = yield* authorizeRead(id)
    return yield* timelines.read({ teamId: actor.teamId, type: "project", id: uuid }, yield* request.query, {
      rollUps: ["prospect", "room"]
    })
  })

  /** Locks a living project (UUID) for share: nobody writes it until the transaction of `change` ends. */
  const lockForShare = Effect.fn("Projects.lockForShare")(function* (change: Change, uuid: string) {
    return (yield* repo.lockForShare(change.actor.teamId, uuid)) ?? (yield* notFound)
  })

  /** Locks a living project (UUID): nobody reads it for a write, or writes it, until the transaction of `change` ends. */
  const lock = Effect.fn("Projects.lock")(function* (change: Change, uuid: string) {
    const [stored] = yield* locked.lock(change, [uuid])
    return stored === undefined || stored.deleted ? yield* notFound : stored
  })

  /** Records inside the transaction of `change` when the teaser of a project (UUID) was published, or that it no longer is. */
  const recordPublication = Effect.fn("Projects.recordPublication")(function* (
    change: Change,
    uuid: string,
    publishedUtc: string | null
  ) {
    yield* locked.patchLocked(change, [yield* lock(change, uuid)], () => ({ publishedUtc }))
  })

  const recordFirst = Effect.fnUntraced(function* (
    change: Change,
    uuid: string,
    member: "communicatedUtc" | "roomOpenedUtc"
  ) {
    const stored = yield* lock(change, uuid)
    if (stored.resource[member] !== null) return
    const at = change.at.toISOString()
    const patch = member === "communicatedUtc" ? { communicatedUtc: at } : { roomOpenedUtc: at }
    // `roomOpenedUtc` shows in the status only. Where the answer stays the same, so does the version.
    const isAnswered =
      member === "communicatedUtc" || statusOf({ ...stored.resource, ...patch }) !== stored.resource.status
    yield* isAnswered ? locked.patchLocked(change, [stored], () => patch) : repo.openRoom(change, uuid)
  })

  /**
   * Records inside the transaction of `change` that a teaser of a project (UUID) was communicated: with the first one, the
   * project is shared. Locks the project, so call it before prospects are locked.
   */
  const recordCommunication = Effect.fn("Projects.recordCommunication")((change: Change, uuid: string) =>
    recordFirst(change, uuid, "communicatedUtc")
  )

  /** As {@link recordCommunication}, that somebody got access to a room of the project: with the first one, it is open. */
  const recordRoomAccess = Effect.fn("Projects.recordRoomAccess")((change: Change, uuid: string) =>
    recordFirst(change, uuid, "roomOpenedUtc")
  )

  /** Releases the external references of a project (UUID) that the change deletes. */
  const releaseRefs = (change: Change, uuid: string) =>
    refs.replace({ teamId: change.actor.teamId, type: "project" }, [{ id: uuid, refs: [] }])

  /** Gives a project (UUID) that the change restores its references back; fails when another project has one of them. */
  const reclaimRefs = Effect.fnUntraced(function* (
    change: Change,
    uuid: string,
    externalRefs: ReadonlyArray<ExternalRef>
  ) {
    const owners = { teamId: change.actor.teamId, type: "project" } as const
    const [taken] = yield* refs.holders(owners, externalRefs)
    if (taken !== undefined) {
      return yield* ExternalReferenceTaken.of("project", taken, Id.fromUuid("project", taken.holder))
    }
    if (!(yield* refs.replace(owners, [{ id: uuid, refs: externalRefs }]))) {
      return yield* ConcurrencyConflict.of("project")
    }
  })

  /**
   * Who sells a project (UUID) that the change reopens or restores: see {@link sellerAfter}. A deleted contact sells it again when it is
   * restored.
   */
  const sellerOf = Effect.fnUntraced(function* (
    change: Change,
    uuid: string,
    project: Pick<ProjectRecord, "closedUtc" | "sellerContactId">
  ) {
    const { sellerContactId } = project
    if (sellerContactId === null) return null
    const seller = sellerAfter(project, yield* repo.survivorOf(change.actor.teamId, sellerContactId))
    if (seller === null) {
      const cause = Id.toUuid("contact", sellerContactId) ?? ""
      yield* deletedRecords.keepEffects(change, "project", [{ cause, uuid, fields: { sellerContactId } }])
    }
    return seller
  })

  /** Brings a project (UUID) that the change restores back to those of its properties that still exist, and to its seller. */
  const relink = Effect.fnUntraced(function* (change: Change, uuid: string) {
    const restored = yield* locked.lock(change, [uuid])
    const uuids = restored.flatMap(({ resource }) =>
      resource.propertyIds.flatMap((id) => Id.toUuid("property", id) ?? [])
    )
    const living = yield* allProperties.projectIdsOf(change.actor.teamId, uuids)
    const sellers = new Map(
      yield* Effect.forEach(restored, ({ resource, uuid: id }) =>
        Effect.map(sellerOf(change, id, resource), (seller) => [id, seller] as const)
      )
    )
    yield* locked.patchLocked(change, restored, ({ resource, uuid: id }) => ({
      propertyIds: resource.propertyIds.filter((property) => living.has(property)),
      sellerContactId: sellers.get(id) ?? null
    }))
    yield* followLists(change, [uuid])
  })

  return {
    list,
    search,
    namesOf,
    create,
    get,
    patch,
    properties,
    actions,
    load,
    authorizeRead,
    byUuids,
    lock,
    lockForShare,
    recordPublication,
    recordCommunication,
    recordRoomAccess,
    patchLocked: locked.patchLocked,
    followLists,
    relink,
    sellerOf,
    releaseRefs,
    reclaimRefs,
    purge
  }
})

/**
 * The use-cases of projects. They and `authorizeRead` need the `broker` capability; the others are for other modules, which have
 * authorized their caller, and `purge` is for a job.
 */
export class Projects extends Context.Service<Projects, Effect.Success<typeof make>>()("deals/projects/Projects") {
  static readonly layer = Layer.effect(Projects, make).pipe(
    Layer.provide([Members.layer, ProjectsRepo.layer, Properties.layer])
  )
}
