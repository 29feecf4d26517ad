/** The job of deletions and merges that are too large for one transaction, implemented in `workers/handlers.ts`. */
import { Schema } from "effect"
import * as Job from "../../platform/jobs/Job.ts"

/**
 * Continues the deletion or merge of contacts or companies (UUIDs) by a step. What is left to do is read from the tables; whoever asked for
 * it is named, so that the timelines and events of all steps say who it was.
 */
export const continueCascade = Job.make("network/cascades", {
  payload: Schema.Struct({
    teamId: Schema.String,
    type: Schema.Literals(["contact", "company"]),
    uuids: Schema.Array(Schema.String),
    userId: Schema.NullOr(Schema.String),
    clientId: Schema.NullOr(Schema.String),
    origin: Schema.Literals(["api", "mcp", "app", "import", "system"])
  })
})
