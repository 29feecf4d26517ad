/** Purges ended subscriptions, deleted webhooks without deliveries, and counters of the days before. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Webhooks } from "../../src/webhooks/endpoints/Webhooks.ts"
import { WebhookHealth } from "../../src/webhooks/endpoints/WebhookHealth.ts"
import { each, untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/webhooks", { payload: Schema.Struct({}) })

/** Implements `housekeeping/webhooks`. Subscriptions come first, because a webhook is purged after its own. */
export const purgeWebhooks = Task.inEachCell(job, () =>
  Effect.flatMap(Webhooks, ({ purge, purgeSubscriptions }) =>
    each(
      untilEmpty(purgeSubscriptions),
      untilEmpty(purge),
      Effect.flatMap(WebhookHealth, (health) => health.purge())
    )
  )
)
