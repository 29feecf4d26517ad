/** Makes the held deliveries of a webhook due after its activation, in batches. */
import { Effect } from "effect"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"
import { resume as job } from "../../src/webhooks/endpoints/jobs.ts"

/** Implements `webhooks/resume`. */
export const resumeDeliveries = Task.make(job, (payload) =>
  Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.resumeSome(payload))
)
