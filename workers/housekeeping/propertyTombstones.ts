/** Purges the tombstones of properties after the period that deltas cover. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Properties } from "../../src/market/properties/Properties.ts"
import { untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/propertyTombstones", { payload: Schema.Struct({}) })

/** Implements `housekeeping/propertyTombstones`. */
export const purgePropertyTombstones = Task.inEachCell(job, () =>
  Effect.flatMap(Properties, ({ purge }) => untilEmpty(purge))
)
