/** Removes the files of records that were deleted long ago, and contents that no file names. */
import { Effect, Schema } from "effect"
import { Files } from "../../src/files/Files.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/files", { payload: Schema.Struct({}) })

/** Does `housekeeping/files`: the sweep last, since it finds what could not be removed before. */
export const files = Task.make(job, () =>
  Effect.flatMap(Files, ({ purge, sweep }) => Effect.andThen(inBatches(purge), sweep()))
)
