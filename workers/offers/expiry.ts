/** Records that offers ended without an answer. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Expiry } from "../../src/deals/offers/Expiry.ts"
import { untilEmpty } from "../housekeeping/inBatches.ts"

const job = Job.make("offers/expiry", { payload: Schema.Struct({}) })

/** Implements `offers/expiry`. */
export const recordEndedOffers = Task.inEachCell(job, () =>
  Effect.flatMap(Expiry, ({ recordAll }) => untilEmpty(recordAll))
)
