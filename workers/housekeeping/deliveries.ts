/** Purges deliveries, with their attempts, after their retention period. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"

const job = Job.make("housekeeping/deliveries", { payload: Schema.Struct({}) })

/** Implements `housekeeping/deliveries`. */
export const purgeDeliveries = Task.inEachCell(job, () =>
  Effect.flatMap(Deliveries, (deliveries) => deliveries.purge())
)
