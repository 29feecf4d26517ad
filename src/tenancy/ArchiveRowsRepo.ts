/** The SQL of archives of teams: reads rows as lines of JSON, in the words of the database, and writes them. */
import { Context, Effect, Layer } from "effect"
import { inEach } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import { parentsFirst, tablesOf, type TeamTable } from "../platform/db/TeamTables.ts"
import { columnsOfDeletion, columnsOfUser, leftOut, orders, replaced, userColumns } from "./archiveTables.ts"

/** Older than every transaction that is open anywhere, as where a team is moved to another server (`CellMove.ts`). */
const past = "'3'::xid8"

/** What an archive has of a table: its name and columns, and the SQL that reads it. */
export interface ArchivedTable {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  readonly order: string | undefined
}

/** A user of an archive, and what they are here. */
export interface KnownUser {
  readonly id: string
  readonly email: string | null
  readonly isBot: boolean
  /** Whether they are an id and a name alone, from the archive of another team. */
  readonly isReference: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const run = <Row extends object>(statement: string, ...parameters: ReadonlyArray<unknown>) =>
    orDie(sql.unsafe<Row>(statement, parameters).unprepared)

  const columnsOf = ({ columns, name }: Pick<TeamTable, "columns" | "name">): ReadonlyArray<string> =>
    columns.map((column) => column.name).filter((column) => !(column in (replaced[name] ?? {})))

  /** The tables of an archive, each after those that its rows refer to. */
  const tables = Effect.map(tablesOf(sql), (found) =>
    parentsFirst(found)
      .filter(({ name }) => !(name in leftOut))
      .map((table): ArchivedTable => ({ name: table.name, columns: columnsOf(table), order: orders[table.name] }))
  )

  const columnsOfTeam = Effect.map(
    run<{ readonly name: string }>(
      `select attname as name from pg_attribute where attrelid = 'public.teams'::regclass and attnum > 0 and not attisdropped order by attnum`
    ),
    (rows) => rows.map(({ name }) => name).filter((name) => !columnsOfDeletion.includes(name))
  )

  /** The last migration that was applied. */
  const schemaVersion = Effect.map(
    run<{ readonly file: string }>("select max(file) as file from public.schema_migrations"),
    ([row]) => row?.file ?? ""
  )

  /** From here on, the transaction sees one moment, however long it lasts. It must be the first statement. */
  const beginSnapshot = Effect.gen(function* () {
    yield* run("set transaction isolation level repeatable read read only")
    yield* unlimited
  })

  const unlimited = run("set local statement_timeout to 0")

  // The id comes from a row, and is written into the statement because the one of a cursor has no parameters.
  const openCursor = (query: string) => run(`declare archived no scroll cursor for ${query}`)
  const closeCursor = run("close archived")
  const fetchLines = Effect.map(run<{ readonly line: string }>("fetch 500 from archived"), (rows) =>
    rows.map(({ line }) => line)
  )

  const linesQuery = (columns: ReadonlyArray<string>, rest: string) =>
    `select row_to_json(r)::text as line from (select ${columns.join(", ")} from ${rest}) as r`

  const queryOfTable = ({ columns, name, order }: ArchivedTable, teamId: string) =>
    linesQuery(columns, `${name} where team_id = '${teamId}'${order === undefined ? "" : ` order by ${order}`}`)

  const queryOfUsers = (ids: ReadonlyArray<string>) =>
    linesQuery(columnsOfUser, `users where id = any('{${ids.join(",")}}'::uuid[]) order by id`)

  const queryOfTeam = (columns: ReadonlyArray<string>, teamId: string) =>
    linesQuery(columns, `teams where id = '${teamId}'`)

  /** The users (UUIDs) whom a table names in rows of a team. */
  const usersIn = Effect.fn("ArchiveRowsRepo.usersIn")(function* (table: ArchivedTable, teamId: string) {
    const columns = table.columns.filter((column) => userColumns.includes(column))
    if (columns.length === 0) return []
    const rows = yield* run<{ readonly id: string }>(
      `select distinct named.id from ${table.name} t
      cross join lateral (values ${columns.map((column) => `(t.${column})`).join(", ")}) as named (id)
      where t.team_id = $1 and named.id is not null`,
      teamId
    )
    return rows.map(({ id }) => id)
  })

