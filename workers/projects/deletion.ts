/** Continues the deletion of a project that has too many prospects for one transaction. */
import { Effect } from "effect"
import * as Task from "../../src/platform/jobs/Task.ts"
import { ProjectLifecycle } from "../../src/deals/lifecycle/ProjectLifecycle.ts"
import { continueDeletion as job } from "../../src/deals/projects/jobs.ts"

/** Implements `projects/deletion`: one step, which enqueues the next one in its transaction. */
export const continueDeletion = Task.make(job, (payload) =>
  Effect.flatMap(ProjectLifecycle, (projects) => projects.deletionStep(payload))
)
