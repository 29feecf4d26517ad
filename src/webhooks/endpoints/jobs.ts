/** The jobs of webhooks, implemented in `workers/tasks.ts`. */
import { Schema } from "effect"
import * as Job from "../../platform/jobs/Job.ts"

/** Makes the held deliveries of a webhook due after its activation, in batches. */
export const resume = Job.make("webhooks/resume", {
  payload: Schema.Struct({ webhookId: Schema.String, teamId: Schema.String })
})

/** The job key: at most one resumption of a webhook is queued. */
export const resumeKey = (webhookId: string): string => `resume:${webhookId}`
