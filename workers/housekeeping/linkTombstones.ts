/** Purges the tombstones of links after the period that deltas cover. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Links } from "../../src/network/links/Links.ts"
import { untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/linkTombstones", { payload: Schema.Struct({}) })

/** Implements `housekeeping/linkTombstones`. */
export const purgeLinkTombstones = Task.inEachCell(job, () => Effect.flatMap(Links, ({ purge }) => untilEmpty(purge)))
