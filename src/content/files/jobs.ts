/** The jobs of files. Their implementations are in workers/handlers.ts. */
import { Schema } from "effect"
import * as Job from "../../platform/jobs/Job.ts"

/** Removes the objects with the ids `contents`, whose files a team deleted, from the store. */
export const discard = Job.make("files/discard", {
  payload: Schema.Struct({ contents: Schema.Array(Schema.String), teamId: Schema.String })
})
