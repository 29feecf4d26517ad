/**
 * Creates the schemas of cells (docs/adr/0031-cells.md). The tables of `public`, which the migrations make, are the model of those of a
 * cell, and stay empty where there are cells.
 */
import { Data, Effect } from "effect"
import type { Database } from "./Database.ts"
import { orDie } from "./DatabaseUnavailable.ts"
import { isCellName, searchPathOf } from "./Cells.ts"

/** A cell cannot be created, or a team not be moved to it. */
export class CellRefused extends Data.TaggedError("CellRefused")<{ readonly message: string }> {}

/** The tables of what belongs to no team, or is asked for before the team is known. They stay on the coordinator. */
const ofNoCell = [
  "apps",
  "attempts",
  "audit_counts",
  "audit_log",
  "authorization_codes",
  "cells",
  "change_ids",
  "client_addresses",
  "clients",
  "file_space",
  "grant_families",
  "grants",
  "invitations",
  "memberships",
  "offer_cells",
  "passwords",
  "rate_windows",
  "refresh_tokens",
  "request_days",
  "saved_filters",
  "schema_migrations",
  "secret_key_fingerprint",
  "server_timelines",
  "sessions",
  "sign_in_links",
  "team_cells",
  "teams",
  "tokens",
  "upstream_subjects",
  "users"
]

// A row for each statement that makes the schema, in their order. `pg_get_…def` writes the names of tables and functions without their
// schema while that is in the search path, so that those of the cell are found.
const statementsOf = (sql: Database["Service"], cell: string) => sql<{ readonly statement: string }>`
  with tables as (
    select oid, relname, reloptions as options from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all(${ofNoCell}::text[])
  ), functions as (
    select oid, proname, pg_get_function_identity_arguments(oid) as arguments from pg_proc
    where pronamespace = 'public'::regnamespace and (prorettype = 'trigger'::regtype or proname = 'add_usage')
  ), statements (phase, name, statement) as (
    select 1, relname, format('create table %I (like public.%I including all)%s', relname, relname,
      ' with (' || array_to_string(options, ', ') || ')') from tables
    union all
    select 2, relname || '.' || attname, format('alter table %I alter column %I drop default', relname, attname)
    from tables
    join pg_attribute on attrelid = tables.oid and attgenerated = ''
    join pg_attrdef on adrelid = attrelid and adnum = attnum
    where pg_get_expr(adbin, adrelid) like '%nextval%'
    union all
    select 3, relname || '.' || conname,
      format('alter table %I add constraint %I %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
    from tables join pg_constraint on conrelid = tables.oid and contype = 'f'
    where confrelid in (select oid from tables)
    union all
    select 4, proname, replace(pg_get_functiondef(oid), 'FUNCTION public.', 'FUNCTION ') from functions
    union all
    select 5, proname,
      format('alter function %I(%s) set search_path to %I, public', proname, arguments, ${cell}::text)
    from functions
    union all
    select 6, relname || '.' || tgname, pg_get_triggerdef(pg_trigger.oid, true)
    from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal
    union all
    select 7, '', 'create table this_cell (name text primary key)'
  )
  select statement from statements order by phase, name`

// What each worker has of its own: the clocks of the changes there (sql/0004_changes.sql), and leave for triggers that count quotas
// to write to another table of the cell.
const ofEachServer = `
  set citus.enable_ddl_propagation to off;
  create unlogged table if not exists public.change_ids ();
  create sequence if not exists public.team_usage_shards;
  do $do$ begin
    for bucket in 0..63 loop
      execute format('create sequence if not exists public.change_time_ms_%s minvalue 0', bucket);
    end loop;
    execute format('alter database %I set citus.allow_nested_distributed_execution to on', current_database());
  end $do$;`

/** Runs statements on each worker. */
const onWorkers = Effect.fnUntraced(function* (sql: Database["Service"], statements: string) {
  const failures = yield* orDie(sql<{ readonly nodename: string; readonly result: string }>`
    select nodename, result from run_command_on_workers(${statements}) where not success`)
  const [failure] = failures
  if (failure !== undefined) return yield* Effect.die(new Error(`${failure.nodename}: ${failure.result}`))
})

/** Creates a cell. Its name is that of its schema. Citus chooses the server. */
export const create = Effect.fn("CellSchema.create")(function* (sql: Database["Service"], name: string) {
  if (!isCellName(name)) {
    return yield* new CellRefused({
      message: `A cell is called cell_ and a name of lower-case letters, digits and underscores, not "${name}".`
    })
  }
  const run = (statement: string) => orDie(sql.unsafe(statement).unprepared)
  const [server] = yield* orDie(sql<{ readonly has_citus: boolean; readonly is_taken: boolean }>`
    select exists (select from pg_extension where extname = 'citus') as has_citus,
      to_regnamespace(${name}) is not null as is_taken`)
  if (server?.has_citus !== true) {
    return yield* new CellRefused({ message: "The database has no Citus: cells are schemas that Citus distributes." })
  }
  const [workers] = yield* orDie(sql<{ readonly there_are: boolean }>`
    select exists (select from pg_dist_node where isactive and shouldhaveshards) as there_are`)
  if (workers?.there_are !== true) {
    return yield* new CellRefused({
      message: "Citus has no server for cells: citus_add_node adds one (docs/operations.md#citus)."
    })
  }
  if (server.is_taken) return yield* new CellRefused({ message: `There is a schema of the name ${name} already.` })
  yield* onWorkers(sql, ofEachServer)
  yield* sql
    .withTransaction(
      Effect.gen(function* () {
        yield* run("set local statement_timeout to 0")
        yield* run("set local citus.enable_schema_based_sharding to off")
        yield* run("set local citus.enable_unsafe_triggers to on")
        yield* run("set local search_path to public")
        const statements = yield* orDie(statementsOf(sql, name).unprepared)
        yield* run(`create schema ${name}`)
        yield* run(`set local search_path to ${searchPathOf(name)}`)
        for (const { statement } of statements) yield* run(statement)
        yield* orDie(sql`insert into this_cell (name) values (${name})`.unprepared)
        yield* orDie(sql`select citus_schema_distribute(${name}::regnamespace)`.unprepared)
        yield* orDie(sql`insert into cells (name) values (${name})`)
      })
    )
    .pipe(orDie)
})

/** A cell, for operators. */
export interface CellInfo {
  readonly name: string
  /** The host and port of the server that it is on. */
  readonly server: string
  readonly teams: number
  /** The size of its tables and indexes. */
  readonly bytes: number
}

/** All cells, by name. */
export const list = (sql: Database["Service"]): Effect.Effect<ReadonlyArray<CellInfo>> =>
  Effect.map(
    orDie(sql<Omit<CellInfo, "bytes"> & { readonly bytes: string }>`
      select name, min(nodename || ':' || nodeport) as server,
        (select count(*)::int from team_cells where cell = name) as teams, sum(shard_size)::text as bytes
      from cells join citus_shards on table_name::text like name || '.%'
      group by name order by name`),
    (rows) => rows.map((row) => ({ ...row, bytes: Number(row.bytes) }))
  )

/** A cell by its name, which exists. */
export const find = (sql: Database["Service"], name: string): Effect.Effect<CellInfo> =>
  Effect.flatMap(list(sql), (all) => Effect.orDie(Effect.fromNullishOr(all.find((cell) => cell.name === name))))
