import type { Effect, Scope } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import type { Connections } from "./Connections.ts"
import type { CellDirectory } from "./CellDirectory.ts"
import type { PoolUsage } from "./PoolUsage.ts"

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
