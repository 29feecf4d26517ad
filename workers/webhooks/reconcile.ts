/** Finds fan-outs, resumptions and deliveries that have lost their jobs, and webhooks that became failing. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { WebhookHealth } from "../../src/webhooks/endpoints/WebhookHealth.ts"
import { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"

const job = Job.make("webhooks/reconcile", { payload: Schema.Struct({}) })

/** Implements `webhooks/reconcile`. */
export const reconcileWebhooks = Task.inEachCell(job, () =>
  Effect.andThen(
    Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.reconcile()),
    Effect.flatMap(WebhookHealth, (health) => health.watch())
  )
)
