/**
 * Moves a team to another cell, which takes its writes and then its reads away for a while (docs/operations.md#citus).
 *
 * 1. "draining": the team takes no changes. What follows former ones, such as fan-outs, comes to an end.
 * 2. "moving": no statement about the team is sent. Processes know the state of a team after {@link FreshFor} at the latest, and a
 *    transaction that began before is waited for. So nobody reads or writes its rows any more.
 * 3. One transaction moves the rows and says so in the directory, with the state still "moving": Citus commits on the coordinator first,
 *    so that whoever went to the new cell at once might not find the rows there yet.
 * 4. When the transaction is committed everywhere, the state ends. No process can still go to the former cell, because what the
 *    directory says of a team that is moved is not kept.
 *
 * A move that was interrupted leaves the state. To move the team again, or to the cell that it is in, ends it.
 */
import { trySessionLock } from "./Transaction.ts"
import { Effect } from "effect"
import { Database } from "./Database.ts"
import { orDie } from "./DatabaseUnavailable.ts"
import { onWallClock } from "../Time.ts"
import { FreshFor } from "./Cells.ts"
import { CellRefused } from "./CellSchema.ts"
import { serverName } from "./Standbys.ts"
import { parentsFirst, tablesOf, type TeamTable } from "./TeamTables.ts"

/** What can be set for a move. */
interface MoveOptions {
  /** How long it waits for what must come to an end, in milliseconds. */
  readonly patience?: number
}

type State = "draining" | "moving" | null

const pause = (milliseconds: number) => onWallClock(Effect.sleep(milliseconds))

/** Waits until nothing is found. Fails with what `refusal` makes of it otherwise. */
const untilNone = Effect.fnUntraced(function* <A>(
  find: Effect.Effect<ReadonlyArray<A>>,
  patience: number,
  refusal: (found: ReadonlyArray<A>) => string
) {
  const end = performance.now() + patience
  for (;;) {
    const found = yield* find
    if (found.length === 0) return
    if (performance.now() > end) return yield* new CellRefused({ message: refusal(found) })
    yield* pause(100)
  }
})

const make = (sql: Database["Service"], patience: number) => {
  const setState = (team: string, state: State) =>
    orDie(sql`update team_cells set state = ${state} where team_id = ${team}`)

  /** Waits until all transactions have ended that are open now. */
  const untilOthersEnd = Effect.gen(function* () {
    const [moment] = yield* orDie(sql<{ readonly at: string }>`select clock_timestamp()::text as at`)
    yield* untilNone(
      orDie(sql<{ readonly pid: number; readonly application_name: string }>`
        select pid, application_name from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
          and xact_start < ${moment?.at ?? ""}::timestamptz`),
      patience,
      (open) =>
        `Transactions are open that may be about the team: ${open.map((one) => `${one.application_name} (process ${one.pid})`).join(", ")}.`
    )
  })

  /** Waits until all processes know the state of a team, and what they did before has ended. */
  const untilKnown = Effect.gen(function* () {
    // Among these, whoever is reading the former state.
    yield* untilOthersEnd
    const freshFor = yield* FreshFor
    // A little longer, for what an answer takes to arrive.
    yield* pause(freshFor * 1.2)
    yield* untilOthersEnd
  })

  /** Waits until the transactions are committed on all servers that are prepared on any. */
  const untilCommitted = Effect.gen(function* () {
    const prepared = Effect.map(
      orDie(
        sql<{ readonly gids: string }>`
        select result as gids from run_command_on_workers(
          'select coalesce(string_agg(gid, '' ''), '''') from pg_prepared_xacts where database = current_database()'
        )`.unprepared
      ),
      (rows) => rows.flatMap(({ gids }) => gids.split(" ")).filter((gid) => gid !== "")
    )
    const before = new Set(yield* prepared)
    yield* untilNone(
      Effect.map(prepared, (gids) => gids.filter((gid) => before.has(gid))),
      patience,
      (gids) => `Transactions are not committed on all servers yet: ${gids.join(", ")}. Run the command again.`
    )
  })

  /** Waits for what follows the changes of a team. */
  const untilDrained = ({ from, team }: Way) =>
    untilNone(
      Effect.map(
        orDie(
          sql.unsafe<{ readonly fan_outs: number; readonly attempts: number }>(
            `select (select count(*)::int from ${from}.fan_outs where team_id = $1) as fan_outs,
            (select count(*)::int from ${from}.deliveries where team_id = $1 and claimed) as attempts`,
            [team]
          ).unprepared
        ),
        (rows) => rows.filter(({ attempts, fan_outs }) => attempts + fan_outs > 0)
      ),
      patience,
      ([left]) =>
        `The team has ${left?.fan_outs ?? 0} changes whose webhooks are not found yet, and ${left?.attempts ?? 0} deliveries that are being sent. Do workers run?`
    )

  const moveRows = (way: Way) =>
    sql
      .withTransaction(
        Effect.gen(function* () {
          yield* orDie(sql`set local statement_timeout to 0`.unprepared)
          yield* orDie(sql`update team_cells set cell = ${way.to} where team_id = ${way.team}`)
          yield* setClock(sql, way)
          const moved = yield* move(sql, way)
          yield* rememberOffers(sql, way)
          return moved
        })
      )
      .pipe(orDie)

  return { moveRows, setState, untilCommitted, untilDrained, untilKnown }
}

