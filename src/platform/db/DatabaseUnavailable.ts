import { failedForSpace, isOfFullDisk } from "../StorageSpace.ts"
import { Cause, Data, Effect, Predicate } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/**
 * The defect of a database that cannot answer now: unreachable, starting, stopping, out of connections, too slow, or with a full disk.
 * The same request may succeed later; the HTTP edge answers 503.
 *
 * A statement that the database rejects (an undefined table, a syntax error, an unexpected constraint violation) is a
 * fault of the program: it dies of the `SqlError` itself, which the edge logs in full and answers with 500.
 */
export class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{ readonly cause: unknown }> {
  /** Whether its disk is full. It may answer reads. */
  get isFull(): boolean {
    return isOfFullDisk(this.cause)
  }
}

/** Why statements about a team fail while an operator moves its rows to another cell. */
export class TeamIsMoving extends Data.TaggedError("TeamIsMoving") {
  override readonly message = "The team is being moved to another cell."
}

const isOfMove = ({ cause }: DatabaseUnavailable): boolean =>
  isSqlError(cause) && cause.reason.cause instanceof TeamIsMoving

// Classes of SQLSTATE. 08: the connection broke. 53: out of connections, memory or disk. 57P: shutting down, crashed,
// or starting up.
const unavailableClasses = ["08", "53", "57P"]

const unavailableStates = new Set([
  // The server ended the session of an idle or a long transaction.
  "25P03",
  "25P04",
  // A lock timeout.
  "55P03",
  // A disk fails: Postgres reports what the system says.
  "58030"
])

/** Of errors of a standby whose SQLSTATE says little: the functions of Postgres that report them. Messages may be in any language. */
const routinesOfStandbys: Readonly<Record<string, RegExp>> = {
  // An unlogged table.
  "0A000": /^get_relation_info$/,
  // The place of its log.
  "55000": /^pg_(?:current_wal|walfile)/
}

/** The SQLSTATE of an error that the server reported; undefined for any other, such as a connection that broke. */
export const sqlState = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  return Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) ? cause.code : undefined
}

/** Whether a statement failed because its server is a standby, which has not taken over yet, or not any more the primary. */
export const isOfStandby = (error: SqlError): boolean => {
  const { cause } = error.reason
  const state = sqlState(error) ?? ""
  const routine = Predicate.hasProperty(cause, "routine") ? String(cause.routine) : ""
  return state === "25006" || routinesOfStandbys[state]?.test(routine) === true
}

const isUnavailable = (error: SqlError): boolean => {
  const { _tag, operation } = error.reason
  // Whatever fails while connecting, a rejected password or a missing database included, is no fault of a statement.
  if (_tag === "ConnectionError" || _tag === "StatementTimeoutError" || operation === "connect") return true
  const state = sqlState(error)
  return (
    isOfStandby(error) ||
    (state !== undefined &&
      (unavailableStates.has(state) || unavailableClasses.some((prefix) => state.startsWith(prefix))))
  )
}

/**
 * Turns failures of the database into defects: `DatabaseUnavailable` where a retry may succeed, else the `SqlError`.
 */
export const orDie = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  Effect.catch(self, (error) => {
    if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError>)
    if (isOfFullDisk(error)) {
      return Effect.andThen(failedForSpace("database"), Effect.die(new DatabaseUnavailable({ cause: error })))
    }
    return Effect.die(isUnavailable(error) ? new DatabaseUnavailable({ cause: error }) : error)
  })

/**
 * The log annotations for the first database error among the defects of a cause: its SQLSTATE, and the table and
 * constraint concerned.
 */
const logAnnotationsOf = (cause: Cause.Cause<unknown>): Readonly<Record<string, string>> => {
  const error = cause.reasons.filter(Cause.isDieReason).find(({ defect }) => isSqlError(defect))?.defect
  if (!isSqlError(error)) return {}
  const reported = error.reason.cause
  const text = (member: string, name: string) =>
    Predicate.hasProperty(reported, member) && Predicate.isString(reported[member]) ? { [name]: reported[member] } : {}
  return { ...text("code", "sqlState"), ...text("table", "table"), ...text("constraint", "constraint") }
}

/**
 * Logs the defects that a request died of, in full; `request` names what failed. Returns the one of a database that was unavailable, if it
 * was.
 */
export const logDefects = (
  request: string,
  cause: Cause.Cause<unknown>
): Effect.Effect<DatabaseUnavailable | undefined> => {
  const unavailable = cause.reasons
    .flatMap((reason) => (Cause.isDieReason(reason) ? [reason.defect] : []))
    .find((defect) => defect instanceof DatabaseUnavailable)
  if (unavailable === undefined) {
    return Effect.logError(`${request} failed unexpectedly.`, cause).pipe(
      Effect.annotateLogs(logAnnotationsOf(cause)),
      Effect.as(undefined)
    )
  }
  return Effect.as(
    isOfMove(unavailable)
      ? Effect.logInfo(`${request} was refused for now: its team is being moved to another cell.`)
      : Effect.logError(
          unavailable.isFull ? "The disk of the database is full." : "The database cannot be reached.",
          cause
        ),
    unavailable
  )
}
