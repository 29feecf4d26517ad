/** Purges the tombstones of companies after the period that deltas cover. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Companies } from "../../src/network/companies/Companies.ts"
import { untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/companyTombstones", { payload: Schema.Struct({}) })

/** Implements `housekeeping/companyTombstones`. */
export const purgeCompanyTombstones = Task.inEachCell(job, () =>
  Effect.flatMap(Companies, ({ purge }) => untilEmpty(purge))
)
