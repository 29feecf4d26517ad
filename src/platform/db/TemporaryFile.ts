/** Whether the servers of the database can write: a statement that only reads, and needs a temporary file beside the tables. */
import { Effect } from "effect"
import type { Database } from "./Database.ts"

// They take some 16 MB, which is more than servers have memory for by default.
const statement = "select count(*) from generate_series(1, 600000)"

/**
 * Has the server write a temporary file, which it removes when the statement ends, and with Citus each server. Returns false if one cannot,
 * because its disk is full or it does not answer.
 */
export const takesTemporaryFile = (sql: Database["Service"]): Effect.Effect<boolean> =>
  sql
    .withTransaction(
      Effect.gen(function* () {
        yield* sql`set local work_mem = '64kB'`
        yield* sql`${sql.literal(statement)}`
        if (sql.cells === undefined) return true
        const found = yield* sql<{ success: boolean }>`select success from run_command_on_workers(${statement})`
        return found.every(({ success }) => success)
      })
    )
    .pipe(Effect.catchCause(() => Effect.succeed(false)))
