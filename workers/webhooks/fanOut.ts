/** Creates the deliveries of the events of one committed transaction. */
import { Effect } from "effect"
import { fanOut as job } from "../../src/core/mutation/jobs.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"

/** Implements `webhooks/fanOut`. */
export const fanOut = Task.make(job, (transaction) =>
  Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.fanOut(transaction))
)
