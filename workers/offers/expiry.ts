/** Records that offers ended without an answer. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { OfferLifecycle } from "../../src/deals/lifecycle/OfferLifecycle.ts"
import { untilEmpty } from "../housekeeping/inBatches.ts"

const job = Job.make("offers/expiry", { payload: Schema.Struct({}) })

/** Implements `offers/expiry`. */
export const recordEndedOffers = Task.inEachCell(job, () =>
  Effect.flatMap(OfferLifecycle, ({ recordEnds }) => untilEmpty(recordEnds))
)
