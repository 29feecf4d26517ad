/** Purges events after their retention period, with their numbers in the journal. */
import { Effect, Schema } from "effect"
import { Journal } from "../../src/journal/Journal.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/events", { payload: Schema.Struct({}) })

/** Implements `housekeeping/events`. */
export const purgeEvents = Task.inEachCell(job, () => Effect.flatMap(Journal, ({ purge }) => inBatches(purge)))
