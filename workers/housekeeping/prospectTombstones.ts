/** Removes prospects for good that were deleted longer ago than deltas reach back. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { Prospects } from "../../src/prospects/Prospects.ts"
import { stepByStep } from "./inBatches.ts"

const job = Job.make("housekeeping/prospectTombstones", { payload: Schema.Struct({}) })

/** Does `housekeeping/prospectTombstones`. */
export const prospectTombstones = Task.make(job, () => Effect.flatMap(Prospects, ({ purge }) => stepByStep(purge)))
