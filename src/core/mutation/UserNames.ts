/**
 * The names of the users whom rows of teams refer to. On plain Postgres, the statement that reads the rows reads them. With Citus, users
 * are in no cell: joined with a cell, all of them would be sent there. A statement of its own reads the names that are needed.
 */
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** Makes the SQL of names, and what completes the rows that it reads. */
export const make = Effect.gen(function* () {
  const sql = yield* Database

  /** The SQL of the name of the user in a column (`table.column`). */
  const of = (column: string): Fragment =>
    sql.cells === undefined ? sql`(select name from users where users.id = ${sql.literal(column)})` : sql`null::text`

  /** Rows with the names that {@link of} left out. Each pair is a member with the UUID of a user, and that of the name. */
  const complete = Effect.fnUntraced(function* <Row extends object>(
    rows: ReadonlyArray<Row>,
    members: ReadonlyArray<readonly [user: keyof Row, name: keyof Row]>
  ): Effect.fn.Return<ReadonlyArray<Row>> {
    if (sql.cells === undefined) return rows
    const users = new Set(rows.flatMap((row) => members.map(([user]) => row[user])).filter((user) => user !== null))
    if (users.size === 0) return rows
    const found = yield* orDie(sql<{ readonly id: unknown; readonly name: string }>`
      select id, name from users where id = any(${[...users]}::uuid[])`)
    const names = new Map(found.map(({ id, name }) => [id, name]))
    return rows.map((row) => {
      const named = members.map(([user, name]) => [name, names.get(row[user]) ?? null])
      return Object.assign(Array.isArray(row) ? [...row] : { ...row }, Object.fromEntries(named)) as Row
    })
  })

  return { of, complete }
})
