/** The job that changes enqueue. `workers/handlers.ts` implements it, so that nothing here depends on webhooks. */
import { Schema } from "effect"
import * as Job from "../../platform/jobs/Job.ts"

/**
 * Creates a delivery for each webhook that subscribes to an event of one committed transaction, or of other transactions of
 * its team whose fan-out is outstanding. The payload has the transaction's time beside its id, since a restored database counts its
 * transactions from the beginning.
 */
export const fanOut = Job.make("webhooks/fanOut", {
  payload: Schema.Struct({ teamId: Schema.String, transactionId: Schema.String, at: Schema.String })
})
