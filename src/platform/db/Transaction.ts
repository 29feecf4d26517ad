/** Transactions: how they are run, retried and rolled back, what their failures mean, and a lock that lasts longer than one. */
import * as TransactionPermits from "./TransactionPermits.ts"
import { Cause, Effect, Random, Schedule, type Scope } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { connectionsOf, Database } from "./Database.ts"
import { DatabaseUnavailable, orDie } from "./DatabaseUnavailable.ts"
import { onWallClock } from "../Time.ts"

const maxRetries = 3

// Defects count too: `orDie` in a repository turns failures into defects.
const sqlErrorsOf = (cause: Cause.Cause<unknown>): ReadonlyArray<SqlError> =>
  cause.reasons.flatMap((reason) => {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return isSqlError(error) ? [error] : []
  })

const isConflict = (cause: Cause.Cause<unknown>): boolean =>
  sqlErrorsOf(cause).some(({ reason }) => reason._tag === "SerializationError" || reason._tag === "DeadlockError")

/**
 * Whether the database rejected a statement for its content: it would reject it again in another transaction, and a
 * transaction that ran it in a savepoint can continue. False for a conflict with another transaction, and while the
 * database is unavailable.
 */
export const isRejected = (cause: Cause.Cause<unknown>): boolean => sqlErrorsOf(cause).length > 0 && !isConflict(cause)

/** Whether the same transaction may succeed later: the database is away, a race was lost, or too many of its tenant wait. */
export const isTransient = (cause: Cause.Cause<unknown>): boolean =>
  isConflict(cause) ||
  TransactionPermits.isCrowded(cause) ||
  cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof DatabaseUnavailable)

/** Whether the database canceled a statement because it, or its wait for a lock, took too long. */
export const timedOut = (cause: Cause.Cause<unknown>): boolean =>
  sqlErrorsOf(cause).some(({ reason }) => reason._tag === "LockTimeoutError" || reason._tag === "StatementTimeoutError")

const backoff = (retries: number) =>
  Effect.flatMap(Random.next, (random) => onWallClock(Effect.sleep(5 * 2 ** retries * (0.5 + random))))

const attempt = <A, E, R>(transaction: Effect.Effect<A, E, R>, retries: number): Effect.Effect<A, E, R> =>
  Effect.catchCauseIf(
    transaction,
    (cause) => retries < maxRetries && isConflict(cause),
    () => Effect.andThen(backoff(retries), attempt(transaction, retries + 1))
  )

// Transactions that wait for one another must not use up all connections: two stay free for reads, among them the
// authentication of callers.
const permits = new WeakMap<Database["Service"], TransactionPermits.Permits>()

const permitsOf = (sql: Database["Service"]): TransactionPermits.Permits => {
  const existing = permits.get(sql)
  if (existing !== undefined) return existing
  const made = TransactionPermits.make(Math.max(1, connectionsOf(sql) - 2))
  permits.set(sql, made)
  return made
}

/** How many transactions of a process wait for a permit to begin. */
export const waiting = (sql: Database["Service"]): number => permitsOf(sql).waiting()

// Ends a transaction that must not be committed, with the value that it would return.
class RolledBack<A> {
  readonly value: A
  constructor(value: A) {
    this.value = value
  }
}

/**
 * Sends what does not need each other's answers without waiting for them: in a transaction, one round trip instead of several. Postgres
 * runs the statements in this order, and each sees what the ones before did, such as a lock. When one fails, those behind it do, too.
 */
export const together = <const Effects extends ReadonlyArray<Effect.Effect<unknown, unknown, unknown>>>(
  ...effects: Effects
) => Effect.all(effects, { concurrency: "unbounded" })

/**
 * Runs an effect in one transaction (READ COMMITTED, the server's default), which commits if the effect succeeds and
 * rolls back if it fails, dies or is interrupted.
 *
 * After a deadlock or a serialization failure the whole effect is retried, up to 3 times, so it must have no effects
 * that a rollback does not undo. Every other failure of the database is a defect (see `DatabaseUnavailable`).
 *
 * Inside another transaction it is a savepoint, and only the outermost transaction is retried. That one waits for a permit, of which
 * each tenant has its share (`TransactionPermits.ts`).
 */
export const run = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError>, R | Database> =>
  Effect.gen(function* () {
    const sql = yield* Database
    const outer = yield* Effect.serviceOption(sql.transactionService)
    const transaction = sql.withTransaction(effect)
    return yield* outer._tag === "Some" ? transaction : permitsOf(sql).withPermit(attempt(transaction, 0))
  }).pipe(orDie)

/** As {@link run}, but rolls back what an effect did that succeeds, too. */
export const runAndRollBack = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError>, R | Database> =>
  Effect.flatMap(effect, (value) => Effect.fail(new RolledBack(value))).pipe(
    run,
    Effect.catchIf(
      (error) => error instanceof RolledBack,
      ({ value }) => Effect.succeed(value)
    )
  ) as Effect.Effect<A, Exclude<E, SqlError>, R | Database>

/** Within this time, Postgres notices that the process of a session was killed. */
const lockRetries = { schedule: Schedule.spaced("100 millis"), times: 10 }

/**
 * Takes the advisory lock of this name until the scope ends, and returns whether it was free. Unlike those of a transaction it lasts as
 * long as its holder wants, and ends with its process even if that is killed. It reserves a connection of
 * the pool for as long. The in-memory database has one session, which gets every lock.
 */
export const trySessionLock = Effect.fn("Transaction.trySessionLock")(function* (
  name: string
): Effect.fn.Return<boolean, never, Database | Scope.Scope> {
  const sql = yield* Database
  const connection = yield* orDie(sql.reserve)
  const call = (lockFunction: "pg_try_advisory_lock" | "pg_advisory_unlock") =>
    Effect.map(
      connection.executeValues(`select ${lockFunction}(hashtextextended($1, 0))`, [name]),
      (rows) => rows[0]?.[0] === true
    )
  let acquired = false
  yield* Effect.addFinalizer(() => (acquired ? Effect.ignore(call("pg_advisory_unlock")) : Effect.void))
  return yield* orDie(call("pg_try_advisory_lock")).pipe(
    Effect.tap((free) => Effect.sync(() => void (acquired = free))),
    Effect.repeat({ ...lockRetries, until: (free) => free }),
    onWallClock
  )
})
