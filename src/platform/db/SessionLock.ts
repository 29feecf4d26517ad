/** Locks that last longer than a transaction, and end with the process that holds them, even if it is killed. */
import { Effect, Schedule, type Scope } from "effect"
import { Database } from "./Database.ts"
import { orDie } from "./DatabaseUnavailable.ts"
import { onWallClock } from "../Time.ts"

/** Within this time, Postgres notices that the process of a session was killed. */
const retries = { schedule: Schedule.spaced("100 millis"), times: 10 }

/**
 * Takes the advisory lock of this name until the scope ends, and returns whether it was free. It reserves a connection of
 * the pool for as long. The in-memory database has one session, which gets every lock.
 */
export const tryAcquire = Effect.fn("SessionLock.tryAcquire")(function* (
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
    Effect.repeat({ ...retries, until: (free) => free }),
    onWallClock
  )
})
