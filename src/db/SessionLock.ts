/** Locks that a process holds for longer than a transaction, and that end with it, however it ends. */
import { Effect, Schedule, type Scope } from "effect"
import { Database } from "./Database.ts"
import { orDie } from "./DatabaseUnavailable.ts"
import { onWallClock } from "./WallClock.ts"

/** Postgres notices within this time that a process was killed. */
const retries = { schedule: Schedule.spaced("100 millis"), times: 10 }

/**
 * Takes the advisory lock of this name until the scope ends; answers whether it was free. It takes a connection of the pool
 * for as long. In memory there is one session, which has every lock.
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
