/**
 * Applies migrations to the tables of cells, which are copies of those of `public` (CellSchema.ts). A file that begins with
 * {@link inEachCell} is applied in each of them, too; all others must leave the tables of teams as they are. Citus takes one statement
 * at a time, so that empty lines separate those of such a file, and are nowhere else.
 */
import type pg from "pg"
import { MigrationError, type MigrationFile } from "./MigrationFiles.ts"
import { searchPathOf } from "./CellDirectory.ts"

/** The first line of a file that changes tables of teams. */
export const inEachCell = "-- In each cell."

const statementsOf = (text: string): ReadonlyArray<string> =>
  text.split(/\n[ \t]*\n/).filter((paragraph) => paragraph.replaceAll(/^\s*--.*$/gm, "").trim() !== "")

const cellsOf = async (client: pg.PoolClient): Promise<ReadonlyArray<string>> => {
  const found = await client.query<{ readonly exists: boolean }>(
    "select to_regclass('public.cells') is not null as exists"
  )
  if (found.rows[0]?.exists !== true) return []
  return (await client.query<{ readonly name: string }>("select name from public.cells order by name")).rows.map(
    ({ name }) => name
  )
}

// Columns that a table of a cell lacks, or has beside those of its model.
const difference = `
  select coalesce(model.table_name, own.table_name) || '.' || coalesce(model.column_name, own.column_name) as name
  from (select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = 'public'
    and table_name in (select table_name from information_schema.tables where table_schema = $1)) as model
  full join (select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = $1
    and table_name in (select table_name from information_schema.tables where table_schema = 'public')) as own
    using (table_name, column_name, data_type, is_nullable)
  where model.column_name is null or own.column_name is null
  order by 1 limit 1`

/** Applies a file to the cells, in the transaction in which it was applied to `public`. */
export const apply = async (client: pg.PoolClient, { name, text }: MigrationFile): Promise<void> => {
  for (const cell of await cellsOf(client)) {
    if (text.startsWith(inEachCell)) {
      await client.query(`set local search_path to ${searchPathOf(cell)}; set local citus.enable_unsafe_triggers to on`)
      for (const statement of statementsOf(text)) await client.query(statement)
      await client.query("set local search_path to default")
    }
    const { rows } = await client.query<{ readonly name: string }>(difference, [cell])
    if (rows[0] !== undefined) {
      throw new MigrationError({
        reason: "Cells",
        file: name,
        message: `sql/${name} leaves ${rows[0].name} different in ${cell}: a file that changes tables of teams begins with "${inEachCell}"`
      })
    }
  }
}
