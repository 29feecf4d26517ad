/** Who waits for whom in a test's own database. */
import { Effect, Schedule } from "effect"
import { Database } from "../../src/db/Database.ts"

/**
 * Completes when so many statements of this database wait for a lock: of one kind (`relation`, a whole table), where
 * another may still be seen to wait that does so no more.
 */
export const waiting = (count: number, kind?: "relation") =>
  Effect.gen(function* () {
    const sql = yield* Database
    const found = Effect.gen(function* () {
      // Within a transaction Postgres would show what was at its first look.
      yield* sql`select pg_stat_clear_snapshot()`
      const [row] = yield* sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and (${kind ?? null}::text is null or wait_event = ${kind ?? null})`
      return row?.waiting ?? 0
    })
    yield* Effect.repeat(found, { until: (waits) => waits >= count, schedule: Schedule.spaced("2 millis") })
  }).pipe(Effect.orDie)
