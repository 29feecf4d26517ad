/** The use-cases of rooms: reads, opening and closing; and how other use-cases load, lock and move one (docs/behaviour/rooms.md). */
import * as Id from "../../core/Id.ts"
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as TeamParts from "../../core/TeamParts.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import { type Actor, authorize, systemOf } from "../../core/auth/CurrentActor.ts"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import { Projects } from "../projects/Projects.ts"
import type { Stage } from "../teasers/Teaser.ts"
import { Teasers } from "../teasers/Teasers.ts"
import { byId, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../../core/usecase/Page.ts"
import { ConcurrencyConflict, NotFound } from "../../core/usecase/Problem.ts"
import { AccessRepo } from "../access/AccessRepo.ts"
import { accessStateAt } from "../access/rules.ts"
import { DocumentsRepo, type RoomRow, RoomsRepo, type StoredRoom } from "./RoomsRepo.ts"
import { isReadable, type RoomEvent, roomRecord, type RoomRef, stateAt, timesAfter } from "./rules.ts"
import { type Room, type RoomDetails, type RoomListQuery, RoomOpen, RoomRefused, type RoomSummary } from "./Room.ts"
import { toQa } from "./questions/rules.ts"
import { QaRepo, QuestionsRepo } from "./questions/QuestionsRepo.ts"
import { type RoomStatus, usualAccess, windingDownDays } from "../access/Access.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { all } from "../../core/usecase/Input.ts"

/** A room with the stage of its teaser. */
interface PresentedRoom extends StoredRoom {
  readonly teaserStage: Stage
}

const staged =
  (stages: ReadonlyMap<string, Stage>) =>
  (stored: StoredRoom): PresentedRoom => ({ ...stored, teaserStage: stages.get(stored.uuid) ?? "property_added" })

/** The answer for a room at a moment. */
const toRoom = (stored: PresentedRoom, now: Date): Room => {
  const { closedAt, status } = stateAt(stored, now)
  const { audit, teaserStage } = stored
  const state = status === stored.status ? "" : `-${status}`
  return {
    id: Id.fromUuid("room", stored.uuid),
    projectId: Id.fromUuid("project", stored.projectUuid),
    name: stored.name,
    status,
    openedUtc: stored.openedAt?.toISOString() ?? null,
    closedUtc: closedAt?.toISOString() ?? null,
    ndaRequired: stored.ndaRequired,
    defaultAccess: stored.defaultAccess,
    memberCount: isReadable(status) ? stored.memberCount : 0,
    documentCount: stored.documentCount,
    openQuestionCount: stored.openQuestionCount,
    teaserStage,
    ...audit,
    // Access ends with time, and names of members and teasers change without a new version of the room.
    etag: audit.etag.replace(/"$/, `-${stored.contentVersion}${state}-${teaserStage}"`)
  }
}

const rowEvents = {
  draft: "room.updated",
  open: "room.reopened",
  winding_down: "room.winding_down",
  closed: "room.closed"
} as const satisfies { readonly [to in RoomStatus]: string }

const decodeOpen = UnvalidatedJson.decoder(RoomOpen)

const projectClosed = new RoomRefused({ detail: "The project is closed. Reopen it to open a room." })

/** How many rooms of a project a prospect's access is shown for: the first ones. */
const maxRooms = 20

const make = Effect.gen(function* () {
  const repo = yield* RoomsRepo
  const access = yield* AccessRepo
  const documents = yield* DocumentsRepo
  const projects = yield* Projects
  const cursors = yield* Cursors
  const questions = yield* QuestionsRepo
  const settings = yield* QaRepo
  const teasers = yield* Teasers
  const changes = yield* Changes
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  /** Rooms of one project with the stages of their teasers. */
  const withStages = Effect.fnUntraced(function* (rooms: ReadonlyArray<StoredRoom>) {
    const [first] = rooms
    if (first === undefined) return []
    const uuids = rooms.map(({ uuid }) => uuid)
    const stages = yield* teasers.stagesOfRooms(first.teamId, first.projectUuid, uuids)
    return rooms.map(staged(stages))
  })

  /** The answer for a room at a moment. */
  const answerFor = Effect.fn("Rooms.answerFor")(function* (stored: StoredRoom, moment: Date) {
    const stages = yield* teasers.stagesOfRooms(stored.teamId, stored.projectUuid, [stored.uuid])
    return toRoom(staged(stages)(stored), moment)
  })

  /** A page of a project's rooms. */
  const list = Effect.fn("Rooms.list")(function* (
    projectId: string,
    request: Pick<UseCaseRequest<RoomListQuery>, "query">
  ) {
    const { actor, uuid: projectUuid } = yield* projects.authorizeRead(projectId)
    const query = yield* request.query
    const moment = yield* now
    return yield* readPage({
      cursors,
      binding: { list: "rooms", teamId: actor.teamId, filters: { project: projectUuid } },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (position, limit) =>
        Effect.flatMap(
          repo.list(actor.teamId, projectUuid, { after: timeAndId(position), limit, now: moment }),
          withStages
        ),
      positionOf: ({ audit, uuid }) => [audit.createdUtc, uuid],
      toItem: (stored) => toRoom(stored, moment)
    })
  })

  /** The names of the team's rooms, by id. */
  const namesOf = Effect.fn("Rooms.namesOf")(function* (ids: ReadonlyArray<string>) {
    const { teamId } = yield* authorize("broker")
    const uuids = [...new Set(ids)].flatMap((id) => Id.toUuid("room", id) ?? [])
    return yield* repo.namesOf(teamId, uuids)
  })

  /** The access that a prospect has, had, or can have: the rooms of its project that are open, and those that it had access to. */
  const accessOf = Effect.fn("Rooms.accessOf")(function* (projectId: string, prospectId: string) {
    const { actor, uuid: projectUuid } = yield* projects.authorizeRead(projectId)
    const moment = yield* now
    const rooms = yield* repo.firstOf(actor.teamId, projectUuid, maxRooms)
    const prospectUuid = Id.toUuid("prospect", prospectId)
    const accesses = prospectUuid === undefined ? [] : yield* access.ofProspects(actor.teamId, [prospectUuid])
    return rooms.map(({ name, status, uuid }) => {
      const own = accesses.find(({ roomUuid }) => roomUuid === uuid)
      return {
        roomId: Id.fromUuid("room", uuid),
        name,
        status,
        state: accessStateAt(own, moment),
        expiresUtc: own?.expiresAt?.toISOString() ?? null
      }
    })
  })

  /** Loads a room by its id alone. `actor` is authorized already. */
  const find = Effect.fn("Rooms.find")(function* (actor: Actor, id: string) {
    return yield* byId("room", id, (uuid) => repo.find(actor.teamId, uuid))
  })

  /** A room that was found, with the numbers of what is in it. */
  const counted = Effect.fnUntraced(function* ({ teamId, uuid }: Pick<RoomRow, "teamId" | "uuid">, moment: Date) {
    return yield* Effect.flatMap(repo.findCounted(teamId, uuid, moment), (room) =>
      room === undefined ? new NotFound({ detail: "There is no room with this id." }) : Effect.succeed(room)
    )
  })

  /** As {@link find}, with the numbers of what is in it. */
  const findCounted = Effect.fnUntraced(function* (actor: Actor, id: string) {
    return yield* counted(yield* find(actor, id), yield* now)
  })

  /** The ids of a room and of its project, for callers who are given the room's alone. */
  const locate = Effect.fn("Rooms.locate")(function* (roomId: string) {
    const { projectUuid } = yield* find(yield* authorize("broker"), roomId)
    return { projectId: Id.fromUuid("project", projectUuid), roomId }
  })

  /** Loads a room of a project. `actor` is authorized already. */
  const load = Effect.fn("Rooms.load")(function* (actor: Actor, projectId: string, id: string) {
    const { uuid: projectUuid } = yield* projects.load(actor, projectId)
    return yield* byId("room", id, (uuid) =>
      Effect.map(repo.find(actor.teamId, uuid), (room) => (room?.projectUuid === projectUuid ? room : undefined))
    )
  })

  /** What a room's answer has besides its documents. */
  const summaryOf = Effect.fn("Rooms.summaryOf")(function* (stored: StoredRoom, moment: Date) {
    const qa = toQa(
      yield* settings.settingsOf(stored.teamId, stored.uuid),
      yield* questions.counts(stored.teamId, stored.uuid, moment)
    )
    const members = yield* access.members(stored.teamId, stored.uuid, moment)
    const room = yield* answerFor(stored, moment)
    const summary: RoomSummary = {
      ...room,
      // Questions become overdue with time.
      etag: qa.overdue === 0 ? room.etag : room.etag.replace(/"$/, `-${qa.overdue}-overdue"`),
      qa,
      members: members.map(({ expiresAt, grantedAt, name, prospectUuid }) => ({
        prospectId: Id.fromUuid("prospect", prospectUuid),
        name,
        grantedUtc: grantedAt.toISOString(),
        accessExpiryUtc: expiresAt?.toISOString() ?? null
      }))
    }
    return summary
  })

  /** One room. */
  const get = Effect.fn("Rooms.get")(function* (projectId: string, id: string) {
    const actor = yield* authorize("broker")
    const moment = yield* now
    const stored = yield* counted(yield* load(actor, projectId, id), moment)
    const summary = yield* summaryOf(stored, moment)
    const details: RoomDetails = { ...summary, documents: yield* documents.list(actor.teamId, stored.uuid) }
    return details
  })

  /** One room without its documents, which may be many, by its id alone. */
  const summary = Effect.fn("Rooms.summary")(function* (id: string) {
    const actor = yield* authorize("broker")
    return yield* summaryOf(yield* findCounted(actor, id), yield* now)
  })

  /**
   * Locks a room until the change ends, and returns its latest state. Writers lock the project and prospects before, and what is in the
   * room afterwards.
   */
  const lock = Effect.fn("Rooms.lock")(function* (change: Change, { uuid }: Pick<RoomRef, "uuid">) {
    return (yield* repo.lock(change, uuid)) ?? (yield* ConcurrencyConflict.of("room"))
  })

  /** As {@link lock}, for changes that do not load the room again: one that was deleted in the meantime is not found. */
  const lockLiving = (change: Change, room: Pick<RoomRef, "uuid">) =>
    Effect.mapError(lock(change, room), () => new NotFound({ detail: "There is no room with this id." }))

  /** Adds to the number of open questions of a locked room, which makes its next version. */
  const addOpenQuestions = (change: Change, { uuid }: Pick<RoomRef, "uuid">, delta: number) =>
    repo.addOpenQuestions(change, uuid, delta)

  /** Makes the next version of a locked room, because of what is in it. */
  const touch = (change: Change, { uuid }: Pick<RoomRef, "uuid">) => repo.addOpenQuestions(change, uuid, 0)

  /** The prospects (UUIDs) that can read a room at a time. */
  const membersOf = Effect.fn("Rooms.membersOf")(function* (teamId: string, roomUuid: string, moment: Date) {
    return (yield* access.members(teamId, roomUuid, moment)).map(({ prospectUuid }) => prospectUuid)
  })

  /** By which prospect of a broker a caller can read a room as an investor; undefined if they cannot. `actor` is authorized already. */
  const asInvestor = Effect.fn("Rooms.asInvestor")(function* (actor: Actor, roomId: string, moment: Date) {
    const roomUuid = Id.toUuid("room", roomId)
    return roomUuid === undefined ? undefined : yield* access.readerOf(actor.teamId, roomUuid, moment)
  })

  /** What an event does to locked rooms, with their rows and events; returns those whose state it changes. */
  const move = Effect.fn("Rooms.move")(function* (change: Change, locked: ReadonlyArray<RoomRow>, event: RoomEvent) {
    const moved = locked.flatMap((room) => {
      const times = timesAfter(room, event, change.at)
      return times === undefined ? [] : [{ ...room, ...times }]
    })
    yield* repo.move(change, moved)
    for (const room of moved) change.record(roomRecord(room, rowEvents[room.status]))
    return moved
  })

  /** Opens a new room of a project that is not closed. */
  const open = Effect.fn("Rooms.open")((projectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => projects.load(actor, projectId),
      decide: ({ body }) =>
        Effect.map(all(request.query, decodeOpen(body), request.idempotencyKey), ([, input, key]) => ({ input, key })),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const { uuid: projectUuid } = creation.loaded
            const { resource } = yield* projects.lockForShare(change, projectUuid)
            if (resource.closedUtc !== null) return yield* projectClosed
            yield* quotas.require(change.actor.teamId, "rooms")
            const { defaultAccess = usualAccess, name, ndaRequired = false } = creation.decision.input
            const room = { uuid: yield* change.newId, projectUuid, name, ndaRequired, defaultAccess }
            yield* repo.insert(change, room)
            change.record(roomRecord(room, "room.opened", { change: "created" }))
            const opened = yield* Effect.orDie(counted({ teamId: change.actor.teamId, uuid: room.uuid }, change.at))
            return yield* answerFor(opened, change.at)
          })
        )
    })
  )

  /** Closes a room: access to it ends. A closed room stays as it is. */
  const close = Effect.fn("Rooms.close")((roomId: string, request: Pick<UseCaseRequest, "query">) =>
    mutation.changeLatest({
      authorize: "broker",
      load: (actor) => findCounted(actor, roomId),
      decide: ({ loaded }) => Effect.as(request.query, loaded.status === "closed" ? null : ("close" as const)),
      lock: (change, { loaded }) =>
        projects.lockForShare(change, loaded.projectUuid).pipe(
          Effect.mapError(() => ConcurrencyConflict.of("project")),
          Effect.andThen(lock(change, loaded)),
          Effect.andThen(Effect.orDie(counted(loaded, change.at)))
        ),
      commit: (change, { decision, loaded }) =>
        Effect.andThen(
          move(change, [loaded], decision),
          Effect.flatMap(Effect.orDie(counted(loaded, change.at)), (closed) => answerFor(closed, change.at))
        ),
      answer: ({ committed, loaded }) =>
        committed === undefined ? Effect.flatMap(now, (moment) => answerFor(loaded, moment)) : Effect.succeed(committed)
    })
  )

  /**
   * Closes at most `limit` rooms that have wound down, for a job, and returns how many. Reads follow the clock without it, and a team's
   * failure does not stop the others.
   */
  const closeWoundDown = Effect.fn("Rooms.closeWoundDown")(function* (limit: number) {
    const before = yield* daysAgo(windingDownDays)
    const close = Effect.fnUntraced(function* (change: Change, uuids: ReadonlyArray<string>) {
      const locked = yield* repo.lockAll(change, uuids)
      // The clock of changes may be behind that of the job.
      const over = locked.filter((room) => stateAt(room, change.at).status !== room.status)
      return (yield* move(change, over, "time_passed")).length
    })
    return yield* TeamParts.runParts("Closing rooms that have wound down", (failed) =>
      Effect.map(repo.due(before, { limit, failed }), (due) =>
        TeamParts.byTeam(
          due,
          (room) => room.teamId,
          (teamId, ofTeam) =>
            changes.commit(systemOf(teamId), (change) =>
              close(
                change,
                ofTeam.map(({ uuid }) => uuid)
              )
            )
        )
      )
    )
  })

  return {
    list,
    get,
    summary,
    open,
    close,
    closeWoundDown,
    locate,
    namesOf,
    accessOf,
    answerFor,
    find,
    load,
    lock,
    lockLiving,
    move,
    touch,
    addOpenQuestions,
    membersOf,
    asInvestor
  }
})

/**
 * Reads, opens and closes rooms. `list`, `get`, `locate`, `open` and `close` need the `broker` capability; `closeWoundDown` is for a job,
 * and the others are for use-cases that have authorized their caller.
 */
export class Rooms extends Context.Service<Rooms, Effect.Success<typeof make>>()("deals/rooms/Rooms") {
  static readonly layer = Layer.effect(Rooms, make).pipe(
    Layer.provide([
      AccessRepo.layer,
      DocumentsRepo.layer,
      Projects.layer,
      QaRepo.layer,
      QuestionsRepo.layer,
      RoomsRepo.layer,
      Teasers.layer
    ])
  )
}
