/** Removes for good what projects had that were deleted 30 days ago, and their tombstones after 90. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { Projects } from "../../src/projects/Projects.ts"
import { stepByStep } from "./inBatches.ts"

const job = Job.make("housekeeping/projects", { payload: Schema.Struct({}) })

/** Does `housekeeping/projects`: a tombstone goes after all that hung on its project. */
export const projects = Task.make(job, () =>
  Effect.flatMap(Projects, ({ empty, purge }) => Effect.andThen(stepByStep(empty), stepByStep(purge)))
)