/** Moves a team (UUID) to a cell. Returns how many rows of each table it moved. */
export const run = Effect.fn("CellMove.run")(function* (
  team: string,
  to: string,
  { patience = 60_000 }: MoveOptions = {}
) {
  const sql = yield* Database
  const steps = make(sql, patience)
  if (!(yield* trySessionLock(`move ${team}`))) {
    return yield* new CellRefused({ message: "The team is being moved by another process." })
  }
  const [found] = yield* orDie(sql<{ readonly cell: string; readonly has_target: boolean }>`
      select cell, exists (select from cells where name = ${to}) as has_target from team_cells where team_id = ${team}`)
  if (found === undefined)
    return yield* new CellRefused({ message: "The team is in no cell: there is none, or it was not used yet." })
  if (!found.has_target)
    return yield* new CellRefused({ message: `There is no cell ${to}: \`admin cell list\` shows them.` })
  const way = { team, from: found.cell, to }
  if (found.cell === to) {
    // A move there may have ended before its last step, or one away from it at any step before the last.
    yield* steps.untilCommitted
    yield* steps.setState(team, null)
    return []
  }
  const moved = yield* Effect.gen(function* () {
    yield* steps.setState(team, "draining")
    yield* steps.untilKnown
    yield* steps.untilDrained(way)
    yield* steps.setState(team, "moving")
    yield* steps.untilKnown
    return yield* steps.moveRows(way)
  }).pipe(
    Effect.onError(() =>
      // Unless the transaction has committed all the same.
      Effect.ignoreCause(orDie(sql`update team_cells set state = null where team_id = ${team} and cell = ${way.from}`))
    )
  )
  yield* steps.untilCommitted
  yield* steps.setState(team, null)
  return moved
}, Effect.scoped)

/** Where a team's rows are, and where they go: names of cells, which are safe to write into statements (`isCellName`). */
export interface Way {
  readonly team: string
  readonly from: string
  readonly to: string
}

/** How many rows of a table were moved. */
interface MovedRows {
  readonly table: string
  readonly rows: number
}

// Its triggers count what is moved.
const counted = "team_usage"

// Older than every transaction that is open anywhere: the first id that a server gives to one.
const past = "'3'::xid8"

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
  const valueOf = ({ name, type }: TeamTable["columns"][number]) =>
    type !== "xid8" || isSameServer ? name : `case when ${name} is not null then ${past} end`

  // Events get new numbers, which are those of the table. They are drawn in the order of the former ones.
  const orderOf = ({ name }: TeamTable) => (name === "events" ? "order by occurred_at, transaction_id, seq" : "")

  const tables = parentsFirst((yield* tablesOf(sql, from)).filter(({ name }) => name !== counted))

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
const setClock = Effect.fnUntraced(function* (sql: Database["Service"], { from, team, to }: Way) {
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
const rememberOffers = Effect.fnUntraced(function* (sql: Database["Service"], { team, to }: Way) {
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
