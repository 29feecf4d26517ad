/** Removes the counts of rate limits whose windows closed long ago. */
import { Effect, Schema } from "effect"
import { Tokens } from "../../src/auth/tokens/Tokens.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/rateWindows", { payload: Schema.Struct({}) })

/** Does `housekeeping/rateWindows`. */
export const rateWindows = Task.make(job, () => Effect.flatMap(Tokens, ({ purgeWindows }) => inBatches(purgeWindows)))
