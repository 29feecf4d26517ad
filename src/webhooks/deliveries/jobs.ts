/** The jobs of deliveries; `workers/webhooks/` does them. */
import { Schema } from "effect"
import * as Job from "../../jobs/Job.ts"

/**
 * A team's wake-up: schedules its deliveries whose next attempt is due at `at`. A team has one, at the first such time: a job
 * for each failed delivery would be too many. A process that does not send enqueues the same job for what is due now.
 */
export const due = Job.make("webhooks/due", {
  payload: Schema.Struct({ teamId: Schema.String, at: Schema.String })
})
