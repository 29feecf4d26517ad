/** Records access to rooms that has expired, and closes rooms that have wound down. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { AccessLifecycle } from "../../src/deals/lifecycle/AccessLifecycle.ts"
import { RoomMoves } from "../../src/deals/rooms/RoomMoves.ts"
import { each, untilEmpty } from "../housekeeping/inBatches.ts"

const job = Job.make("rooms/ends", { payload: Schema.Struct({}) })

/** Implements `rooms/ends`. */
export const recordRoomEnds = Task.inEachCell(job, () =>
  Effect.gen(function* () {
    const { expire } = yield* AccessLifecycle
    const { closeWoundDown } = yield* RoomMoves
    yield* each(untilEmpty(expire), untilEmpty(closeWoundDown))
  })
)
