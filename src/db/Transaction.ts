import { Cause, Effect, Random, Semaphore } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { connectionsOf, Database } from "./Database.ts"
import { DatabaseUnavailable, orDie } from "./DatabaseUnavailable.ts"
import { onWallClock } from "./WallClock.ts"

const maxRetries = 3

// Looked for among defects too: a repository below has often turned the failure into a defect already.
const sqlErrorsOf = (cause: Cause.Cause<unknown>): ReadonlyArray<SqlError> =>
  cause.reasons.flatMap((reason) => {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return isSqlError(error) ? [error] : []
  })

const lostARace = (cause: Cause.Cause<unknown>): boolean =>
  sqlErrorsOf(cause).some(({ reason }) => reason._tag === "SerializationError" || reason._tag === "DeadlockError")

/**
 * Whether the database refused a statement for what it is: the same in a transaction of its own would be refused again, and
 * a transaction that had it in a savepoint can go on. Not so when a race was lost, or when the database is away.
 */
export const refusedAlone = (cause: Cause.Cause<unknown>): boolean => sqlErrorsOf(cause).length > 0 && !lostARace(cause)

/** Whether the same transaction may succeed later: the database is away, or a race was lost. */
export const isTransient = (cause: Cause.Cause<unknown>): boolean =>
  lostARace(cause) ||
  cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof DatabaseUnavailable)

/** Whether the database gave a statement up because it took too long, or waited too long for a lock. */
export const timedOut = (cause: Cause.Cause<unknown>): boolean =>
  sqlErrorsOf(cause).some(({ reason }) => reason._tag === "LockTimeoutError" || reason._tag === "StatementTimeoutError")

const pause = (retried: number) =>
  Effect.flatMap(Random.next, (random) => onWallClock(Effect.sleep(5 * 2 ** retried * (0.5 + random))))

const attempt = <A, E, R>(transaction: Effect.Effect<A, E, R>, retried: number): Effect.Effect<A, E, R> =>
  Effect.catchCauseIf(
    transaction,
    (cause) => retried < maxRetries && lostARace(cause),
    () => Effect.andThen(pause(retried), attempt(transaction, retried + 1))
  )

// Transactions that wait for one another must not take every connection: reads, and the authentication of all callers,
// keep two.
const gates = new WeakMap<Database["Service"], Semaphore.Semaphore>()

const gateOf = (sql: Database["Service"]): Semaphore.Semaphore => {
  const known = gates.get(sql)
  if (known !== undefined) return known
  const gate = Semaphore.makeUnsafe(Math.max(1, connectionsOf(sql) - 2))
  gates.set(sql, gate)
  return gate
}

/**
 * Runs an effect in one transaction (READ COMMITTED, the server's default): it commits when the effect succeeds and
 * rolls back when it fails, dies or is interrupted.
 *
 * After a deadlock or a serialization failure the whole effect is run again, up to 3 times, so it must do nothing
 * that a rollback does not undo. Every other failure of the database dies (see `DatabaseUnavailable`).
 *
 * Inside another transaction it is a savepoint, and only the outermost is run again.
 */
export const run = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError>, R | Database> =>
  Effect.gen(function* () {
    const sql = yield* Database
    const outer = yield* Effect.serviceOption(sql.transactionService)
    const transaction = sql.withTransaction(effect)
    return yield* outer._tag === "Some" ? transaction : gateOf(sql).withPermit(attempt(transaction, 0))
  }).pipe(orDie)
