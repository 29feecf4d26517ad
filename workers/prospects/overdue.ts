/** Marks prospects whose next task became overdue, so that deltas list them. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { Overdue } from "../../src/prospects/Overdue.ts"
import { stepByStep } from "../housekeeping/inBatches.ts"

const job = Job.make("prospects/overdue", { payload: Schema.Struct({}) })

/** Does `prospects/overdue`. */
export const overdue = Task.make(job, () => Effect.flatMap(Overdue, ({ markOverdue }) => stepByStep(markOverdue)))
