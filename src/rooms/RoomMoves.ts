/** Opens and closes rooms (docs/behaviour/rooms.md#states). */
import { Context, Effect, Layer } from "effect"
import * as Mutation from "../changes/Mutation.ts"
import { Projects } from "../projects/Projects.ts"
import { all } from "../usecase/Input.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { roomRecord } from "./entries.ts"
import { RoomOpen, RoomRefused, usualAccess } from "./Room.ts"
import { Rooms, toRoom } from "./Rooms.ts"
import { RoomsRepo } from "./RoomsRepo.ts"

const decodeOpen = UnvalidatedJson.decoder(RoomOpen)

const projectClosed = new RoomRefused({ detail: "The project is closed. Reopen it to open a room." })

const make = Effect.gen(function* () {
  const repo = yield* RoomsRepo
  const rooms = yield* Rooms
  const projects = yield* Projects
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
            const { defaultAccess = usualAccess, name, ndaRequired = false } = creation.decision.input
            const room = { uuid: yield* change.newId, projectUuid, name, ndaRequired, defaultAccess }
            yield* repo.insert(change, room)
            change.record(roomRecord(room, "room.opened", { change: "created" }))
            return toRoom(yield* Effect.orDie(rooms.lock(change, room)), change.at)
          })
        )
    })
  )

  return { open }
})

/** Opens and closes rooms. The use-cases need the `broker` capability. */
export class RoomMoves extends Context.Service<RoomMoves, Effect.Success<typeof make>>()("rooms/RoomMoves") {
  static readonly layer = Layer.effect(RoomMoves, make)
}
