/** Who waits for whom in a test's own database. */
import { Effect, Schedule } from "effect"
import { Database } from "../../src/db/Database.ts"

/** Completes when so many statements of this database wait for a lock. */
export const waiting = (count: number) =>
  Effect.gen(function*() {
    const sql = yield* Database
    const found = Effect.gen(function*() {
      // Within a transaction Postgres would show what was at its first look.
      yield* sql`select pg_stat_clear_snapshot()`
      const [row] = yield* sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      return row?.waiting ?? 0
    })
    yield* Effect.repeat(found, { until: (waits) => waits >= count, schedule: Schedule.spaced("2 millis") })
  }).pipe(Effect.orDie)