  /** The time of the latest change of a team; null without any. */
  const latestOf = Effect.fn("ArchiveRowsRepo.latestOf")(function* (teamId: string) {
    const [row] = yield* run<{ readonly at: Date | null }>(
      "select greatest((select max(occurred_at) from events where team_id = $1), (select max(at) from journals where team_id = $1 and at > '-infinity')) as at",
      teamId
    )
    return row?.at ?? null
  })

  /** How many offers investors of other teams have of a team. */
  const offersElsewhere = Effect.fn("ArchiveRowsRepo.offersElsewhere")(function* (teamId: string) {
    const rows = yield* inEach(
      sql,
      run<{ readonly count: number }>(
        "select count(*)::int as count from offers where broker_team_id = $1 and team_id <> $1",
        teamId
      )
    )
    return rows.reduce((all, { count }) => all + count, 0)
  })

  /** The namespace of the installation in the file store. */
  const namespace = Effect.map(
    run<{ readonly id: string }>("select id from public.file_space"),
    ([row]) => row?.id ?? ""
  )

  // Writing.

  /** The users with these ids or addresses. */
  const known = Effect.fn("ArchiveRowsRepo.known")(function* (
    ids: ReadonlyArray<string>,
    emails: ReadonlyArray<string>
  ) {
    return yield* orDie(sql<KnownUser>`
      select id, email, is_bot as "isBot", email is null and not is_bot and deleted_at is null as "isReference"
      from users
      where id = any(${ids}::uuid[]) or (not is_bot and lower(email) = any(${emails}::text[]))`)
  })

  /** Adds users, whose lines have the columns of an archive. */
  const insertUsers = Effect.fn("ArchiveRowsRepo.insertUsers")(function* (lines: ReadonlyArray<string>) {
    if (lines.length === 0) return
    yield* run(
      `insert into users (${columnsOfUser.join(", ")})
      select ${columnsOfUser.join(", ")} from json_populate_recordset(null::public.users, $1::json)`,
      `[${lines.join(",")}]`
    )
  })

  /** Gives users an account who were an id and a name alone. */
  const fillUsers = Effect.fn("ArchiveRowsRepo.fillUsers")(function* (lines: ReadonlyArray<string>) {
    if (lines.length === 0) return
    const filled = columnsOfUser.filter((column) => column !== "id")
    yield* run(
      `update users u set ${filled.map((column) => `${column} = r.${column}`).join(", ")}
      from json_populate_recordset(null::public.users, $1::json) as r where u.id = r.id`,
      `[${lines.join(",")}]`
    )
  })

  const insertTeam = Effect.fn("ArchiveRowsRepo.insertTeam")(function* (
    teamId: string,
    columns: ReadonlyArray<string>,
    line: string
  ) {
    const present = yield* columnsOfTeam
    const names = columns.filter((column) => present.includes(column) && column !== "id").join(", ")
    yield* run(
      `insert into teams (id, ${names})
      select $2::uuid, ${names} from json_populate_recordset(null::public.teams, $1::json)`,
      `[${line}]`,
      teamId
    )
  })

  /** Puts a team into the cell with the fewest, where there are cells; returns its name. */
  const assignCell = Effect.fn("ArchiveRowsRepo.assignCell")(function* (teamId: string) {
    const [row] = yield* run<{ readonly cell: string }>(
      `insert into team_cells (team_id, cell)
      select $1, name from cells order by (select count(*) from team_cells where cell = cells.name), name limit 1
      returning cell`,
      teamId
    )
    return row?.cell
  })

  const numbers = Effect.fn("ArchiveRowsRepo.numbers")(function* (count: number) {
    const rows = yield* run<{ readonly number: string }>(
      "select nextval('public.action_numbers')::text as number from generate_series(1, $1::int)",
      count
    )
    return rows.map(({ number }) => number)
  })

