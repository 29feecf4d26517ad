/**
 * The cells of an installation on Citus (docs/adr/0031-cells.md). On plain Postgres they make no difference; with Citus, the teams of a
 * cell have their tables in a schema of their own.
 *
 * - Whose rows statements are about: whoever admits a caller or a job says it once for the fiber, and what works for other teams says so,
 *   for one with `inTeam`, for several with the others, which run their effect once where there are no cells.
 * - Which cell each team is in. New teams get one when it is first needed.
 * - The connections whose statements find the tables of a cell. Its pools are opened when they are first needed.
 */
import { Cache, Context, Effect, Exit, Scope, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { orDie, TeamIsMoving } from "./DatabaseUnavailable.ts"
import { PgPool } from "@effect/sql-pg"
import { onWallClock } from "../Time.ts"
import type { Connections, PoolUsage } from "./PoolUsage.ts"

/** A team (UUID), or all teams of a cell. */
export type RowsOf = { readonly team: string } | { readonly cell: string }

/** Whose rows the running statements are about. Undefined for what belongs to no team, such as users, tokens and jobs. */
export const CurrentCell = Context.Reference<RowsOf | undefined>("platform/db/CurrentCell", {
  defaultValue: () => undefined
})

/** Runs an effect whose statements are about the rows of a team (UUID). */
export const inTeam =
  (team: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(self, CurrentCell, { team })

/** A database, which has cells with Citus. */
interface MaybeWithCells {
  readonly cells?: Pick<CellDirectory, "all" | "of">
}

const inCell =
  (cell: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(self, CurrentCell, { cell })

/** Runs an effect in these cells, one after the other, and returns what all of them found. */
export const inCells = <A, E, R>(
  cells: ReadonlyArray<string>,
  effect: Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.map(
    // In one order, so that two transactions never wait for each other in turn.
    Effect.forEach(cells.toSorted(), (cell) => inCell(cell)(effect)),
    (found) => found.flat()
  )

/** Runs an effect in each cell, one after the other, and returns what all of them found. */
export const inEach = <A, E, R>(
  sql: MaybeWithCells,
  effect: Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> => {
  const { cells } = sql
  return cells === undefined ? effect : Effect.flatMap(orDie(cells.all), (all) => inCells(all, effect))
}

/** Runs an effect in each cell, one after the other, and in the others too if it fails in one, whose server may be away. */
export const forEach = <A, E, R>(sql: MaybeWithCells, effect: Effect.Effect<A, E, R>): Effect.Effect<void, E, R> => {
  const { cells } = sql
  if (cells === undefined) return Effect.asVoid(effect)
  return Effect.flatMap(orDie(cells.all), (all) =>
    Effect.flatMap(
      Effect.forEach(all, (cell) => Effect.exit(inCell(cell)(effect))),
      Exit.asVoidAll
    )
  )
}

/**
 * Runs an effect for items of several teams: once for those of each cell, in the order of the cells, so that two transactions never wait
 * for each other in turn. Returns what all of them found.
 */
export const byCell = <Item, A, E, R>(
  sql: MaybeWithCells,
  items: ReadonlyArray<Item>,
  teamOf: (item: Item) => string,
  effect: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> => {
  const { cells } = sql
  if (cells === undefined) return effect(items)
  return Effect.gen(function* () {
    const named = yield* Effect.forEach(items, (item) =>
      Effect.map(orDie(cells.of(teamOf(item))), (cell) => ({ cell, item }))
    )
    const groups = [...Map.groupBy(named, ({ cell }) => cell)].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1))
    const found = yield* Effect.forEach(groups, ([cell, group]) => {
      const ofGroup = effect(group.map(({ item }) => item))
      return cell === undefined ? ofGroup : inCell(cell)(ofGroup)
    })
    return found.flat()
  })
}

/** How long a process relies on what it has read, in milliseconds. Whoever moves a team waits for so long. */
export const FreshFor = Context.Reference<number>("platform/db/Cells/FreshFor", { defaultValue: () => 5_000 })

/** The cells of teams. */
interface CellDirectory {
  /** The cell of a team; undefined for a UUID that is not one of a team. Fails while its rows are moved. */
  readonly of: (team: string) => Effect.Effect<string | undefined, SqlError.SqlError>
  /** Fails while a team takes no changes, because its rows are about to be moved. */
  readonly takesChanges: (team: string) => Effect.Effect<void, SqlError.SqlError>
  /** The names of all cells. */
  readonly all: Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
}

/** The cell that the running statements are about; undefined if they are about none. */
const currentIn = (directory: CellDirectory): Effect.Effect<string | undefined, SqlError.SqlError> =>
  Effect.flatMap(CurrentCell, (rows) =>
    rows === undefined ? Effect.undefined : "cell" in rows ? Effect.succeed(rows.cell) : directory.of(rows.team)
  )

// A team that is in none yet gets the cell with the fewest. The statement does not see what another one inserts at the same time.
const find = `
  with assigned as (
    insert into team_cells (team_id, cell)
    select $1::uuid, name from cells
    where not exists (select from team_cells where team_id = $1::uuid) and exists (select from teams where id = $1::uuid)
    order by (select count(*) from team_cells where cell = cells.name), name limit 1
    on conflict do nothing
    returning cell
  )
  select coalesce((select cell from team_cells where team_id = $1::uuid), (select cell from assigned)),
    exists (select from teams where id = $1::uuid), (select state from team_cells where team_id = $1::uuid)`

/** What the directory says of a team. */
interface Entry {
  readonly cell: string | undefined
  /** See sql/0012_cells.sql. */
  readonly state: unknown
}

// As for a database that is away: the same statement will succeed later.
const isMoved = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({
    cause: new TeamIsMoving(),
    message: "The team is being moved to another cell",
    operation: "find a cell"
  })
})

const noCell = new SqlError.SqlError({
  reason: new SqlError.UnknownError({
    cause: new Error("There is no cell for the team: `admin cell create` makes one."),
    message: "The team has no cell",
    operation: "find a cell"
  })
})

/** Reads the directory on a connection of its own: it is asked while all others may be busy. */
const makeCellDirectory = Effect.fnUntraced(function* (
  config: PgPool.Config
): Effect.fn.Return<CellDirectory, SqlError.SqlError, Scope.Scope> {
  const freshFor = yield* FreshFor
  const pool = yield* PgPool.make({ ...config, maxConnections: 1 })
  const read = (statement: string, parameters: ReadonlyArray<unknown> = []) =>
    pool.use((connection) => connection.queryValues(statement, parameters))

  const lookUp = Effect.fnUntraced(function* (team: string): Effect.fn.Return<Entry, SqlError.SqlError> {
    const [row = []] = yield* read(find, [team])
    const [cell, isTeam, state] = row
    if (typeof cell === "string") return { cell, state }
    return isTeam === true ? yield* noCell : { cell: undefined, state: null }
  })
  // The state of a team that is moved is asked for each time, so that it is served as soon as it can be.
  const isKept = ({ cell, state }: Entry) => cell !== undefined && state === null
  const ofTeams = yield* Cache.makeWith((team: string) => Effect.retry(lookUp(team), { times: 1 }), {
    capacity: 100_000,
    timeToLive: (exit) => (Exit.isSuccess(exit) && isKept(exit.value) ? freshFor : 0)
  })
  const entryOf = (team: string) => onWallClock(Cache.get(ofTeams, team))
  const names = yield* Cache.make({
    capacity: 1,
    timeToLive: freshFor,
    lookup: () => Effect.map(read("select name from cells order by name"), (rows) => rows.map(([name]) => String(name)))
  })

  return {
    of: (team) =>
      Effect.flatMap(entryOf(team), ({ cell, state }) => (state === "moving" ? isMoved : Effect.succeed(cell))),
    takesChanges: (team) => Effect.flatMap(entryOf(team), ({ state }) => (state === null ? Effect.void : isMoved)),
    all: onWallClock(Cache.get(names, undefined))
  }
})

/** Where statements look for tables: in the schema of a cell, and for what belongs to no team in `public`. */
export const searchPathOf = (cell: string): string => `${cell}, public`

/** Whether a cell can have this name, which is that of its schema as well. */
export const isCellName = (text: string): boolean => /^cell_[a-z0-9_]{1,40}$/.test(text)

type Connection = SqlConnection.Connection

/**
 * The connection of a transaction that writes for teams of several cells, such as one that communicates a teaser: it sets the search path
 * before a statement that is about another cell than the one before.
 */
export class CellSwitch implements Connection {
  private readonly connection: Connection
  private readonly directory: CellDirectory
  /** The cell whose tables statements find; undefined if that is not known. */
  private cell: string | undefined

  constructor(connection: Connection, directory: CellDirectory, cell: string | undefined) {
    this.connection = connection
    this.directory = directory
    this.cell = cell
  }

  private readonly switched: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    Effect.flatMap(currentIn(this.directory), (cell) =>
      cell === undefined || cell === this.cell
        ? Effect.void
        : Effect.map(
            this.connection.executeUnprepared(`set local search_path to ${searchPathOf(cell)}`, [], undefined),
            () => {
              this.cell = cell
            }
          )
    )
  )

  private run<A>(statement: string, effect: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> {
    if (!isControl(statement)) return Effect.andThen(this.switched, effect)
    // The search path is rolled back to that of the savepoint.
    if (statement.startsWith("ROLLBACK TO")) this.cell = undefined
    return effect
  }

  execute(...args: Parameters<Connection["execute"]>) {
    return this.run(args[0], this.connection.execute(...args))
  }

  executeUnprepared(...args: Parameters<Connection["executeUnprepared"]>) {
    return this.run(args[0], this.connection.executeUnprepared(...args))
  }

  executeRaw(...args: Parameters<Connection["executeRaw"]>) {
    return this.run(args[0], this.connection.executeRaw(...args))
  }

  executeValues(...args: Parameters<Connection["executeValues"]>) {
    return this.run(args[0], this.connection.executeValues(...args))
  }

  executeValuesUnprepared(...args: Parameters<Connection["executeValuesUnprepared"]>) {
    return this.run(args[0], this.connection.executeValuesUnprepared(...args))
  }

  executeStream(...args: Parameters<Connection["executeStream"]>) {
    return Stream.unwrap(Effect.map(this.switched, () => this.connection.executeStream(...args)))
  }
}

const isControl = (statement: string): boolean => /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/.test(statement)

/** Connections whose statements find the tables of a cell. */
export interface CellConnections extends Connections {
  readonly cell: string
  /** One for a transaction. */
  readonly transactions: SqlConnection.Acquirer
  /** One for a read that can be slow (see usecase/TeamBudget.ts). */
  readonly slowReads: SqlConnection.Acquirer
  /** What they are used for. */
  readonly pools: ReadonlyArray<PoolUsage>
}

/** The cells of an installation on Citus. */
export interface Cells extends CellDirectory {
  /** The connections for what the running statements are about ({@link CurrentCell}); undefined if that is in no cell. */
  readonly connections: Effect.Effect<CellConnections | undefined, SqlError.SqlError>
  /** Calls a listener with each pool that is open, and with those that are opened while the scope lasts. */
  readonly watchPools: (listener: (pool: PoolUsage) => void) => Effect.Effect<void, never, Scope.Scope>
}

/** Opens the pools of a cell, on connections that begin with these settings. */
export type Open = (
  cell: string,
  settings: Readonly<Record<string, string>>
) => Effect.Effect<CellConnections, SqlError.SqlError, Scope.Scope>

/** Knows the cells for as long as the scope is open. */
export const makeCells = Effect.fnUntraced(function* (
  config: PgPool.Config,
  open: Open
): Effect.fn.Return<Cells, SqlError.SqlError, Scope.Scope> {
  const scope = yield* Effect.scope
  const directory = yield* makeCellDirectory(config)
  const pools: Array<PoolUsage> = []
  const listeners = new Set<(pool: PoolUsage) => void>()
  const announce = (more: ReadonlyArray<PoolUsage>) => {
    pools.push(...more)
    for (const listener of listeners) for (const pool of more) listener(pool)
  }
  const opened = new Map<string, Effect.Effect<CellConnections, SqlError.SqlError>>()

  const connectionsOf = (cell: string): Effect.Effect<CellConnections, SqlError.SqlError> =>
    Effect.suspend(() => {
      const known = opened.get(cell)
      if (known !== undefined) return known
      const made = Effect.runSync(
        Effect.cached(
          open(cell, { search_path: searchPathOf(cell) }).pipe(
            Scope.provide(scope),
            onWallClock,
            Effect.tap(({ pools }) => Effect.sync(() => announce(pools))),
            // The first who needs them opens them for all, and may go away meanwhile.
            Effect.uninterruptible,
            Effect.onError(() => Effect.sync(() => opened.delete(cell)))
          )
        )
      )
      opened.set(cell, made)
      return made
    })

  return {
    ...directory,
    connections: Effect.flatMap(currentIn(directory), (cell) =>
      cell === undefined ? Effect.undefined : connectionsOf(cell)
    ),
    watchPools: (listener) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => {
            for (const pool of pools) listener(pool)
            listeners.add(listener)
          }),
          () => Effect.sync(() => listeners.delete(listener))
        )
      )
  }
})
