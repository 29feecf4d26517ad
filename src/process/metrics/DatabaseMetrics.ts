/** The metrics of the connections of this process to the database. */
import { Effect, Scope } from "effect"
import { Database } from "../../platform/db/Database.ts"
import type { PoolUsage } from "../../platform/db/PoolUsage.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { gauge } from "./computed.ts"

const registerPool = Effect.fnUntraced(function* ({ max, pool, used, waiting }: PoolUsage) {
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
})

/** Registers the metrics for as long as the scope lasts. */
export const register = Effect.gen(function* () {
  const sql = yield* Database
  for (const pool of sql.pools ?? []) yield* registerPool(pool)
  if (sql.cells !== undefined) {
    const scope = yield* Effect.scope
    yield* sql.cells.watchPools((pool) => Effect.runSync(Scope.provide(registerPool(pool), scope)))
  }
  yield* gauge(
    "property_network_database_waiting_transactions",
    "Transactions that wait until others of their tenant, or of all, have ended.",
    () => Transaction.waiting(sql)
  )
})
