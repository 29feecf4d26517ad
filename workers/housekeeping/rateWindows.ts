/** Purges the counters of rate-limit windows that closed long ago. */
import { Effect, Schema } from "effect"
import { Authentication } from "../../src/core/auth/Authentication.ts"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/rateWindows", { payload: Schema.Struct({}) })

/** Implements `housekeeping/rateWindows`. */
export const purgeRateWindows = Task.make(job, () =>
  Effect.flatMap(Authentication, ({ purgeRateWindows }) => inBatches(purgeRateWindows))
)
