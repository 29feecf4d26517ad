/** How connections are lent, and what those of a pool are used for, which the driver's pool does not tell. */
import type { PgConnection, PgPool } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlConnection } from "effect/sql"

/** What a pool has and what is wanted of it, at the moment of the call. */
export interface PoolUsage {
  /** The name of the pool. */
  readonly pool: string
  /** How many connections it may have. */
  readonly max: number
  /** How many connections run a statement or a transaction. */
  readonly used: () => number
  /** How many statements and transactions wait for a connection. */
  readonly waiting: () => number
}

/** A pool whose usage is counted. */
export interface CountedPool extends PgPool.PgPool {
  readonly usage: PoolUsage
}

/** Counts the usage of a pool. */
export const counted = (name: string, pool: PgPool.PgPool): CountedPool => {
  const users = new Map<PgConnection.PgConnection["processId"], number>()
  let waiting = 0

  const enter = ({ processId }: PgConnection.PgConnection) => {
    waiting--
    users.set(processId, (users.get(processId) ?? 0) + 1)
  }
  const leave = ({ processId }: PgConnection.PgConnection) => {
    const left = (users.get(processId) ?? 1) - 1
    if (left === 0) users.delete(processId)
    else users.set(processId, left)
  }

  /** Calls `acquire` with what to call once there is a connection; `done` says whether that was called. */
  const counting = <A, E, R>(
    acquire: (entered: (connection: PgConnection.PgConnection) => void) => Effect.Effect<A, E, R>,
    done: (connection: PgConnection.PgConnection) => void
  ): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      let lent: PgConnection.PgConnection | undefined
      waiting++
      return Effect.onExit(
        acquire((connection) => {
          lent = connection
          enter(connection)
        }),
        () => {
          if (lent === undefined) waiting--
          else done(lent)
          return Effect.void
        }
      )
    })

  const scoped = (acquire: PgPool.PgPool["get"]): PgPool.PgPool["get"] =>
    counting(
      (entered) =>
        Effect.tap(acquire, (connection) =>
          Effect.acquireRelease(
            Effect.sync(() => entered(connection)),
            () => Effect.sync(() => leave(connection))
          )
        ),
      () => {}
    )

  return {
    ...pool,
    get: scoped(pool.get),
    reserve: scoped(pool.reserve),
    use: (f) =>
      counting(
        (entered) =>
          pool.use((connection) => {
            entered(connection)
            return f(connection)
          }),
        leave
      ),
    usage: {
      pool: name,
      max: pool.config.maxConnections ?? 10,
      used: () => users.size,
      waiting: () => waiting
    }
  }
}

/** The usage of pools that are one to whoever looks at it. */
export const sumOf = (name: string, pools: ReadonlyArray<PoolUsage>): PoolUsage => {
  const sum = (of: (usage: PoolUsage) => number) => pools.reduce((all, usage) => all + of(usage), 0)
  return {
    pool: name,
    max: sum(({ max }) => max),
    used: () => sum(({ used }) => used()),
    waiting: () => sum(({ waiting }) => waiting())
  }
}

/** How statements get connections to one server. */
export interface Connections {
  /** Lends one for longer than a statement, shared with those of other callers. */
  readonly acquirer: SqlConnection.Acquirer
  /** Lends one for a statement. */
  readonly borrower: SqlConnection.Borrower
}
