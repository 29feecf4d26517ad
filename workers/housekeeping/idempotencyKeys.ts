/** Removes the answers of idempotent creates whose keys are free again. */
import { Clock, Effect, Schema } from "effect"
import { Database } from "../../src/db/Database.ts"
import { orDie } from "../../src/db/DatabaseUnavailable.ts"
import { keptFor } from "../../src/http/Idempotency.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/idempotencyKeys", { payload: Schema.Struct({}) })

export const idempotencyKeys = Task.make(job, () =>
  Effect.gen(function*() {
    const sql = yield* Database
    const now = new Date(yield* Clock.currentTimeMillis)
    yield* inBatches((limit) =>
      Effect.map(
        orDie(sql`
          delete from idempotency_keys where scope in (
            select scope from idempotency_keys where created_at <= ${now}::timestamptz - ${keptFor}::interval
            order by created_at limit ${limit}
          ) and created_at <= ${now}::timestamptz - ${keptFor}::interval
          returning 1 as removed`),
        (rows) => rows.length
      )
    )
  }))
