import { Context } from "effect"
import type { SqlConnection } from "effect/sql"
import type { Connections } from "./Connections.ts"

/** A standby that answers reads. */
export interface Standby {
  /** Its host and port, for logs. */
  readonly address: string
  readonly connections: Connections
  /** A connection of the caller's own for a read that can be slow (see usecase/SlowReads.ts). */
  readonly slowReads: SqlConnection.Acquirer
  /** The name of the primary that it follows (see WalPosition.ts). */
  readonly serverName: string
  /** Calls `listener` when the standby stops answering. Returns a function that forgets the listener. */
  readonly onLoss: (listener: () => void) => () => void
}

/** The standby that the running read is sent to. Statements in transactions are sent to the primary all the same. */
export const CurrentStandby = Context.Reference<Standby | undefined>("platform/db/CurrentStandby", {
  defaultValue: () => undefined
})
