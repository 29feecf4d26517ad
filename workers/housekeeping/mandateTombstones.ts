/** Purges the tombstones of mandates after the period that deltas cover. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Mandates } from "../../src/market/mandates/Mandates.ts"
import { untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/mandateTombstones", { payload: Schema.Struct({}) })

/** Implements `housekeeping/mandateTombstones`. */
export const purgeMandateTombstones = Task.inEachCell(job, () =>
  Effect.flatMap(Mandates, ({ purge }) => untilEmpty(purge))
)
