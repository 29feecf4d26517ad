/** Opens and closes rooms (docs/behaviour/rooms.md#states). */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as TeamParts from "../../core/TeamParts.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import { systemOf } from "../../core/auth/CurrentActor.ts"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import { Projects } from "../projects/Projects.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { all } from "../../core/usecase/Input.ts"
import { ConcurrencyConflict } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { roomRecord, stateAt } from "./rules.ts"
import { RoomOpen, RoomRefused } from "./Room.ts"
import { usualAccess, windingDownDays } from "../access/Access.ts"
import { Rooms } from "./Rooms.ts"
import { RoomsRepo } from "./RoomsRepo.ts"
import { RoomStates } from "./RoomStates.ts"

const decodeOpen = UnvalidatedJson.decoder(RoomOpen)

const projectClosed = new RoomRefused({ detail: "The project is closed. Reopen it to open a room." })

const make = Effect.gen(function* () {
  const repo = yield* RoomsRepo
  const rooms = yield* Rooms
  const projects = yield* Projects
  const states = yield* RoomStates
  const changes = yield* Changes
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  /** Opens a new room of a project that is not closed. */
  const open = Effect.fn("RoomMoves.open")((projectId: string, request: UseCaseRequest) =>
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
            const opened = yield* Effect.orDie(rooms.lock(change, room))
            return yield* rooms.answerFor(opened, change.at)
          })
        )
    })
  )

  /** Closes a room: access to it ends. A closed room stays as it is. */
  const close = Effect.fn("RoomMoves.close")((roomId: string, request: Pick<UseCaseRequest, "query">) =>
    mutation.changeLatest({
      authorize: "broker",
      load: (actor) => rooms.find(actor, roomId),
      decide: ({ loaded }) => Effect.as(request.query, loaded.status === "closed" ? null : ("close" as const)),
      lock: (change, { loaded }) =>
        projects.lockForShare(change, loaded.projectUuid).pipe(
          Effect.mapError(() => ConcurrencyConflict.of("project")),
          Effect.andThen(rooms.lock(change, loaded))
        ),
      commit: (change, { decision, loaded }) =>
        Effect.andThen(
          states.move(change, [loaded], decision),
          Effect.flatMap(Effect.orDie(rooms.lock(change, loaded)), (closed) => rooms.answerFor(closed, change.at))
        ),
      answer: ({ committed, loaded }) =>
        committed === undefined
          ? Effect.flatMap(now, (moment) => rooms.answerFor(loaded, moment))
          : Effect.succeed(committed)
    })
  )

  /** Closes at most `limit` rooms that have wound down, for a job, and returns how many. Reads follow the clock without it, and a team's failure does not stop the others. */
  const closeWoundDown = Effect.fn("RoomMoves.closeWoundDown")(function* (limit: number) {
    const before = yield* daysAgo(windingDownDays)
    const close = Effect.fnUntraced(function* (change: Change, uuids: ReadonlyArray<string>) {
      const locked = yield* repo.lockAll(change, uuids)
      // The clock of changes may be behind that of the job.
      const over = locked.filter((room) => stateAt(room, change.at).status !== room.status)
      return (yield* states.move(change, over, "time_passed")).length
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

  return { open, close, closeWoundDown }
})

/** Opens and closes rooms. The use-cases need the `broker` capability; `closeWoundDown` is for a job. */
export class RoomMoves extends Context.Service<RoomMoves, Effect.Success<typeof make>>()("deals/rooms/RoomMoves") {
  static readonly layer = Layer.effect(RoomMoves, make)
}
