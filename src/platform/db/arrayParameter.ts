/** Arrays as parameters of statements: see docs/adr/0032-plans-for-any-values.md. */
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "./Database.ts"

/**
 * An array of values for `unnest` and `any`, whose length the planner does not look at. Otherwise, it plans a statement again for each
 * call with one or two values, because a plan for any number of them looks dearer, and planning takes ten times as long as the statement.
 */
export const arrayParameter = (
  sql: Database["Service"],
  type: "text" | "uuid",
  values: ReadonlyArray<unknown>
): Fragment => sql`(select ${values}::${sql.literal(type)}[])::${sql.literal(type)}[]`
