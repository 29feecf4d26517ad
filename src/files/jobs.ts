/** The contracts of the jobs of files; the work is done in workers/files/. */
import { Schema } from "effect"
import * as Job from "../jobs/Job.ts"

/** Remove these contents from the store: no file names them any more. */
export const discard = Job.make("files/discard", {
  payload: Schema.Struct({ contents: Schema.Array(Schema.String) })
})
