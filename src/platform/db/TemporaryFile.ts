/** Whether the server of the database can write: a statement that only reads, and needs a temporary file beside the tables. */
import { Effect } from "effect"
import type { Database } from "./Database.ts"

// Each row takes some 30 bytes of the file, which is removed when the statement ends.
const rows = 600_000

/** Has the server write a temporary file of some 16 MB. Returns false if it cannot, because its disk is full or it does not answer. */
export const takesTemporaryFile = (sql: Database["Service"]): Effect.Effect<boolean> =>
  Effect.matchCause(
    sql.withTransaction(
      Effect.andThen(sql`set local work_mem = '64kB'`, sql`select count(*) from generate_series(1, ${rows}::int)`)
    ),
    { onFailure: () => false, onSuccess: () => true }
  )
