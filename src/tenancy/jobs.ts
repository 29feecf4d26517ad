/** The job of what operators ask for in the console. Its implementation is in workers/handlers.ts. */
import { Schema } from "effect"
import * as Job from "../platform/jobs/Job.ts"

/** Goes on with an export, import or restore (UUID): its row says which. Other jobs go first, because it takes minutes. */
export const runTeamRun = Job.make("tenancy/run", { payload: Schema.Struct({ runId: Schema.String }), priority: 20 })
