/** The job of imports in the console. Its implementation is in workers/handlers.ts. */
import { Schema } from "effect"
import * as Job from "../platform/jobs/Job.ts"

/** Tries or imports the file of an import (UUIDs): its row says which. Other jobs go first, because it takes minutes. */
export const runImport = Job.make("transfer/import", {
  payload: Schema.Struct({ teamId: Schema.String, importId: Schema.String }),
  priority: 20
})
