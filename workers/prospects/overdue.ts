/** Marks prospects whose next task became overdue, so that deltas list them. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Overdue } from "../../src/deals/prospects/Overdue.ts"
import { untilEmpty } from "../housekeeping/inBatches.ts"

const job = Job.make("prospects/overdue", { payload: Schema.Struct({}) })

/** Implements `prospects/overdue`. */
export const markOverdueProspects = Task.inEachCell(job, () =>
  Effect.flatMap(Overdue, ({ markOverdue }) => untilEmpty(markOverdue))
)
