/** Purges the stored responses of idempotent creates whose keys have expired. */
import { Effect, Schema } from "effect"
import { Idempotency } from "../../src/core/usecase/Idempotency.ts"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/idempotencyKeys", { payload: Schema.Struct({}) })

/** Implements `housekeeping/idempotencyKeys`. */
export const purgeIdempotencyKeys = Task.inEachCell(job, () =>
  Effect.flatMap(Idempotency, ({ purge }) => untilEmpty(purge))
)
