/**
 * Ends statements on shared connections for which nobody waits any more. The driver only cancels on exclusive connections: on a
 * shared one, a cancel request may hit the statement of another caller. Why it is sound here: docs/adr/0024-slow-reads.md.
 */
import { type PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { onWallClock } from "../Time.ts"

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

/** Cancels abandoned statements. */
export interface AbandonedStatements {
  /** Has a statement canceled that was sent on a shared connection, if it is still running after a moment. */
  readonly abandon: (connection: PgConnection.PgConnection, statement: string) => Effect.Effect<void>
  /** Marks a connection as one caller's own for as long as the scope is open: by then, all abandoned statements on it have ended. */
  readonly reserved: (connection: PgConnection.PgConnection) => Effect.Effect<void, never, Scope.Scope>
}

/** Makes the canceler, with a connection of its own that it opens when it first needs it. */
export const make = Effect.fnUntraced(function* (
  config: PgPool.Config
): Effect.fn.Return<AbandonedStatements, SqlError.SqlError, Scope.Scope> {
  const pool = yield* PgPool.make({ ...config, maxConnections: 1, multiplex: false })
  const scope = yield* Effect.scope
  const reservedIds = new Set<number>()
  const abandoned = new Map<number, Set<{ readonly statement: string }>>()

  const cancel = (processId: number, statements: ReadonlyArray<string>) =>
    Effect.ignoreCause(pool.use((connection) => connection.query(cancelAbandoned, [processId, statements])))

  /** Looks at a connection until all statements that were abandoned on it have ended. */
  const watch = (processId: number, entries: ReadonlySet<{ readonly statement: string }>): Effect.Effect<void> =>
    Effect.gen(function* () {
      for (let wait = grace; entries.size > 0; wait = interval) {
        yield* onWallClock(Effect.sleep(wait))
        if (entries.size > 0 && !reservedIds.has(processId)) {
          yield* cancel(processId, [...new Set([...entries].map(({ statement }) => statement))])
        }
      }
    })

  const abandon = (connection: PgConnection.PgConnection, statement: string): Effect.Effect<void> => {
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

  const reserved = (connection: PgConnection.PgConnection) =>
    Effect.acquireRelease(
      Effect.sync(() => reservedIds.add(connection.processId)),
      () => Effect.sync(() => reservedIds.delete(connection.processId))
    )

  return { abandon, reserved }
})
