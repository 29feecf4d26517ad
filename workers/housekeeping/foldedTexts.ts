/** Folds the long texts of the previous release, for searches. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { FoldedTexts } from "../../src/core/foldedTexts/FoldedTexts.ts"
import { untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/foldedTexts", { payload: Schema.Struct({}) })

/** Implements `housekeeping/foldedTexts`. */
export const foldTexts = Task.inEachCell(job, () => Effect.flatMap(FoldedTexts, ({ fold }) => untilEmpty(fold)))
