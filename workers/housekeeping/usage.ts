/** Counts what teams had before there were quotas, once (docs/behaviour/quotas.md). */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Quotas } from "../../src/core/quotas/Quotas.ts"

const job = Job.make("housekeeping/usage", { payload: Schema.Struct({}) })

/** Implements `housekeeping/usage`. */
export const countUsage = Task.inEachCell(job, () => Effect.flatMap(Quotas, (quotas) => quotas.countExisting()))
