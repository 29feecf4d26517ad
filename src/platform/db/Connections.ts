import type { SqlConnection } from "effect/sql"

/** How statements get connections to one server. */
export interface Connections {
  /** Lends one for longer than a statement, shared with those of other callers. */
  readonly acquirer: SqlConnection.Acquirer
  /** Lends one for a statement. */
  readonly borrower: SqlConnection.Borrower
}
