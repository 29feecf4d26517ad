/** Pools of connections for the cells of an installation, each opened when it is first needed. */
import { Effect, Scope } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import type { PgPool } from "@effect/sql-pg"
import { onWallClock } from "./WallClock.ts"
import type { Connections, PoolUsage } from "./PoolUsage.ts"
import { type CellDirectory, currentIn, make as makeDirectory, searchPathOf } from "./CellDirectory.ts"

/** Connections whose statements find the tables of a cell. */
export interface CellConnections extends Connections {
  readonly cell: string
  /** One for a transaction. */
  readonly transactions: SqlConnection.Acquirer
  /** One for a read that can be slow (see usecase/SlowReads.ts). */
  readonly slowReads: SqlConnection.Acquirer
  /** What they are used for. */
  readonly pools: ReadonlyArray<PoolUsage>
}

/** The cells of an installation on Citus. */
export interface Cells extends CellDirectory {
  /** The connections for what the running statements are about (CurrentCell.ts); undefined if that is in no cell. */
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
export const make = Effect.fnUntraced(function* (
  config: PgPool.Config,
  open: Open
): Effect.fn.Return<Cells, SqlError.SqlError, Scope.Scope> {
  const scope = yield* Effect.scope
  const directory = yield* makeDirectory(config)
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
