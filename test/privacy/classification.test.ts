import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { isPersonal, tables } from "../../src/privacy/classification.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const textLike = ["text", "character varying", "character", "json", "jsonb", "bytea", "ARRAY", "xml", "inet", "name"]

layer(TestDatabase.layer)("The classification of columns", (it) => {
  it.effect("says of every text-like column of the schema whether it holds personal data", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const found = yield* sql<{ readonly column: string }>`
        select t.table_name || '.' || c.column_name as column
        from information_schema.tables t
        join information_schema.columns c using (table_schema, table_name)
        where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = any(${textLike}::text[])
          and c.udt_name <> '_uuid'
        order by 1`
      const classified = Object.entries(tables).flatMap(([table, { columns }]) =>
        Object.keys(columns).map((column) => `${table}.${column}`)
      )
      assert.deepStrictEqual(
        found.map(({ column }) => column).filter((column) => !classified.includes(column)),
        [],
        "say in src/privacy/classification.ts what these columns hold"
      )
      assert.deepStrictEqual(
        classified.filter((column) => !found.some((one) => one.column === column)),
        [],
        "these columns are not in the schema"
      )
    })
  )

  it.effect("says of every table with personal data how the rows of a person are found", () =>
    Effect.sync(() => {
      for (const [table, { columns, found }] of Object.entries(tables)) {
        assert.strictEqual(Object.values(columns).some(isPersonal), found !== undefined, table)
      }
    })
  )
})
