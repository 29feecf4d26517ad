/**
 * A client of Postgres that times every statement, those that begin and end transactions included, logs slow ones, and ends those
 * that nobody waits for any more. It is assembled here from the driver's pool and the library's `SqlClient`, because neither
 * has a hook around all statements.
 */
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Cause, Effect, Exit, Fiber, Redacted, type Scope, Stream } from "effect"
import type { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { type Cells, CellSwitch } from "./Cells.ts"
import { type Connections, counted, type PoolUsage, sumOf } from "./PoolUsage.ts"
import { CurrentStandby } from "./Standbys.ts"
import { isOfStandby } from "./DatabaseUnavailable.ts"
import { onWallClock } from "../Time.ts"

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

// A statement that was hit so often by the cancel requests of others is one that somebody cancels on purpose.
const maxRepeats = 3

/** What a statement needs on a connection on which others may be under way. */
interface Sharing {
  readonly abandon: Abandon
  /**
   * Where the others are those of other callers: the server cancels statements that take this long, in milliseconds, and one that is
   * canceled earlier was hit in the place of another.
   */
  readonly timeout?: number
}

/**
 * Repeats a statement that was canceled before its time was over: the request was meant for another one on the same connection.
 * The server has undone it.
 */
const repeated = <A>(
  run: Effect.Effect<A, SqlError.SqlError>,
  timeout: number,
  times = 0
): Effect.Effect<A, SqlError.SqlError> => {
  const sentAt = performance.now()
  return Effect.catchIf(
    run,
    ({ reason }) =>
      reason._tag === "StatementTimeoutError" && times < maxRepeats && performance.now() - sentAt < timeout,
    () => Effect.suspend(() => repeated(run, timeout, times + 1))
  )
}

// Ends statements on connections with several under way for which nobody waits any more. The driver only cancels where there is one at a
// time: its cancel request may hit another statement. Why it is sound here: docs/adr/0024-slow-reads.md.

// Most statements end by themselves within this time, in milliseconds.
const grace = 100

// How often to look afterwards, in milliseconds. Abandoned statements often wait behind one another.
const interval = 25

// Finds out at once whether the statement that runs is an abandoned one, and cancels it. The server shortens texts to some length.
// `query_start` is that of the statement, so that one of a quick series is not taken for another.
const cancelAbandoned = `
  select pg_cancel_backend(pid) from pg_stat_activity
  where pid = $1 and state = 'active' and query <> '' and query_start < clock_timestamp() - interval '50 milliseconds'
    and exists (select from unnest($2::text[]) as abandoned (statement) where starts_with(statement, query))`

/** Has a statement canceled for which nobody waits any more, if it is still running after a moment. */
type Abandon = (connection: PgConnection.PgConnection, statement: string) => Effect.Effect<void>

/** Makes the canceler, with a connection of its own that it opens when it first needs it. */
const makeAbandon = Effect.fnUntraced(function* (
  config: PgPool.Config
): Effect.fn.Return<Abandon, SqlError.SqlError, Scope.Scope> {
  const pool = yield* PgPool.make({ ...config, maxConnections: 1, multiplex: false })
  const scope = yield* Effect.scope
  const abandoned = new Map<number, Set<{ readonly statement: string }>>()

  const cancel = (processId: number, statements: ReadonlyArray<string>) =>
    Effect.ignoreCause(pool.use((connection) => connection.query(cancelAbandoned, [processId, statements])))

  /** Looks at a connection until all statements that were abandoned on it have ended. */
  const watch = (processId: number, entries: ReadonlySet<{ readonly statement: string }>): Effect.Effect<void> =>
    Effect.gen(function* () {
      for (let wait = grace; entries.size > 0; wait = interval) {
        yield* onWallClock(Effect.sleep(wait))
        if (entries.size > 0) {
          yield* cancel(processId, [...new Set([...entries].map(({ statement }) => statement))])
        }
      }
    })

  return (connection, statement) => {
    const { processId } = connection
    const known = abandoned.get(processId)
    const entries = known ?? new Set()
    const entry = { statement }
    entries.add(entry)
    // A connection runs its statements one after the other: when the next one has an answer, the abandoned one has ended.
    const untilEnded = Effect.ignoreCause(connection.query("select 1")).pipe(
      Effect.andThen(
        Effect.sync(() => {
          entries.delete(entry)
          if (entries.size === 0) abandoned.delete(processId)
        })
      ),
      Effect.forkIn(scope)
    )
    if (known !== undefined) return Effect.asVoid(untilEnded)
    abandoned.set(processId, entries)
    return Effect.asVoid(Effect.andThen(untilEnded, Effect.forkIn(watch(processId, entries), scope)))
  }
})

/** Where connections come from. */
interface Origin {
  readonly pool: PgPool.PgPool
  readonly slowAfterMs: number
}

/**
 * Whether a statement failed because the connection leads to a standby, though its address may lead to the primary by now. Nothing else
 * would ever end it.
 */
const failsAtStandby = (exit: Exit.Exit<unknown, SqlError.SqlError>): boolean =>
  Exit.isFailure(exit) && exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && isOfStandby(reason.error))

