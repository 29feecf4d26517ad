/** Observes lock waits in the database of a test. */
import { type Context, Effect, Fiber } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import * as Id from "../../src/core/Id.ts"
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

const tables = { project: "projects", prospect: "prospects", room: "rooms" } as const

/**
 * Lets changes come one after the other, in this order: they wait for the lock of the row of a project, prospect or room, which another
 * transaction holds.
 */
export const inTurn = Effect.fnUntraced(function* <A, E, R>(
  id: string,
  changes: ReadonlyArray<Effect.Effect<A, E, R>>
) {
  const sql = yield* Database
  const type = (["prospect", "room"] as const).find((prefix) => id.startsWith(`${prefix}_`)) ?? "project"
  // Without the connection of the transaction that holds the lock.
  const outside = yield* Effect.context<R>()
  const fibers = yield* sql
    .withTransaction(
      Effect.gen(function* () {
        yield* sql`select id from ${sql(tables[type])} where id = ${Id.toUuid(type, id) ?? ""} for update`
        return yield* Effect.forEach(changes, (change, index) =>
          Effect.tap(
            Effect.forkDetach(Effect.updateContext(change, (_: Context.Context<never>) => outside)),
            untilBlocked(index + 1)
          )
        )
      })
    )
    .pipe(Effect.orDie)
  return yield* Effect.forEach(fibers, Fiber.await)
})
