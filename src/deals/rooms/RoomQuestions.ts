/**
 * The operations on questions that rooms need. The module of questions imports this one, so they are declared here and implemented
 * there (`questions/RoomCascades.ts`).
 */
import { Context, type Effect } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { RoomQa } from "./Room.ts"

/** Operations on the questions of rooms. Ids are UUIDs. */
export class RoomQuestions extends Context.Service<
  RoomQuestions,
  {
    /** The `qa` block of a room at a time. */
    readonly qaOf: (teamId: string, roomUuid: string, now: Date) => Effect.Effect<RoomQa>
    /** Deletes the questions of a project's rooms. They keep their content, so that the project can be restored. */
    readonly deleteAll: (change: Change, projectUuid: string) => Effect.Effect<void>
    /** Brings back the questions that were deleted with the project. */
    readonly restoreAll: (change: Change, projectUuid: string) => Effect.Effect<void>
    /** Gives the questions of prospects that are merged to those that they become. */
    readonly moveAsked: (
      change: Change,
      moves: ReadonlyArray<{ readonly from: string; readonly to: string }>
    ) => Effect.Effect<void>
  }
>()("deals/rooms/RoomQuestions") {}
