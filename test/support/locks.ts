/** Observes lock waits in the database of a test. */
import { Effect } from "effect"
import { Database } from "../../src/db/Database.ts"
import { pollUntil } from "./polling.ts"

/**
 * Completes when at least `count` statements of this database wait for a lock. With `relation`, it counts waits for
 * whole tables only: Postgres may still report a wait for a row that has just ended.
 */
export const untilBlocked = (count: number, kind?: "relation") =>
  Effect.gen(function* () {
    const sql = yield* Database
    const blocked = Effect.gen(function* () {
      // Within a transaction Postgres would repeat the first snapshot of its statistics.
      yield* sql`select pg_stat_clear_snapshot()`
      const [row] = yield* sql<{ blocked: number }>`
        select count(*)::int as blocked from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and (${kind ?? null}::text is null or wait_event = ${kind ?? null})`
      return row?.blocked ?? 0
    })
    yield* pollUntil(`${count} statements that wait for a lock`, blocked, (found) => found >= count)
  }).pipe(Effect.orDie)
