import type { Effect } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import type { Connections } from "./Connections.ts"
import type { CellDirectory } from "./CellDirectory.ts"

/** Connections whose statements find the tables of a cell. */
export interface CellConnections extends Connections {
  readonly cell: string
  /** One for a transaction. */
  readonly transactions: SqlConnection.Acquirer
  /** One for a read that can be slow (see usecase/SlowReads.ts). */
  readonly slowReads: SqlConnection.Acquirer
}

/** The cells of an installation on Citus. */
export interface Cells extends CellDirectory {
  /** The connections for what the running statements are about (CurrentCell.ts); undefined if that is in no cell. */
  readonly connections: Effect.Effect<CellConnections | undefined, SqlError.SqlError>
}
