/** The jobs that webhooks enqueue; `workers/webhooks/` does them. */
import { Schema } from "effect"
import * as Job from "../../jobs/Job.ts"

/** Makes what waits for a webhook that became active due, some at a time, until nothing waits. */
export const resume = Job.make("webhooks/resume", {
  payload: Schema.Struct({ webhookId: Schema.String })
})

/** At most one such job waits for a webhook. */
export const resumeKey = (webhookId: string): string => `resume:${webhookId}`
