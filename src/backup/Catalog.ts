/** What a database consists of, for a backup of it: its tables, and what is set aside while rows are loaded. */
import type { Client } from "pg"

/** The schemas of the service and of the queue of its jobs. */
export const schemas = ["public", "graphile_worker"] as const

/** A table with its columns, but for those that Postgres generates. Those that name transactions come first. */
export interface CatalogTable {
  readonly schema: string
  readonly name: string
  readonly columns: ReadonlyArray<string>
  readonly transactionColumns: number
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The name of a table or sequence in a statement. */
export const nameIn = ({ name, schema }: { readonly schema: string; readonly name: string }): string =>
  `${quoted(schema)}.${quoted(name)}`

/** All tables, by schema and name. */
export const tablesOf = async (client: Client): Promise<ReadonlyArray<CatalogTable>> => {
  const { rows } = await client.query<CatalogTable>(
    `select nspname as schema, relname as name,
      array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by atttypid <> 'xid8'::regtype, attnum
      ) as columns,
      (
        select count(*)::int from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and atttypid = 'xid8'::regtype
      ) as "transactionColumns"
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname = any($1) and relkind = 'r'
    order by nspname, relname`,
    [schemas]
  )
  // What has no columns has no rows either: `change_ids` only draws ids.
  return rows.filter(({ columns }) => columns.length > 0)
}

/** The value of a sequence. */
export interface SequenceValue {
  readonly schema: string
  readonly name: string
  readonly value: string
  readonly isCalled: boolean
}

/** All sequences with their values as of now, whatever the transaction sees. */
export const sequencesOf = async (client: Client): Promise<ReadonlyArray<SequenceValue>> => {
  const found = await client.query<{ readonly schema: string; readonly name: string }>(
    `select schemaname as schema, sequencename as name from pg_sequences where schemaname = any($1) order by 1, 2`,
    [schemas]
  )
  if (found.rows.length === 0) return []
  const { rows } = await client.query<SequenceValue>(
    found.rows
      .map(
        ({ name, schema }) =>
          `select ${client.escapeLiteral(schema)} as schema, ${client.escapeLiteral(name)} as name,
            last_value::text as value, is_called as "isCalled" from ${nameIn({ schema, name })}`
      )
      .join(" union all ")
  )
  return rows
}

/** Settings of a session under which the text of rows is the same on every server, in the order in which they are stored. */
export const sessionSettings = `
  set statement_timeout = 0; set lock_timeout = '30s'; set idle_in_transaction_session_timeout = 0;
  set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set bytea_output = 'hex'; set extra_float_digits = 1; set synchronize_seqscans = off; set search_path = public;
  set maintenance_work_mem = '256MB'`

/** Statements that set something aside while rows are loaded, and that bring it back. */
export interface Aside {
  readonly away: ReadonlyArray<string>
  readonly back: ReadonlyArray<string>
}

/**
 * Indexes, because to build them at the end takes a fraction of the time; references between tables, because rows come table by table;
 * and triggers, which have done their work. The owner of the tables may do this, without being a superuser. What only looks at the rows
 * needs no indexes but those that say something of them: the `unique` ones.
 */
export const asideOf = async (client: Client, indexes: "all" | "unique"): Promise<Aside> => {
  const of = async (statement: string) =>
    (await client.query<{ readonly away: string; readonly back: string | null }>(statement, [schemas])).rows
  const references = await of(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as away,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) as back
    from pg_constraint c join pg_class t on t.oid = conrelid
    where contype = 'f' and t.relnamespace = any(array(select oid from pg_namespace where nspname = any($1)))
    order by 1`)
  const ofIndexes = await of(`
    select format('drop index %s', indexrelid::regclass) as away,
      case when indisunique ${indexes === "all" ? "or true" : ""} then pg_get_indexdef(indexrelid) end as back
    from pg_index join pg_class t on t.oid = indrelid
    where t.relnamespace = any(array(select oid from pg_namespace where nspname = any($1)))
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by 1`)
  const triggers = await of(`
    select distinct format('alter table %s disable trigger user', tgrelid::regclass) as away,
      format('alter table %s enable trigger user', tgrelid::regclass) as back
    from pg_trigger join pg_class t on t.oid = tgrelid
    where not tgisinternal and t.relnamespace = any(array(select oid from pg_namespace where nspname = any($1)))
    order by 1`)
  const all = [...triggers, ...references, ...ofIndexes]
  return {
    away: all.map(({ away }) => away),
    back: all.flatMap(({ back }) => (back === null ? [] : [back])).toReversed()
  }
}
