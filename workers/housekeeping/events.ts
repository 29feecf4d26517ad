/** Purges events after their retention period, with their numbers in the journal. */
import { Effect, Schema } from "effect"
import { Journal } from "../../src/webhooks/changes/Journal.ts"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/events", { payload: Schema.Struct({}) })

/** Implements `housekeeping/events`. */
export const purgeEvents = Task.inEachCell(job, () => Effect.flatMap(Journal, ({ purge }) => inBatches(purge)))