  /** Adds rows of a table, whose lines have these columns. Ids of transactions are in the past; what was left out is made again. */
  const insertRows = Effect.fn("ArchiveRowsRepo.insertRows")(function* (
    teamId: string,
    table: TeamTable,
    columns: ReadonlyArray<string>,
    lines: ReadonlyArray<string>
  ) {
    const given = table.columns.filter(({ name }) => columns.includes(name))
    const made = Object.entries(replaced[table.name] ?? {}).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as const]
    )
    const isNumbered = table.name === "actions"
    const names = [...given.map(({ name }) => name), ...made.map(([name]) => name), ...(isNumbered ? ["number"] : [])]
    const values = [
      ...given.map(({ name, type }) =>
        type === "xid8" ? `case when r.${name} is not null then ${past} end` : valueOf(table.name, name)
      ),
      ...made.map(([, value]) => value),
      ...(isNumbered ? ["($3::bigint[])[line.position]"] : [])
    ]
    yield* run(
      `insert into ${table.name} (${names.join(", ")})
      select ${values.join(", ")}
      from json_array_elements($1::json) with ordinality as line (value, position)
      cross join lateral json_populate_record(null::public.${table.name}, line.value) as r
      order by line.position`,
      `[${lines.join(",")}]`,
      teamId,
      ...(isNumbered ? [yield* numbers(lines.length)] : [])
    )
  })

  // Whatever a line says, it is a row of this team. Who has a primary team keeps it; nobody else is without one.
  const valueOf = (table: string, column: string) => {
    if (column === "team_id") return "$2::uuid"
    return table === "memberships" && column === "is_primary"
      ? "r.status = 'active' and not exists (select from memberships m where m.user_id = r.user_id and m.is_primary)"
      : `r.${column}`
  }

  /** The journal goes on where it was: the last event with a number, which those without one come after. */
  const continueJournal = Effect.fn("ArchiveRowsRepo.continueJournal")(function* (teamId: string) {
    yield* run(
      `update journals j set event_seq = coalesce((
        select max(e.seq) from journal n join events e on e.id = n.event_id
        where n.team_id = j.team_id and e.team_id = j.team_id and e.occurred_at = j.at
      ), 0)
      where team_id = $1`,
      teamId
    )
  })

  /** Begins the team's next change after all that it had. */
  const setClock = Effect.fn("ArchiveRowsRepo.setClock")(function* (teamId: string, latest: string) {
    const from = sql.cells === undefined ? "(select) as here" : "this_cell"
    yield* run(
      `select changed_at from ${from}
      cross join lateral public.begin_change($1::uuid, $2::timestamptz + interval '1 millisecond')`,
      teamId,
      latest
    )
  })

  /** Has brokers look for offers of the team in its cell. */
  const rememberOffers = Effect.fn("ArchiveRowsRepo.rememberOffers")(function* (teamId: string, cell: string) {
    const brokers = yield* run<{ readonly broker: string }>(
      "select distinct broker_team_id::text as broker from offers where team_id = $1",
      teamId
    )
    yield* run(
      `insert into offer_cells (broker_team_id, cell)
      select broker, $2 from unnest($1::uuid[]) as of_team (broker) order by broker on conflict do nothing`,
      brokers.map(({ broker }) => broker),
      cell
    )
  })

  /** How many offers a team has of teams that are not in this installation. */
  const unknownBrokers = Effect.fn("ArchiveRowsRepo.unknownBrokers")(function* (teamId: string) {
    const offered = yield* run<{ readonly id: string; readonly count: number }>(
      "select broker_team_id::text as id, count(*)::int as count from offers where team_id = $1 group by 1",
      teamId
    )
    const here = yield* run<{ readonly id: string }>(
      "select id from teams where id = any($1::uuid[])",
      offered.map(({ id }) => id)
    )
    const ids = new Set(here.map(({ id }) => id))
    return offered.filter(({ id }) => !ids.has(id)).reduce((all, { count }) => all + count, 0)
  })

  /** The size and checksum that the row of a file says its content has. */
  const contentOf = Effect.fn("ArchiveRowsRepo.contentOf")(function* (teamId: string, content: string) {
    const [row] = yield* run<{ readonly size: string; readonly sha256: string }>(
      "select size::text, encode(sha256, 'hex') as sha256 from files where team_id = $1 and content = $2::uuid",
      teamId,
      content
    )
    return row === undefined ? undefined : { size: Number(row.size), sha256: row.sha256 }
  })

  return {
    tables,
    columnsOfTeam,
    schemaVersion,
    beginSnapshot,
    unlimited,
    openCursor,
    closeCursor,
    fetchLines,
    queryOfTable,
    queryOfUsers,
    queryOfTeam,
    usersIn,
    latestOf,
    offersElsewhere,
    namespace,
    known,
    insertUsers,
    fillUsers,
    insertTeam,
    assignCell,
    insertRows,
    continueJournal,
    setClock,
    rememberOffers,
    unknownBrokers,
    contentOf
  }
})

/** Reads and writes the rows of archives. Call it for the rows of the team (`inTeam`, or its new cell). */
export class ArchiveRowsRepo extends Context.Service<ArchiveRowsRepo, Effect.Success<typeof make>>()(
  "tenancy/ArchiveRowsRepo"
) {
  static readonly layer = Layer.effect(ArchiveRowsRepo, make)
}
