/** The jobs of webhooks, implemented in `workers/webhooks/`. */
import { Schema } from "effect"
import * as Job from "../../platform/jobs/Job.ts"

/**
 * Makes the held deliveries of a webhook due after its activation, in batches. The jobs of the release before do not name the team; a
 * later release requires it.
 */
export const resume = Job.make("webhooks/resume", {
  payload: Schema.Struct({ webhookId: Schema.String, teamId: Schema.optionalKey(Schema.String) })
})

/** The job key: at most one resumption of a webhook is queued. */
export const resumeKey = (webhookId: string): string => `resume:${webhookId}`
