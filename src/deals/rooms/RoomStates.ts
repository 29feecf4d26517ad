/** Writes the states of locked rooms inside a running change, with their rows and events. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { type RoomEvent, roomRecord, timesAfter } from "./rules.ts"
import type { RoomStatus } from "../access/Access.ts"
import { type RoomRow, RoomsRepo } from "./RoomsRepo.ts"

const rowEvents = {
  draft: "room.updated",
  open: "room.reopened",
  winding_down: "room.winding_down",
  closed: "room.closed"
} as const satisfies { readonly [to in RoomStatus]: string }

const make = Effect.map(RoomsRepo, (repo) => ({
  /** What an event does to rooms; returns those whose state it changes. */
  move: Effect.fn("RoomStates.move")(function* (change: Change, rooms: ReadonlyArray<RoomRow>, event: RoomEvent) {
    const moved = rooms.flatMap((room) => {
      const times = timesAfter(room, event, change.at)
      return times === undefined ? [] : [{ ...room, ...times }]
    })
    yield* repo.move(change, moved)
    for (const room of moved) change.record(roomRecord(room, rowEvents[room.status]))
    return moved
  })
}))

/** Writes the states of rooms. */
export class RoomStates extends Context.Service<RoomStates, Effect.Success<typeof make>>()("deals/rooms/RoomStates") {
  static readonly layer = Layer.effect(RoomStates, make)
}
