/** What the database knows of how full its tables are. */
import { Effect } from "effect"
import { Database } from "./Database.ts"

/**
 * Counts anew, for whoever fills tables faster than the database looks at them by itself: it plans queries for the rows
 * that it knew last, and a plan for an empty table is a bad one for a full one. A database that will not do it now goes
 * on as it was.
 */
export const refresh = Effect.fn("Statistics.refresh")(function* (tables: ReadonlyArray<string>) {
  const sql = yield* Database
  yield* Effect.forEach(tables, (table) => Effect.ignore(sql`analyze ${sql(table)}`), { discard: true })
})
