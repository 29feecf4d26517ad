/** Sends what waited for a webhook that became active, some at a time. */
import { Effect } from "effect"
import * as Task from "../../src/jobs/Task.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { resume as job } from "../../src/webhooks/deliveries/jobs.ts"

/** Does `webhooks/resume`. */
export const resume = Task.make(job, (payload) => Effect.flatMap(Deliveries, (deliveries) => deliveries.resumeSome(payload)))
