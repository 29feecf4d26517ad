/** Removes contacts for good that were deleted longer ago than deltas reach back. */
import { Clock, Effect, Schema } from "effect"
import { tombstoneDays } from "../../src/changes/Delta.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { ContactsRepo } from "../../src/network/contacts/ContactsRepo.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/contactTombstones", { payload: Schema.Struct({}) })

export const contactTombstones = Task.make(job, () =>
  Effect.gen(function*() {
    const repo = yield* ContactsRepo
    const until = new Date((yield* Clock.currentTimeMillis) - tombstoneDays * 86_400_000)
    yield* inBatches((limit) => repo.purge(until, limit))
  }))
