/** Schedules the deliveries of a team whose next attempt is due. */
import { Effect } from "effect"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"
import { due as job } from "../../src/webhooks/deliveries/jobs.ts"

/** Implements `webhooks/due`. */
export const scheduleDueDeliveries = Task.make(job, (payload) =>
  Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.due(payload))
)
