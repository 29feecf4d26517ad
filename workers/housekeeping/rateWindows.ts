/** Removes the counts of rate limits whose windows closed long ago. */
import { Clock, Effect, Schema } from "effect"
import { Database } from "../../src/db/Database.ts"
import { orDie } from "../../src/db/DatabaseUnavailable.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/rateWindows", { payload: Schema.Struct({}) })

export const rateWindows = Task.make(job, () =>
  Effect.gen(function*() {
    const sql = yield* Database
    const until = new Date((yield* Clock.currentTimeMillis) - 3_600_000)
    yield* inBatches((limit) =>
      Effect.map(
        // A caller who is back opens a new window in the row: it is looked at again when it is removed.
        orDie(sql`
          delete from rate_windows where subject in (
            select subject from rate_windows where opened_at < ${until} limit ${limit}
          ) and opened_at < ${until}
          returning 1 as removed`),
        (rows) => rows.length
      )
    )
  }))
