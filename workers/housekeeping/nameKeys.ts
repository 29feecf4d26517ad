/** Writes the keys of names of companies again that former rules made, for the search for duplicates. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Companies } from "../../src/network/companies/Companies.ts"
import { untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/nameKeys", { payload: Schema.Struct({}) })

/** Implements `housekeeping/nameKeys`. */
export const renewNameKeys = Task.inEachCell(job, () =>
  Effect.flatMap(Companies, (companies) => untilEmpty(companies.renewNameKeys))
)
