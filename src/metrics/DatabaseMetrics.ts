/** The metrics of the connections of this process to the database. */
import { Effect } from "effect"
import { Database } from "../db/Database.ts"
import * as Transaction from "../db/Transaction.ts"
import { gauge } from "./computed.ts"

/** Registers the metrics for as long as the scope lasts. */
export const register = Effect.gen(function* () {
  const sql = yield* Database
  for (const { max, pool, used, waiting } of sql.pools ?? []) {
    yield* gauge("property_network_database_pool_max_connections", "How many connections a pool may have.", () => max, {
      pool
    })
    yield* gauge(
      "property_network_database_pool_used_connections",
      "Connections that run a statement or a transaction, by pool.",
      used,
      { pool }
    )
    yield* gauge(
      "property_network_database_pool_waiting_requests",
      "Statements and transactions that wait for a connection, by pool.",
      waiting,
      { pool }
    )
  }
  yield* gauge(
    "property_network_database_waiting_transactions",
    "Transactions that wait until others of their tenant, or of all, have ended.",
    () => Transaction.waiting(sql)
  )
})
