/**
 * The tables with rows of teams, as the catalogue of the database has them: every one with a column `team_id`. What is about all that a
 * team has, such as moving it, purging it and writing it to an archive, goes by this list, so that no table is forgotten.
 */
import type { Effect } from "effect"
import type { Database } from "./Database.ts"
import { orDie } from "./DatabaseUnavailable.ts"

/** A column of a table, without those that get their values by themselves. */
interface Column {
  /** As it is written in SQL. */
  readonly name: string
  readonly type: string
}

/** A table with rows of teams. */
export interface TeamTable {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** The columns of its primary key, with their types. */
  readonly key: ReadonlyArray<Column>
  /** Whether an index finds all rows of a team. */
  readonly byTeam: boolean
  /** The tables that its rows refer to. */
  readonly parents: ReadonlyArray<string>
}

/**
 * The tables with rows of teams: of a schema, or, without one, those that statements of the current connections find by their names, which
 * are those of the current cell and those of no cell.
 */
export const tablesOf = (sql: Database["Service"], schema?: string): Effect.Effect<ReadonlyArray<TeamTable>> =>
  orDie(
    sql<TeamTable>`
      select relname as name,
        (
          select json_agg(json_build_object('name', quote_ident(attname), 'type', format_type(atttypid, null)) order by attnum)
          from pg_attribute
          where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
        ) as columns,
        coalesce((
          select json_agg(json_build_object('name', quote_ident(attname), 'type', format_type(atttypid, null))
            order by array_position(indkey::int2[], attnum))
          from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey::int2[])
          where indrelid = t.oid and indisprimary
        ), '[]') as key,
        exists (
          select from pg_index where indrelid = t.oid and indpred is null and indkey[0] = team.attnum
        ) as "byTeam",
        array(
          select distinct parent.relname::text from pg_constraint
          join pg_class parent on parent.oid = confrelid
          where conrelid = t.oid and contype = 'f' and confrelid <> t.oid and parent.relnamespace = t.relnamespace
        ) as parents
      from pg_class t
      join pg_attribute team on team.attrelid = t.oid and team.attname = 'team_id' and not team.attisdropped
      where relkind in ('r', 'p') and ${
        schema === undefined ? sql`pg_table_is_visible(t.oid)` : sql`relnamespace = ${schema}::regnamespace`
      }
      order by relname`.unprepared
  )

/** Tables in an order in which each comes after those that its rows refer to. */
export const parentsFirst = (tables: ReadonlyArray<TeamTable>): ReadonlyArray<TeamTable> => {
  const known = new Map(tables.map((table) => [table.name, table]))
  const ordered = new Set<TeamTable>()
  const add = (table: TeamTable): void => {
    for (const name of table.parents) {
      const parent = known.get(name)
      if (parent !== undefined && !ordered.has(parent)) add(parent)
    }
    ordered.add(table)
  }
  for (const table of tables) add(table)
  return [...ordered]
}
