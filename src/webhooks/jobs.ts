/** The jobs of webhooks and their deliveries, implemented in `workers/handlers.ts`. */
import { Schema } from "effect"
import * as Job from "../platform/jobs/Job.ts"

/** Makes the held deliveries of a webhook due after its activation, in batches. */
export const resume = Job.make("webhooks/resume", {
  payload: Schema.Struct({ webhookId: Schema.String, teamId: Schema.String })
})

/** The job key: at most one resumption of a webhook is queued. */
export const resumeKey = (webhookId: string): string => `resume:${webhookId}`

/**
 * A team's wake-up: schedules its deliveries at `at`, when the next retry is due. A team has one wake-up at a time, because a job
 * for each failed delivery would be too many. A process that does not send enqueues the same job for deliveries that are due.
 */
export const due = Job.make("webhooks/due", {
  payload: Schema.Struct({ teamId: Schema.String, at: Schema.String })
})
