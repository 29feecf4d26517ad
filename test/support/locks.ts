/** Observes lock waits in the database of a test. */
import { Effect, Schedule } from "effect"
import { Database } from "../../src/db/Database.ts"

/**
 * Completes when at least `count` statements of this database wait for a lock. With `relation`, it counts waits for
 * whole tables only: Postgres may still report a wait for a row that has just ended.
 */
export const waiting = (count: number, kind?: "relation") =>
  Effect.gen(function* () {
    const sql = yield* Database
    const waitingNow = Effect.gen(function* () {
      // Within a transaction, Postgres otherwise repeats its first snapshot of the statistics.
      yield* sql`select pg_stat_clear_snapshot()`
      const [row] = yield* sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and (${kind ?? null}::text is null or wait_event = ${kind ?? null})`
      return row?.waiting ?? 0
    })
    yield* Effect.repeat(waitingNow, { until: (waits) => waits >= count, schedule: Schedule.spaced("2 millis") })
  }).pipe(Effect.orDie)
