/** Removes contacts for good that were deleted longer ago than deltas reach back. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import { stepByStep } from "./inBatches.ts"

const job = Job.make("housekeeping/contactTombstones", { payload: Schema.Struct({}) })

/** Does `housekeeping/contactTombstones`. */
export const contactTombstones = Task.make(job, () => Effect.flatMap(Contacts, ({ purge }) => stepByStep(purge)))
