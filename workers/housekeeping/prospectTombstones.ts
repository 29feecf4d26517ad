/** Purges the tombstones of prospects after the period that deltas cover. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Removals } from "../../src/deals/prospects/Removals.ts"
import { untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/prospectTombstones", { payload: Schema.Struct({}) })

/** Implements `housekeeping/prospectTombstones`. */
export const purgeProspectTombstones = Task.inEachCell(job, () =>
  Effect.flatMap(Removals, ({ purge }) => untilEmpty(purge))
)
