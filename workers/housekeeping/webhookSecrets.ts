/** Re-encrypts the secrets of webhooks that are not sealed under the current secret key. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Reencryption } from "../../src/webhooks/endpoints/Reencryption.ts"

const job = Job.make("housekeeping/webhookSecrets", { payload: Schema.Struct({}) })

/** Implements `housekeeping/webhookSecrets`. */
export const reencryptWebhookSecrets = Task.make(job, () =>
  Effect.flatMap(Reencryption, (reencryption) => Effect.asVoid(reencryption.run()))
)
