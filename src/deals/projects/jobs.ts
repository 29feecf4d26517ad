/** The job of deletions of projects that are too large for one transaction, implemented in `workers/handlers.ts`. */
import { Schema } from "effect"
import * as Job from "../../platform/jobs/Job.ts"

/**
 * Continues the deletion of a project (UUID) by a step. What is left to do is read from the tables; whoever asked for it is named, so that
 * the timelines and events of all steps say who it was.
 */
export const continueDeletion = Job.make("projects/deletion", {
  payload: Schema.Struct({
    teamId: Schema.String,
    project: Schema.String,
    userId: Schema.NullOr(Schema.String),
    clientId: Schema.NullOr(Schema.String),
    origin: Schema.Literals(["api", "mcp", "app", "import", "system"])
  })
})
