/** The jobs of deliveries; `workers/webhooks/` does them. */
import { Schema } from "effect"
import * as Job from "../../jobs/Job.ts"

/**
 * Creates a delivery for each webhook that subscribes to an event of one committed transaction, and of other transactions of
 * its team that wait for that. The payload has the transaction's time beside its id, since a restored database counts its
 * transactions from the beginning.
 */
export const fanOut = Job.make("webhooks/fanOut", {
  payload: Schema.Struct({ teamId: Schema.String, transactionId: Schema.String, at: Schema.String })
})

/**
 * A team's wake-up: schedules its deliveries whose next attempt is due at `at`. A team has one, at the first such time: a job
 * for each failed delivery would be too many. A process that does not send enqueues the same job for what is due now.
 */
export const due = Job.make("webhooks/due", {
  payload: Schema.Struct({ teamId: Schema.String, at: Schema.String })
})
