import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Predicate, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import * as TimedClient from "./TimedClient.ts"
import { onWallClock } from "./WallClock.ts"

/**
 * `notify` on the connection of the transaction, so that it is heard when that commits and never when it does not. The
 * client's own would take another connection, and wait for ever where there is only one.
 */
export const withTransactionalNotify = (sql: PgClient.PgClient): PgClient.PgClient =>
  Object.assign(sql, {
    notify: (channel: string, payload: string) => Effect.asVoid(sql`select pg_notify(${channel}, ${payload})`)
  })

// What a session asks of the server for the time when this process, or the network, is not what it should be. A writer
// that hangs holds back every delta, so it is ended, whether it is in the middle of a statement, between two, or gone
// without a goodbye (nobody answers the probes for 20 seconds).
const sessionSettings = {
  statement_timeout: "10s",
  lock_timeout: "5s",
  idle_in_transaction_session_timeout: "30s",
  tcp_keepalives_idle: "5",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  // Other processes of the server help with what takes them a tenth of a second and more: by default they are started for
  // pages as well, which takes longer than to find one.
  parallel_setup_cost: "10000"
}

const defaultConnections = 10

/** How many connections a store has at the most. */
export const connectionsOf = (sql: PgClient.PgClient): number =>
  Predicate.hasProperty(sql.config, "maxConnections") && Predicate.isNumber(sql.config.maxConnections)
    ? sql.config.maxConnections
    : defaultConnections

/**
 * The one door to Postgres: the client's tag function, its transactions and `json`.
 *
 * ```ts
 * const sql = yield* Database
 * const rows = yield* sql<{ id: string }>`select id from teams where id = ${id}`
 * ```
 *
 * What comes out is the same in both stores: `int8` as bigint, `numeric` and `date` as string, `timestamptz` as
 * Date (milliseconds), `uuid` as string, `json` and `jsonb` parsed, `bytea` as Uint8Array, and arrays of these.
 */
export class Database extends Context.Service<Database, PgClient.PgClient>()("db/Database") {
  /**
   * A pool of connections to the Postgres at `url`. Connections are opened when first used and replaced when they
   * break, so that the layer builds without a server and outlives its restarts.
   */
  static readonly layer = (options: {
    readonly url: Redacted.Redacted<string>
    /** Default 10. Queries outside transactions share connections, so that few are enough. */
    readonly maxConnections?: number
    /** Shown in `pg_stat_activity`. */
    readonly applicationName?: string
    /** From how many milliseconds on a statement is logged as slow; never unless given. */
    readonly slowQueryMs?: number
  }): Layer.Layer<Database> =>
    Layer.effect(
      Database,
      TimedClient.make(
        {
          url: options.url,
          maxConnections: options.maxConnections ?? defaultConnections,
          applicationName: options.applicationName ?? "property-network",
          connectTimeout: "3 seconds",
          keepAlive: "10 seconds",
          startupParameters: sessionSettings,
          multiplex: true
        },
        options.slowQueryMs ?? Infinity
      ).pipe(Effect.map(withTransactionalNotify), onWallClock)
    ).pipe(Layer.provide(Reactivity.layer), Layer.orDie)
}
