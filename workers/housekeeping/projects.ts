/** Purges the content of projects that were deleted 30 days ago, and their tombstones after 90 days. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { ProjectLifecycle } from "../../src/deals/lifecycle/ProjectLifecycle.ts"
import { each, untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/projects", { payload: Schema.Struct({}) })

/** Implements `housekeeping/projects`: a tombstone is purged after everything that belonged to its project. */
export const purgeProjects = Task.inEachCell(job, () =>
  Effect.flatMap(ProjectLifecycle, ({ purgeContent, purgeTombstones }) =>
    each(untilEmpty(purgeContent), untilEmpty(purgeTombstones))
  )
)
