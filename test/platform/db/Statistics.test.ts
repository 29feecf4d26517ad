import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { refreshStatistics } from "../../../src/platform/db/SetStatements.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

layer(TestDatabase.layer)("Statistics that an import refreshes", (it) => {
  const rowsOf = (table: string) =>
    Effect.gen(function* () {
      const sql = yield* Database
      const [row] = yield* sql<{ readonly rows: number }>`
        select reltuples::int as rows from pg_class where relname = ${table}`
      return row?.rows
    })

  it.effect("are left to whoever analyzes the table already", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      yield* sql`create table analyzed (number int) with (autovacuum_enabled = false)`
      yield* sql`insert into analyzed select generate_series(1, 10)`
      const other = yield* sql.reserve
      yield* other.executeRaw("begin", [])
      yield* other.executeRaw("lock table analyzed in share update exclusive mode", [])
      // One that waited for the lock would fail, and the transaction with it.
      yield* sql.withTransaction(refreshStatistics(["analyzed"]))
      assert.strictEqual(yield* rowsOf("analyzed"), -1)
      yield* other.executeRaw("rollback", [])
      yield* refreshStatistics(["analyzed"])
      assert.strictEqual(yield* rowsOf("analyzed"), 10)
    })
  )

  it.effect("may take longer than a statement may", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      // An analysis computes what an index has of each row.
      yield* sql`
        create function slowly(number int) returns int language plpgsql immutable as $$
        begin perform pg_sleep(0.002); return number; end $$`
      yield* sql`create table slow (number int) with (autovacuum_enabled = false)`
      yield* sql`insert into slow select generate_series(1, 100)`
      yield* sql`create index on slow (slowly(number))`
      yield* sql`update pg_class set reltuples = -1 where relname = 'slow'`
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`set local statement_timeout to 100`
          yield* refreshStatistics(["slow"])
        })
      )
      assert.strictEqual(yield* rowsOf("slow"), 100)
    })
  )
})

/** Tables with few rows of a team, or whose statements are about one row, by its key. */
const others = [
  "audit_counts",
  "audit_log",
  "clients",
  "deletion_windows",
  "delivery_wake_ups",
  "erasures",
  "fan_outs",
  "grants",
  "idempotency_keys",
  "imports",
  "invitations",
  "journal",
  "journals",
  "memberships",
  "purged_tombstones",
  "request_records",
  "room_document_numbers",
  "team_cells",
  "team_quotas",
  "team_usage",
  "teasers",
  "tokens",
  "webhook_attempts",
  "webhook_failures",
  "webhook_subscriptions",
  "webhooks"
]

layer(TestDatabase.layer)("Statistics of teams", (it) => {
  it.effect("are taken after ten thousand changes, however many rows a table has", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const found = yield* sql<{ readonly name: string }>`
        select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
        where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'team_id'
          and reloptions is distinct from array['autovacuum_analyze_scale_factor=0', 'autovacuum_analyze_threshold=10000']
        order by 1`
      assert.sameMembers(
        found.map(({ name }) => name),
        others
      )
    })
  )
})
