/** Moves the rows of a team from the tables of one cell to those of another, in the running transaction. */
import { Effect } from "effect"
import type { Database } from "./Database.ts"
import { orDie } from "./DatabaseUnavailable.ts"
import { serverName } from "./WalPosition.ts"

/** Where a team's rows are, and where they go: names of cells, which are safe to write into statements (`isCellName`). */
export interface Way {
  readonly team: string
  readonly from: string
  readonly to: string
}

/** How many rows of a table were moved. */
export interface MovedRows {
  readonly table: string
  readonly rows: number
}

interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
  /** The tables that its rows refer to. */
  readonly parents: ReadonlyArray<string>
}

// Its triggers count what is moved.
const counted = "team_usage"

// Older than every transaction that is open anywhere: the first id that a server gives to one.
const past = "'3'::xid8"

/** The tables of a cell with rows of teams. Columns that get their values by themselves are left out. */
const tablesOf = (sql: Database["Service"], cell: string) =>
  orDie(
    sql<Table>`
      select relname as name,
        (
          select json_agg(json_build_object('name', quote_ident(attname), 'type', format_type(atttypid, null)) order by attnum)
          from pg_attribute
          where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
        ) as columns,
        array(
          select distinct parent.relname::text from pg_constraint
          join pg_class parent on parent.oid = confrelid
          where conrelid = t.oid and contype = 'f' and confrelid <> t.oid and parent.relnamespace = t.relnamespace
        ) as parents
      from pg_class t
      where relnamespace = ${cell}::regnamespace and relkind in ('r', 'p') and relname <> ${counted} and exists (
        select from pg_attribute where attrelid = t.oid and attname = 'team_id' and not attisdropped
      )
      order by relname`.unprepared
  )

/** Tables in an order in which each comes after those that its rows refer to. */
const parentsFirst = (tables: ReadonlyArray<Table>): ReadonlyArray<Table> => {
  const known = new Map(tables.map((table) => [table.name, table]))
  const ordered = new Set<Table>()
  const add = (table: Table): void => {
    for (const name of table.parents) {
      const parent = known.get(name)
      if (parent !== undefined && !ordered.has(parent)) add(parent)
    }
    ordered.add(table)
  }
  for (const table of tables) add(table)
  return [...ordered]
}

/** Moves the rows, and returns how many of each table. Dies if any were added or taken away meanwhile. */
export const move = Effect.fnUntraced(function* (sql: Database["Service"], { from, team, to }: Way) {
  const run = <Row extends object>(statement: string, ...parameters: ReadonlyArray<unknown>) =>
    orDie(sql.unsafe<Row>(statement, parameters).unprepared)
  const numberOf = (statement: string) =>
    Effect.map(run<{ readonly count: number }>(statement, team), (rows) => rows[0]?.count ?? 0)
  const nameOf = (cell: string) =>
    Effect.map(
      run<{ readonly name: string }>(`select ${serverName} as name from ${cell}.this_cell`),
      (rows) => rows[0]?.name
    )

  const isSameServer = (yield* nameOf(from)) === (yield* nameOf(to))

  // Ids of transactions say something on their own server only. There, all that wrote the rows have ended. The tokens of deltas name
  // the server that they are of, and one of another server lists its last moment again. On one server, tokens go by the ids.
  const valueOf = ({ name, type }: Table["columns"][number]) =>
    type !== "xid8" || isSameServer ? name : `case when ${name} is not null then ${past} end`

  // Events get new numbers, which are those of the table. They are drawn in the order of the former ones.
  const orderOf = ({ name }: Table) => (name === "events" ? "order by occurred_at, transaction_id, seq" : "")

  const tables = parentsFirst(yield* tablesOf(sql, from))

  // What looks at all teams of a cell can have left the row of a journal, which is empty, when the team was moved away from it.
  yield* run(`delete from ${to}.journals where team_id = $1 and last_seq = 0`, team)
  const moved: Array<MovedRows> = []
  for (const table of tables) {
    const { columns, name } = table
    const rows = yield* numberOf(
      `select count(*)::int as count from (select from ${from}.${name} where team_id = $1 for update) as locked`
    )
    if (rows > 0) {
      yield* run(
        `insert into ${to}.${name} (${columns.map((column) => column.name).join(", ")})
        select ${columns.map(valueOf).join(", ")} from ${from}.${name} where team_id = $1 ${orderOf(table)}`,
        team
      )
    }
    moved.push({ table: name, rows })
  }
  // No attempt is running: those that were are not recorded, and are made again.
  yield* run(`update ${to}.deliveries set claimed = false, claimed_by = null where team_id = $1 and claimed`, team)
  // The last event with a number, which those without one come after.
  yield* run(
    `update ${to}.journals j set event_seq = coalesce((
      select max(e.seq) from ${to}.journal n join ${to}.events e on e.id = n.event_id
      where n.team_id = j.team_id and e.team_id = j.team_id and e.occurred_at = j.at
    ), 0)
    where team_id = $1`,
    team
  )
  for (const { rows, table } of moved.toReversed()) {
    const arrived = yield* numberOf(`select count(*)::int as count from ${to}.${table} where team_id = $1`)
    const left = yield* numberOf(
      `with gone as (delete from ${from}.${table} where team_id = $1 returning 1) select count(*)::int as count from gone`
    )
    if (arrived !== rows || left !== rows) {
      return yield* Effect.die(
        new Error(`The team has ${rows} rows in ${table}, but ${arrived} arrived and ${left} left.`)
      )
    }
  }
  yield* run(`delete from ${from}.${counted} where team_id = $1`, team)
  return moved.toSorted((a, b) => (a.table < b.table ? -1 : 1))
})

/** Begins the team's next change after all that it had in the former cell: the clock of the other server may be behind. */
export const setClock = Effect.fnUntraced(function* (sql: Database["Service"], { from, team, to }: Way) {
  const begin = (cell: string, time: string | null) =>
    orDie(
      sql.unsafe<{ readonly at: string }>(
        `select (changed_at + interval '1 millisecond')::text as at
      from ${cell}.this_cell cross join lateral public.begin_change($1::uuid, $2::timestamptz)`,
        [team, time]
      ).unprepared
    )
  const [last] = yield* begin(from, null)
  yield* begin(to, last?.at ?? null)
})

/** Has brokers look for offers of the team in its new cell. The former one stays: other teams there may have some. */
export const rememberOffers = Effect.fnUntraced(function* (sql: Database["Service"], { team, to }: Way) {
  const brokers = yield* orDie(
    sql.unsafe<{ readonly broker: string }>(
      `select distinct broker_team_id::text as broker from ${to}.offers where team_id = $1`,
      [team]
    ).unprepared
  )
  yield* orDie(sql`
    insert into offer_cells (broker_team_id, cell)
    select broker, ${to} from unnest(${brokers.map(({ broker }) => broker)}::uuid[]) as of_team (broker)
    order by broker
    on conflict do nothing`)
})
