/** Purges the tombstones of contacts after the period that deltas cover. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import { untilEmpty } from "./inBatches.ts"

const job = Job.make("housekeeping/contactTombstones", { payload: Schema.Struct({}) })

/** Implements `housekeeping/contactTombstones`. */
export const purgeContactTombstones = Task.inEachCell(job, () =>
  Effect.flatMap(Contacts, ({ purge }) => untilEmpty(purge))
)
