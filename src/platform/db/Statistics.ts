/** The planner's statistics of tables. */
import { Effect } from "effect"
import { Database } from "./Database.ts"

/**
 * Updates the statistics of tables that an import fills faster than autovacuum analyzes them: a plan for an empty table
 * is a bad one for a full table. A failure is ignored.
 */
export const refresh = Effect.fn("Statistics.refresh")(function* (tables: ReadonlyArray<string>) {
  const sql = yield* Database
  yield* Effect.forEach(tables, (table) => Effect.ignore(sql`analyze ${sql(table)}`), { discard: true })
})
