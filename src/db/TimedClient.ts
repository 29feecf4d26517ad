/**
 * A client of Postgres that times every statement, those that begin and end transactions included, and logs slow ones.
 * It is assembled here from the driver's pool and the library's `SqlClient`, because neither has a hook around all
 * statements.
 */
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, Redacted, type Scope, Stream } from "effect"
import type { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"

const maxLoggedLength = 500

/** A statement in one line, shortened for the log. It contains no parameters. */
const abbreviate = (statement: string): string => {
  const line = statement.replaceAll(/\s+/g, " ").trim()
  return line.length > maxLoggedLength ? `${line.slice(0, maxLoggedLength - 1)}…` : line
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10

type Rows = ReadonlyArray<PgConnection.Row>

type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

const rowsOf = ({ rows }: PgConnection.Result): Rows => rows

/** A connection for as long as one caller uses it. */
class TimedConnection implements SqlConnection.Connection {
  private readonly connection: PgConnection.PgConnection
  private readonly slowAfterMs: number
  // The time at which the caller requested the connection: the first statement has waited since then.
  private requestedAt: number | undefined

  constructor(connection: PgConnection.PgConnection, slowAfterMs: number, requestedAt: number) {
    this.connection = connection
    this.slowAfterMs = slowAfterMs
    this.requestedAt = requestedAt
  }

  private timed<A, E>(statement: string, run: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      const sentAt = performance.now()
      const since = this.requestedAt ?? sentAt
      this.requestedAt = undefined
      return Effect.onExit(run, () => {
        const duration = performance.now() - since
        return duration < this.slowAfterMs
          ? Effect.void
          : Effect.logWarning("A statement was slow.").pipe(
              Effect.annotateLogs({
                statement: abbreviate(statement),
                durationMs: rounded(duration),
                waitedMs: rounded(sentAt - since)
              })
            )
      })
    })
  }

  private query(statement: string, parameters: ReadonlyArray<unknown>, transform: Transform, prepare: boolean) {
    const rows = Effect.map(this.connection.query(statement, parameters, prepare), rowsOf)
    return this.timed(statement, transform === undefined ? rows : Effect.map(rows, transform))
  }

  execute(statement: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    return this.query(statement, parameters, transform, true)
  }

  executeUnprepared(statement: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    return this.query(statement, parameters, transform, false)
  }

  executeRaw(statement: string, parameters: ReadonlyArray<unknown>) {
    return this.timed(statement, this.connection.query(statement, parameters))
  }

  executeValues(statement: string, parameters: ReadonlyArray<unknown>) {
    return this.timed(statement, this.connection.queryValues(statement, parameters))
  }

  executeValuesUnprepared(statement: string, parameters: ReadonlyArray<unknown>) {
    return this.timed(statement, this.connection.queryValues(statement, parameters, false))
  }

  // Not timed: how long a stream takes depends on its reader.
  executeStream(statement: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    const rows = this.connection.stream(statement, parameters)
    return transform === undefined ? rows : Stream.mapArray(rows, (chunk) => transform(chunk) as typeof chunk)
  }
}

/**
 * Commits. If a statement has failed in the transaction, Postgres rolls back and answers COMMIT with the command tag
 * ROLLBACK instead of an error. That becomes an error here; otherwise the caller would believe that its writes are
 * committed.
 */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(
    connection.executeRaw("COMMIT", []) as Effect.Effect<PgConnection.Result, SqlError.SqlError>,
    ({ command }) =>
      command === "ROLLBACK"
        ? Effect.fail(
            new SqlError.SqlError({
              reason: new SqlError.UnknownError({
                cause: new Error("The transaction had failed."),
                message: "COMMIT rolled back a transaction that had failed",
                operation: "commit"
              })
            })
          )
        : Effect.void
  )

/** The attributes that describe the server on the spans of statements. */
const spanAttributes = (url: string): ReadonlyArray<readonly [string, unknown]> => {
  const { hostname, pathname, port, searchParams, username } = new URL(url)
  return [
    ["db.system.name", "postgresql"],
    ["db.namespace", decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username) || "postgres"],
    ["server.address", searchParams.get("host") ?? hostname],
    ["server.port", port === "" ? 5432 : Number(port)]
  ]
}

const jsonParameter = Statement.custom<PgClient.PgCustom>("PgJson")

/**
 * A client of the Postgres at `url`. A statement that takes `slowAfterMs` or longer is logged as a warning, with the
 * time that it waited for a connection. Queries that share a connection also wait for each other; that time counts as
 * the statement's own.
 */
export const make = Effect.fnUntraced(function* (
  config: PgPool.Config & { readonly url: Redacted.Redacted<string> },
  slowAfterMs: number
): Effect.fn.Return<PgClient.PgClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> {
  const pool = yield* PgPool.make(config)
  const timedAcquirer = <E, R>(acquire: Effect.Effect<PgConnection.PgConnection, E, R>) =>
    Effect.suspend(() => {
      const requestedAt = performance.now()
      return Effect.map(acquire, (connection) => new TimedConnection(connection, slowAfterMs, requestedAt))
    })
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: timedAcquirer(pool.get),
    borrower: (use) =>
      Effect.suspend(() => {
        const requestedAt = performance.now()
        return pool.use((connection) => use(new TimedConnection(connection, slowAfterMs, requestedAt)))
      }),
    transactionAcquirer: timedAcquirer(pool.reserve),
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: spanAttributes(Redacted.value(config.url))
  })
  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    config,
    json: (value: unknown) => Statement.fragment([jsonParameter(value)]),
    listen: (channel: string) => Effect.flatMap(pool.reserve, (connection) => connection.listen(channel)),
    notify: (channel: string, payload: string) => Effect.asVoid(client`select pg_notify(${channel}, ${payload})`)
  })
})
