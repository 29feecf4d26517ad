/** Finds fan-outs, resumptions and deliveries that have lost their jobs. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"

const job = Job.make("webhooks/reconcile", { payload: Schema.Struct({}) })

/** Implements `webhooks/reconcile`. */
export const reconcileWebhooks = Task.make(job, () =>
  Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.reconcile())
)
