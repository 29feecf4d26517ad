/** The work that deliveries promise for later; done in `workers/webhooks/`. */
import { Schema } from "effect"
import * as Job from "../../jobs/Job.ts"

/**
 * Makes one delivery for each webhook that wants an event of one committed transaction, and of others of its team that
 * wait for that. The transaction's time is with its id, because a restored database counts its transactions anew. Jobs of
 * before there was a `teamId` are about the one transaction.
 */
export const fanOut = Job.make("webhooks/fanOut", {
  payload: Schema.Struct({
    teamId: Schema.optionalKey(Schema.String),
    transactionId: Schema.String,
    at: Schema.String
  })
})

/** Asks for the next attempt of what waits for a webhook that became active, some at a time; it ends when none waits. */
export const resume = Job.make("webhooks/resume", {
  payload: Schema.Struct({ webhookId: Schema.String })
})

/** What the version before promised: one attempt of a delivery. Nobody asks for it any more. */
export const attempt = Job.make("webhooks/attempt", {
  payload: Schema.Struct({ deliveryId: Schema.String, number: Schema.Int })
})

/**
 * A team's alarm: sees to it that deliveries get their turn whose next attempt is due at `at`. One for a team, at the
 * first such time, besides those with which a process that does not send asks for what is due now: a job for each delivery that failed would be too many to look through for those that are due.
 */
export const due = Job.make("webhooks/due", {
  payload: Schema.Struct({ teamId: Schema.String, at: Schema.String })
})
