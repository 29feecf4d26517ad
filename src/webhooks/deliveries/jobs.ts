/** The work that deliveries promise for later; done in `workers/webhooks/`. */
import { Schema } from "effect"
import * as Job from "../../jobs/Job.ts"

/**
 * Makes one delivery for each webhook that wants an event of one committed transaction. The transaction's time is with
 * its id, because a restored database counts its transactions anew.
 */
export const fanOut = Job.make("webhooks/fanOut", {
  payload: Schema.Struct({ transactionId: Schema.String, at: Schema.String }),
  priority: -10
})

/** Asks for the next attempt of what waits for a webhook that became active, some at a time; it ends when none waits. */
export const resume = Job.make("webhooks/resume", {
  payload: Schema.Struct({ webhookId: Schema.String })
})

/**
 * Makes one attempt of a delivery whose turn has come. `number` is the attempt's, all of the delivery counted through:
 * one that was made is not made again.
 */
export const attempt = Job.make("webhooks/attempt", {
  payload: Schema.Struct({ deliveryId: Schema.String, number: Schema.Int })
})

/** Sees to it that a team's delivery gets its turn: the time of its next attempt, `at`, has come. */
export const due = Job.make("webhooks/due", {
  payload: Schema.Struct({ teamId: Schema.String, at: Schema.String }),
  priority: -5
})
