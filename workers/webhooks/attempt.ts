/** Sees to deliveries of which the version before promised an attempt. */
import { Effect } from "effect"
import * as Task from "../../src/jobs/Task.ts"
import { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"
import { attempt as job } from "../../src/webhooks/deliveries/jobs.ts"

/** Does `webhooks/attempt`. */
export const attempt = Task.make(job, (payload) =>
  Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.attempt(payload))
)
