/** The client of Postgres that every repository uses, and the pools behind it. `TimedClient.ts` makes each of them. */
import * as TimedClient from "./TimedClient.ts"
import { type Cells, makeCells, type Open } from "./Cells.ts"
import type { PgClient, PgPool } from "@effect/sql-pg"
import { Context, Effect, Layer, Predicate, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlConnection } from "effect/sql"
import type { PoolUsage } from "./PoolUsage.ts"
import { makeStandbys, type Standbys } from "./Standbys.ts"
import { onWallClock } from "../Time.ts"
import { sslOf } from "./Tls.ts"

/**
 * Makes `notify` use the connection of the current transaction, so that listeners are notified if and only if it commits.
 * The client's own `notify` uses another connection, and would wait forever in a pool of one.
 */
export const withTransactionalNotify = (sql: PgClient.PgClient): PgClient.PgClient =>
  Object.assign(sql, {
    notify: (channel: string, payload: string) => Effect.asVoid(sql`select pg_notify(${channel}, ${payload})`)
  })

// Limits for failing processes and networks. A writer that hangs holds back every delta, so the server ends its session:
// during a statement, between two, and when its machine answers no keep-alive probe for 20 seconds.
const statementTimeout = 10_000

const sessionSettings = {
  statement_timeout: String(statementTimeout),
  lock_timeout: "5s",
  idle_in_transaction_session_timeout: "30s",
  tcp_keepalives_idle: "5",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  // Parallel workers only for queries of a tenth of a second or longer. By default, the server also starts them for pages
  // of lists, which takes longer than the query itself.
  parallel_setup_cost: "10000"
}

const defaultConnections = 10

/** How many connections a process has for reads that can be slow. */
export const slowReadConnections = 4

/** After how many milliseconds a read that can be slow is canceled, if no other time was set. */
export const defaultSlowReadMs = 2_000

// They write nothing, and one of them takes one core.
const slowReadSettings = { default_transaction_read_only: "on", max_parallel_workers_per_gather: "0" }

/** The maximum number of connections of a client. */
export const connectionsOf = (sql: PgClient.PgClient): number =>
  Predicate.hasProperty(sql.config, "maxConnections") && Predicate.isNumber(sql.config.maxConnections)
    ? sql.config.maxConnections
    : defaultConnections

/** The standbys of a server: their addresses, and how late they may be to answer reads, in milliseconds. */
export interface Replicas {
  readonly urls: ReadonlyArray<Redacted.Redacted<string>>
  readonly maxLagMs: number
}

/** A client with connections apart for reads that can be slow. */
export interface Client extends PgClient.PgClient {
  /** What its connections are used for, without those of cells. */
  readonly pools?: ReadonlyArray<PoolUsage>
  /** The standbys that may answer reads; undefined if there are none. */
  readonly standbys?: Standbys
  /** The cells of teams; undefined on plain Postgres. */
  readonly cells?: Cells
  readonly slowReads?: {
    /** A connection of the caller's own, whose statements are canceled when they take too long, or when nobody waits for them. */
    readonly connection: SqlConnection.Acquirer
    /** After how many milliseconds statements are canceled. */
    readonly timeoutMs: number
  }
}

/** Where slow reads get their connections from: of the cell that they are about, if they are about one. */
const slowReadsOf = (own: SqlConnection.Acquirer, cells: Cells | undefined): SqlConnection.Acquirer =>
  cells === undefined ? own : Effect.flatMap(cells.connections, (found) => found?.slowReads ?? own)

/**
 * The client of Postgres that everything uses: a tag function for statements, transactions, and `json`.
 *
 * ```ts
 * const sql = yield* Database
 * const rows = yield* sql<{ id: string }>`select id from teams where id = ${id}`
 * ```
 *
 * Values are decoded alike on a server and in memory: `int8` as bigint, `numeric` and `date` as string, `timestamptz`
 * as Date (milliseconds), `uuid` as string, `json` and `jsonb` parsed, `bytea` as Uint8Array, and arrays of these.
 */
