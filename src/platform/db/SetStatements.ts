/** What statements about many rows share: arrays as parameters, rows by the chunk, and statistics for the planner. */
import type { Fragment } from "effect/sql/Statement"
import { Database } from "./Database.ts"
import { Effect } from "effect"

/**
 * An array of values for `unnest` and `any`, whose length the planner does not look at. Otherwise, it plans a statement again for each
 * call with one or two values, because a plan for any number of them looks dearer, and planning takes ten times as long as the statement.
 */
export const arrayParameter = (
  sql: Database["Service"],
  type: "text" | "uuid",
  values: ReadonlyArray<unknown>
): Fragment => sql`(select ${values}::${sql.literal(type)}[])::${sql.literal(type)}[]`

/** The rows that one transaction takes of many. */
export interface Chunk<A> {
  readonly taken: ReadonlyArray<A>
  /** Whether there are more. */
  readonly left: "nothing" | "more"
}

/** The first `size` of these rows, of which one more was selected. */
export const chunkOf = <A>(found: ReadonlyArray<A>, size: number): Chunk<A> => ({
  taken: found.slice(0, size),
  left: found.length > size ? "more" : "nothing"
})

/**
 * Updates the statistics of tables that an import fills faster than autovacuum analyzes them: a plan for an empty table
 * is a bad one for a full table. A failure is ignored.
 */
export const refreshStatistics = Effect.fn("refreshStatistics")(function* (tables: ReadonlyArray<string>) {
  const sql = yield* Database
  yield* Effect.forEach(tables, (table) => Effect.ignore(sql`analyze ${sql(table)}`), { discard: true })
})
