/** Purges tokens that expired long ago. */
import { Effect, Schema } from "effect"
import { Tokens } from "../../src/identity/tokens/Tokens.ts"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/expiredTokens", { payload: Schema.Struct({}) })

/** Implements `housekeeping/expiredTokens`. */
export const purgeExpiredTokens = Task.make(job, () => Effect.flatMap(Tokens, ({ purge }) => inBatches(purge)))
