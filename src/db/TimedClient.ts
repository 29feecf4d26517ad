/**
 * The driver's client, put together here for the sake of one thing: every statement is timed, those that begin and end
 * transactions included, and one that takes long is logged.
 */
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, Redacted, type Scope, Stream } from "effect"
import type { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"

/** How a statement is told of that took long. */
const longest = 500

/** A statement in one line, as far as it needs to be read. Its parameters are not in it. */
const inShort = (statement: string): string => {
  const line = statement.replaceAll(/\s+/g, " ").trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10

type Rows = ReadonlyArray<PgConnection.Row>

type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

const rowsOf = ({ rows }: PgConnection.Result): Rows => rows

/** One connection, for as long as whoever asked for it has it. */
class TimedConnection implements SqlConnection.Connection {
  private readonly connection: PgConnection.PgConnection
  private readonly slowFrom: number
  // When the connection was asked for: what waited for it is the statement that comes first.
  private askedAt: number | undefined

  constructor(connection: PgConnection.PgConnection, slowFrom: number, askedAt: number) {
    this.connection = connection
    this.slowFrom = slowFrom
    this.askedAt = askedAt
  }

  private timed<A, E>(statement: string, run: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      const sentAt = performance.now()
      const since = this.askedAt ?? sentAt
      this.askedAt = undefined
      return Effect.onExit(run, () => {
        const took = performance.now() - since
        return took < this.slowFrom
          ? Effect.void
          : Effect.logWarning("A statement took long.").pipe(
              Effect.annotateLogs({
                statement: inShort(statement),
                durationMs: rounded(took),
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

  // How long a stream takes is up to whoever reads it.
  executeStream(statement: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    const rows = this.connection.stream(statement, parameters)
    return transform === undefined ? rows : Stream.mapArray(rows, (chunk) => transform(chunk) as typeof chunk)
  }
}

/** A transaction that a failed statement has ended answers a commit with a rollback. */
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

/** What the spans of statements say of the server. */
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
 * A client of the Postgres at `url`. A statement that takes `slowFrom` milliseconds or more is logged as a warning, with
 * the time that it waited for a connection; queries that share one wait for each other, too, which nobody can tell apart.
 */
export const make = Effect.fnUntraced(function* (
  config: PgPool.Config & { readonly url: Redacted.Redacted<string> },
  slowFrom: number
): Effect.fn.Return<PgClient.PgClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> {
  const pool = yield* PgPool.make(config)
  const leased = <E, R>(acquire: Effect.Effect<PgConnection.PgConnection, E, R>) =>
    Effect.suspend(() => {
      const askedAt = performance.now()
      return Effect.map(acquire, (connection) => new TimedConnection(connection, slowFrom, askedAt))
    })
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: leased(pool.get),
    borrower: (use) =>
      Effect.suspend(() => {
        const askedAt = performance.now()
        return pool.use((connection) => use(new TimedConnection(connection, slowFrom, askedAt)))
      }),
    transactionAcquirer: leased(pool.reserve),
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
