/** Bulk loads of millions of rows: sessions without timeouts, and tables without indexes during the load. */
import { Effect, Redacted, type Scope } from "effect"
import { Client } from "pg"

/** A session of the database. */
export interface Session {
  readonly query: <Row extends object>(
    text: string,
    values?: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>>
}

/** Opens a session without timeouts until the scope ends. */
export const session = (url: Redacted.Redacted<string>): Effect.Effect<Session, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: Redacted.value(url), application_name: "property-network bench" })
      await client.connect()
      await client.query("set maintenance_work_mem = '512MB'")
      return client
    }),
    (client) => Effect.promise(() => client.end())
  ).pipe(
    Effect.map((client): Session => ({
      query: (text, values = []) => Effect.promise(async () => (await client.query(text, [...values])).rows)
    }))
  )

// Indexes that do not belong to a constraint.
const indexesOf = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
  from pg_index
  where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`

/** Drops the indexes of a table, fills it and recreates them, in one transaction. This is many times faster. */
export const fill = Effect.fnUntraced(function* ({ query }: Session, table: string, inserts: Effect.Effect<void>) {
  yield* query("begin")
  const indexes = yield* query<{ name: string; definition: string }>(indexesOf, [table])
  for (const { name } of indexes) yield* query(`drop index ${name}`)
  yield* inserts
  for (const { definition } of indexes) yield* query(definition)
  yield* query("commit")
})

/** Rows as the arrays of their members, in the order of these in the first row: parameters of `unnest`. */
export const columnsOf = <Row extends object>(rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<unknown>> =>
  Object.keys(rows[0] ?? {}).map((name) => rows.map((row) => row[name as keyof Row]))
