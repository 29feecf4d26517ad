/**
 * Whose rows statements read and write. On plain Postgres it makes no difference; with Citus, the teams of a cell have their tables in
 * a schema of their own (docs/adr/0031-cells.md). Whoever admits a caller or a job says it once for the fiber, and what works for other
 * teams says so: for one with `inTeam`, for several with the others, which run their effect once where there are no cells.
 */
import { Context, Effect, Exit } from "effect"
import type { SqlError } from "effect/sql"
import { orDie } from "./DatabaseUnavailable.ts"

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
  readonly cells?: {
    /** The cell of a team; undefined for a UUID that is not one of a team. */
    readonly of: (team: string) => Effect.Effect<string | undefined, SqlError.SqlError>
    readonly all: Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
  }
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
