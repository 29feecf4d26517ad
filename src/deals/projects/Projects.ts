/** The use-cases of projects, except their lifecycle (deals/lifecycle/ProjectLifecycle.ts). */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { type Actor, authorize, CurrentActor } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import type { ProjectTimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { byId, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Cursors, defaultPageSize, type Page, read as readPage, timeAndId } from "../../core/usecase/Page.ts"
import { NotFound } from "../../core/usecase/Problem.ts"
import { resolveMe } from "../../identity/teams/Teams.ts"
import { Properties } from "../../market/properties/Properties.ts"
import type { Property } from "../../market/properties/Property.ts"
import type { ProjectListQuery, ProjectPropertiesQuery } from "./Project.ts"
import { ProjectRecords } from "./ProjectRecords.ts"
import { ProjectsRepo } from "./ProjectsRepo.ts"
import { answerOf, statusOf } from "./rules.ts"

const notFound = new NotFound({ detail: "There is no project with this id." })

const make = Effect.gen(function* () {
  const repo = yield* ProjectsRepo
  const records = yield* ProjectRecords
  const cursors = yield* Cursors
  const timelines = yield* Timelines
  const listed = yield* Properties

  /** A page of the team's projects. */
  const list = Effect.fn("Projects.list")(function* (request: Pick<UseCaseRequest<ProjectListQuery>, "query">) {
    const page = yield* records.list(request)
    return { ...page, data: page.data.map(answerOf) }
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
    const once = yield* records.create(resolveMe(actor, request))
    return { ...once, value: answerOf(once.value) }
  })

  /** Changes members of a project; a patch that changes nothing leaves no trace. */
  const patch = Effect.fn("Projects.patch")(function* (id: string, request: UseCaseRequest<object>) {
    const actor = yield* CurrentActor
    return answerOf(yield* records.patch(id, resolveMe(actor, request)))
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
      fetch: (position, limit) => listed.listOf(actor.teamId, uuids, timeAndId(position), limit),
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
    const [stored] = yield* records.lock(change, [uuid])
    return stored === undefined || stored.deleted ? yield* notFound : stored
  })

  /** Records inside the transaction of `change` when the teaser of a project (UUID) was published, or that it no longer is. */
  const recordPublication = Effect.fn("Projects.recordPublication")(function* (
    change: Change,
    uuid: string,
    publishedUtc: string | null
  ) {
    yield* records.patchLocked(change, [yield* lock(change, uuid)], () => ({ publishedUtc }))
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
    yield* isAnswered ? records.patchLocked(change, [stored], () => patch) : repo.openRoom(change, uuid)
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

  return {
    list,
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
    recordRoomAccess
  }
})

/**
 * The use-cases of projects. They need the `broker` capability; `load`, `byUuids`, `lock`, `lockForShare`,
 * `recordPublication`, `recordCommunication` and `recordRoomAccess` are for other modules, which have authorized their caller.
 */
export class Projects extends Context.Service<Projects, Effect.Success<typeof make>>()("deals/projects/Projects") {
  static readonly layer = Layer.effect(Projects, make)
}