/** A connection for as long as one caller uses it. */
class TimedConnection implements SqlConnection.Connection {
  private readonly connection: PgConnection.PgConnection
  private readonly slowAfterMs: number
  // The time at which the caller requested the connection: the first statement has waited since then.
  private requestedAt: number | undefined
  private readonly pool: PgPool.PgPool
  private readonly sharing: Sharing | undefined
  // The statement that begins a transaction, until the next one has been answered, which goes with it.
  private begun: Fiber.Fiber<unknown, SqlError.SqlError> | undefined
  private isReleased = false

  constructor(
    connection: PgConnection.PgConnection,
    { pool, slowAfterMs }: Origin,
    requestedAt: number | undefined,
    sharing?: Sharing
  ) {
    this.connection = connection
    this.slowAfterMs = slowAfterMs
    this.pool = pool
    this.requestedAt = requestedAt
    this.sharing = sharing
  }

  /** Its caller has done with the connection: another one may have it. */
  release(): void {
    this.isReleased = true
  }

  private timed<A>(statement: string, run: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> {
    return Effect.suspend(() => {
      if (this.isReleased) return Effect.die(new Error("A statement came after the end of its transaction"))
      const { begun, sharing } = this
      this.begun = undefined
      const sentAt = performance.now()
      const since = this.requestedAt ?? sentAt
      this.requestedAt = undefined
      const all = begun === undefined ? run : Effect.tap(run, () => Fiber.join(begun))
      return Effect.onExit(sharing?.timeout === undefined ? all : repeated(all, sharing.timeout), (exit) => {
        const duration = performance.now() - since
        const abandoned =
          sharing !== undefined && Exit.hasInterrupts(exit)
            ? sharing.abandon(this.connection, statement)
            : failsAtStandby(exit)
              ? this.pool.invalidate(this.connection)
              : Effect.void
        return duration < this.slowAfterMs
          ? abandoned
          : Effect.logWarning("A statement was slow.").pipe(
              Effect.annotateLogs({
                statement: abbreviate(statement),
                durationMs: rounded(duration),
                waitedMs: rounded(sentAt - since)
              }),
              Effect.andThen(abandoned)
            )
      })
    })
  }

  private query(statement: string, parameters: ReadonlyArray<unknown>, transform: Transform, prepare: boolean) {
    const rows = Effect.map(this.connection.query(statement, parameters, prepare), rowsOf)
    return this.timed(statement, transform === undefined ? rows : Effect.map(rows, transform))
  }

  execute(statement: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    return statement === begin && this.sharing !== undefined
      ? this.begin()
      : this.query(statement, parameters, transform, true)
  }

  /**
   * Sends what begins a transaction, and does not wait for it: whether it failed is known with the next statement. It is not prepared: one
   * that the server has forgotten would be repeated, after what came behind it.
   */
  private begin(): Effect.Effect<Rows> {
    const sent = Effect.forkDetach(this.query(begin, [], undefined, false), { startImmediately: true })
    return Effect.map(sent, (fiber) => {
      this.begun = fiber
      return []
    })
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

/** What `SqlClient` begins transactions with. */
const begin = "BEGIN"

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

const timedAcquirer = <E, R>(
  acquire: Effect.Effect<PgConnection.PgConnection, E, R>,
  origin: Origin,
  sharing?: Sharing
) =>
  Effect.suspend(() => {
    const requestedAt = performance.now()
    return Effect.flatMap(acquire, (connection) =>
      Effect.acquireRelease(
        Effect.sync(() => new TimedConnection(connection, origin, requestedAt, sharing)),
        (timed) => Effect.sync(() => timed.release())
      )
    )
  })

/**
 * A pool of connections each of which serves one caller at a time. A statement whose caller is interrupted is canceled.
 */
export const exclusive = (
  name: string,
  config: PgPool.Config,
  slowAfterMs: number
): Effect.Effect<
  { readonly connection: SqlConnection.Acquirer; readonly usage: PoolUsage },
  SqlError.SqlError,
  Scope.Scope
> =>
  Effect.map(PgPool.make({ ...config, multiplex: false }), (made) => {
    const pool = counted(name, made)
    return { connection: timedAcquirer(pool.reserve, { pool, slowAfterMs }), usage: pool.usage }
  })

/** How long statements may take, in milliseconds. */
interface Times {
  /** Statements that take this long are logged as slow. */
  readonly slowAfterMs: number
  /** The server cancels statements that take this long. */
  readonly statementTimeout: number
}

// Cheap statements need few connections, because 32 are under way on each.
const forSharing = 2

/** How many of so many connections are lent to transactions, and how many are shared. A program that has few gets one more. */
const splitOf = (connections: number) =>
  connections > forSharing + 1
    ? { lent: connections - forSharing, shared: forSharing }
    : { lent: connections, shared: 1 }

/** The connections to one server that statements share. */
const share = Effect.fnUntraced(function* (
  name: string,
  config: PgPool.Config,
  { slowAfterMs, statementTimeout }: Times
) {
  const pool = counted(name, yield* PgPool.make(config))
  const abandon = yield* makeAbandon(config)
  const sharing: Sharing = { abandon, timeout: statementTimeout }
  const origin: Origin = { pool, slowAfterMs }
  const connections: Connections = {
    acquirer: timedAcquirer(pool.get, origin),
    borrower: (use) =>
      Effect.suspend(() => {
        const requestedAt = performance.now()
        return pool.use((connection) => use(new TimedConnection(connection, origin, requestedAt, sharing)))
      })
  }
  return { abandon, connections, usage: pool.usage }
})

/**
 * The connections to one server that statements share, and those that transactions have for themselves. The statements of a transaction
 * need not wait for one another (`Transaction.together`): the driver allows that on connections that may be shared, so these are
 * lent to one caller each, instead of being reserved by the driver.
 */
const shareAndLend = Effect.fnUntraced(function* (
  name: string,
  config: PgPool.Config & { readonly maxConnections: number },
  times: Times
) {
  const { lent, shared } = splitOf(config.maxConnections)
  const { abandon, connections, usage } = yield* share(name, { ...config, maxConnections: shared }, times)
  const pool = counted(name, yield* PgPool.make({ ...config, maxConnections: lent, multiplexConcurrency: 1 }))
  const transactions = timedAcquirer(pool.get, { pool, slowAfterMs: times.slowAfterMs }, { abandon })
  return { connections, transactions, lent: pool, usage: sumOf(name, [usage, pool.usage]) }
})

/** Connections to a server that are shared by reads. */
export const shared = (
  name: string,
  config: PgPool.Config,
  times: Times
): Effect.Effect<{ readonly connections: Connections; readonly usage: PoolUsage }, SqlError.SqlError, Scope.Scope> =>
  Effect.map(share(name, config, times), ({ connections, usage }) => ({ connections, usage }))

/** Connections of which some are for transactions. */
type WithTransactions = Connections & { readonly transactions: SqlConnection.Acquirer; readonly cell?: string }

/** Connections to a server for statements that share them, and for transactions. */
export const both = (
  name: string,
  config: PgPool.Config & { readonly maxConnections: number },
  times: Times
): Effect.Effect<WithTransactions & { readonly usage: PoolUsage }, SqlError.SqlError, Scope.Scope> =>
  Effect.map(shareAndLend(name, config, times), ({ connections, transactions, usage }) => ({
    ...connections,
    transactions,
    usage
  }))

/** Where statements and transactions get their connections from: of the cell that they are about, if they are about one. */
const routed = (own: WithTransactions, cells: Cells): WithTransactions => {
  const at = <A, E, R>(choose: (connections: WithTransactions) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(cells.connections, (found) => choose(found ?? own))
  return {
    acquirer: at(({ acquirer }) => acquirer),
    borrower: (use) => at(({ borrower }) => borrower(use)),
    transactions: at(({ cell, transactions }) =>
      Effect.map(transactions, (connection) => new CellSwitch(connection, cells, cell))
    )
  }
}

/**
 * A client of the Postgres at `url`. A slow statement is logged as a warning, with the time that it waited for a connection. Queries
 * that share a connection also wait for each other; that time counts as the statement's own. Statements outside transactions go to the
 * standby of the running read, if it has one.
 */
export const make = Effect.fnUntraced(function* (
  name: string,
  config: PgPool.Config & { readonly maxConnections: number; readonly url: Redacted.Redacted<string> },
  times: Times,
  cells?: Cells
): Effect.fn.Return<
  PgClient.PgClient & { readonly usage: PoolUsage },
  SqlError.SqlError,
  Scope.Scope | Reactivity.Reactivity
> {
  const { lent, usage, ...own } = yield* shareAndLend(name, config, times)
  const { acquirer, borrower, transactions } =
    cells === undefined
      ? { ...own.connections, transactions: own.transactions }
      : routed({ ...own.connections, transactions: own.transactions }, cells)
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: Effect.flatMap(CurrentStandby, (standby) => standby?.connections.acquirer ?? acquirer),
    borrower: (use) =>
      Effect.withFiber((fiber) => (fiber.getRef(CurrentStandby)?.connections.borrower ?? borrower)(use)),
    transactionAcquirer: transactions,
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: spanAttributes(Redacted.value(config.url))
  })
  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    config,
    usage,
    json: (value: unknown) => Statement.fragment([jsonParameter(value)]),
    listen: (channel: string) => Effect.flatMap(lent.get, (connection) => connection.listen(channel)),
    notify: (channel: string, payload: string) => Effect.asVoid(client`select pg_notify(${channel}, ${payload})`)
  })
})
