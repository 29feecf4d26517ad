/** Removes tokens that expired more than a week ago: until then their owners see what became of them. */
import { Clock, Effect, Schema } from "effect"
import { Database } from "../../src/db/Database.ts"
import { orDie } from "../../src/db/DatabaseUnavailable.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { inBatches } from "./inBatches.ts"

const job = Job.make("housekeeping/expiredTokens", { payload: Schema.Struct({}) })

const keptDays = 7

export const expiredTokens = Task.make(job, () =>
  Effect.gen(function*() {
    const sql = yield* Database
    const until = new Date((yield* Clock.currentTimeMillis) - keptDays * 86_400_000)
    yield* inBatches((limit) =>
      Effect.map(
        orDie(sql`
          delete from tokens where id in (
            select id from tokens where expires_at < ${until} order by expires_at limit ${limit}
          ) returning 1 as removed`),
        (rows) => rows.length
      )
    )
  }))
