/** Purges the files of records that were deleted long ago, and objects without a file. */
import { Effect, Schema } from "effect"
import { FileRetention } from "../../src/content/files/FileRetention.ts"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/files", { payload: Schema.Struct({}) })

/**
 * Implements `housekeeping/files`. The sweep comes last, because it also removes objects that failed to be removed
 * before.
 */
export const purgeFiles = Task.make(job, () =>
  Effect.flatMap(FileRetention, ({ purge, sweep }) => Effect.andThen(inBatches(purge), sweep()))
)
