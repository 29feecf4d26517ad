/** Removes subscriptions that ended long ago, and deleted webhooks whose deliveries are gone. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { Webhooks } from "../../src/webhooks/endpoints/Webhooks.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/webhooks", { payload: Schema.Struct({}) })

/** Does `housekeeping/webhooks`: the subscriptions first, since a webhook can go only when all of its own are gone. */
export const webhooks = Task.make(job, () =>
  Effect.flatMap(Webhooks, ({ purge, purgeSubscriptions }) =>
    Effect.andThen(inBatches(purgeSubscriptions), inBatches(purge))
  )
)