export class Database extends Context.Service<Database, Client>()("platform/db/Database") {
  /**
   * A pool of connections to the Postgres at `url`. It opens connections when they are first needed and replaces broken
   * ones, so that the layer builds without a server and outlives its restarts.
   */
  static readonly layer = (options: {
    readonly url: Redacted.Redacted<string>
    /** Default 10. Queries outside transactions share connections, so that a few suffice. */
    readonly maxConnections?: number
    /** Shown in `pg_stat_activity`. */
    readonly applicationName?: string
    /** Statements of at least this many milliseconds are logged as slow; by default none. */
    readonly slowQueryMs?: number
    /** How many milliseconds a read that can be slow may take (see usecase/TeamBudget.ts); default 2000. */
    readonly slowReadMs?: number
    /** Standbys that may answer reads (see Standbys.ts); by default none. */
    readonly replicas?: Replicas | undefined
    /** Whether `url` leads to the coordinator of Citus, which keeps the tables of teams in cells (docs/scale.md#citus). */
    readonly citus?: boolean
  }): Layer.Layer<Database> =>
    Layer.effect(
      Database,
      Effect.gen(function* () {
        const configOf = (
          url: Redacted.Redacted<string>
        ): PgPool.Config & { readonly maxConnections: number; readonly url: Redacted.Redacted<string> } => ({
          url,
          ssl: sslOf(url),
          maxConnections: options.maxConnections ?? defaultConnections,
          applicationName: options.applicationName ?? "property-network",
          connectTimeout: "3 seconds",
          keepAlive: "10 seconds",
          startupParameters: sessionSettings,
          multiplex: true
        })
        const times = { slowAfterMs: options.slowQueryMs ?? Infinity, statementTimeout }
        const timeoutMs = options.slowReadMs ?? defaultSlowReadMs
        const slowReadsAt = (
          name: string,
          url: Redacted.Redacted<string>,
          settings: Readonly<Record<string, string>> = {}
        ) =>
          TimedClient.exclusive(
            name,
            {
              ...configOf(url),
              maxConnections: slowReadConnections,
              startupParameters: {
                ...sessionSettings,
                ...slowReadSettings,
                statement_timeout: String(timeoutMs),
                ...settings
              }
            },
            times.slowAfterMs
          )
        const config = configOf(options.url)
        const openCell: Open = (cell, settings) =>
          Effect.gen(function* () {
            const of = { ...config, startupParameters: { ...sessionSettings, ...settings } }
            const slowReads = yield* slowReadsAt(`${cell}_slow_reads`, options.url, settings)
            const { usage, ...connections } = yield* TimedClient.both(cell, of, times)
            return { ...connections, cell, slowReads: slowReads.connection, pools: [usage, slowReads.usage] }
          })
        const slowReads = yield* slowReadsAt("slow_reads", options.url)
        const cells = options.citus === true ? yield* makeCells(config, openCell) : undefined
        const client = yield* TimedClient.make("main", config, times, cells)
        const ofPrimary = Object.assign(withTransactionalNotify(client), {
          slowReads: { connection: slowReadsOf(slowReads.connection, cells), timeoutMs },
          ...(cells === undefined ? {} : { cells })
        })
        const { maxLagMs, urls } = options.replicas ?? { urls: [], maxLagMs: 0 }
        if (urls.length === 0) return Object.assign(ofPrimary, { pools: [client.usage, slowReads.usage] })
        const opened = yield* Effect.forEach(urls, (url, index) =>
          Effect.all({
            config: Effect.succeed(configOf(url)),
            shared: TimedClient.shared(`standby_${index + 1}`, configOf(url), times),
            slowReads: slowReadsAt(`standby_${index + 1}_slow_reads`, url)
          })
        )
        return Object.assign(ofPrimary, {
          pools: [client, slowReads, ...opened.flatMap((one) => [one.shared, one.slowReads])].map(({ usage }) => usage),
          standbys: yield* makeStandbys(config, opened, maxLagMs)
        })
      }).pipe(onWallClock)
    ).pipe(Layer.provide(Reactivity.layer), Layer.orDie)
}
