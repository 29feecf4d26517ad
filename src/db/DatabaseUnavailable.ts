import { Data, Effect, Predicate } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/**
 * The defect of a database that cannot answer now: unreachable, starting, stopping, out of connections, or too slow.
 * The same request may succeed later; the HTTP edge answers 503.
 */
export class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{ readonly cause: unknown }> {}

// 08: the connection broke. 28: it refuses our password, 3D: it lacks our database; somebody is changing them, or has
// them wrong. 53: it is out of connections, memory or disk. 57P: it shuts down, crashed, or starts up.
const unavailableClasses = ["08", "28", "3D", "53", "57P"]

const unavailableStates = new Set([
  // Timeouts of an idle or long transaction, and of a lock.
  "25P03",
  "25P04",
  "55P03",
  // It accepts no connections, or no writes: a standby that takes over.
  "55000",
  "25006",
  // It is not migrated yet.
  "42P01",
  "3F000"
])

/** The SQLSTATE that the server gave with an error, if it came from a server at all. */
export const sqlState = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  return Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) ? cause.code : undefined
}

const isUnavailable = (error: SqlError): boolean => {
  if (error.reason._tag === "ConnectionError" || error.reason._tag === "StatementTimeoutError") return true
  const state = sqlState(error)
  return (
    state !== undefined &&
    (unavailableStates.has(state) || unavailableClasses.some((unavailable) => state.startsWith(unavailable)))
  )
}

/** Turns the failures of the database into defects: `DatabaseUnavailable` where waiting may help, else the `SqlError`. */
export const orDie = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  Effect.catch(self, (error) =>
    isSqlError(error)
      ? Effect.die(isUnavailable(error) ? new DatabaseUnavailable({ cause: error }) : error)
      : Effect.fail(error as Exclude<E, SqlError>)
  )
