/** The metrics that are read from the database: each moves when its thing happens. */
import pg from "pg"
import * as Job from "../../src/platform/jobs/Job.ts"
import * as JobRuns from "../../src/platform/jobs/JobRuns.ts"
import * as PrivateTables from "../../src/platform/jobs/PrivateTables.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Metric, Redacted, Schema } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { TestClock } from "effect/testing"
import { Database } from "../../src/platform/db/Database.ts"
import { makeHandler } from "../../src/platform/jobs/Worker.ts"
import { refresher } from "../../src/process/DatabaseMetrics.ts"
import { pollUntil } from "../support/polling.ts"
import { testUrl } from "../support/TestDatabase.ts"
import { TestService } from "../support/TestService.ts"
import { addDeliveries, addWebhook } from "../webhooks/healthRows.ts"
import { crontab, handlers, recurring } from "../../workers/handlers.ts"

/** Reads the metrics as often as it is asked to, each time ten seconds later. */
const reading = Effect.gen(function* () {
  const registry: Metric.MetricRegistry = new Map()
  const own = Effect.provideService(Metric.MetricRegistry, registry)
  const refresh = yield* refresher
  const read = Effect.gen(function* () {
    yield* refresh
    yield* TestClock.adjust("10 seconds")
    return yield* PrometheusMetrics.format()
  }).pipe(own)
  /** The value of a series, as it is written in the text format; undefined if it is not there. */
  const value = (series: string) =>
    Effect.map(read, (text) => {
      const line = text.split("\n").find((candidate) => candidate.startsWith(`property_network_${series} `))
      return line === undefined ? undefined : Number(line.split(" ").at(-1))
    })
  return { read, value }
})

const job = (name: string) => Job.make(name, { payload: Schema.Struct({}) })

layer(TestService.layerOwn)("Metrics of the installation", (it) => {
  it.effect("count failed jobs by task: those that wait for a retry, and those that were given up", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { read, value } = yield* reading
      assert.notInclude(yield* read, 'task="test/fails"')
      yield* sql`
        select (graphile_worker.add_job('test/fails', '{}', max_attempts => limits.attempts)).id
        from unnest(array[1, 3, 3]) as limits (attempts)`
      const worker = PrivateTables.make(sql, "the worker", ["test/fails"])
      const later = new Date(Date.now() + 60_000)
      const claimed = (yield* worker.claim(later)).toSorted((a, b) => a.maxAttempts - b.maxAttempts)
      assert.lengthOf(claimed, 3)
      // One that is running is none of them.
      assert.isUndefined(yield* value('queue_failed_jobs{task="test/fails",state="waiting"}'))
      yield* Effect.forEach(claimed.slice(0, 2), (one) => worker.fail(one, later, "It failed."))
      assert.strictEqual(yield* value('queue_failed_jobs{task="test/fails",state="waiting"}'), 1)
      assert.strictEqual(yield* value('queue_failed_jobs{task="test/fails",state="given_up"}'), 1)
      // As docs/operations.md#jobs-fail says.
      const [givenUp, retried, running] = claimed.map(({ id }) => id)
      yield* sql`select id from graphile_worker.reschedule_jobs(array[${givenUp}::bigint], run_at => now(), attempts => 0)`
      assert.strictEqual(yield* value('queue_failed_jobs{task="test/fails",state="given_up"}'), 0)
      yield* sql`select id from graphile_worker.complete_jobs(array[${givenUp}::bigint, ${retried}::bigint])`
      assert.isUndefined(yield* value('queue_failed_jobs{task="test/fails",state="waiting"}'))
      yield* sql`delete from graphile_worker._private_jobs where id = ${running}`
      assert.isUndefined(yield* value('queue_failed_jobs{task="test/fails",state="waiting"}'))
    })
  )

  it.effect("say when each recurring task began and when it ended well, on every process and across restarts", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 21, 12))
      const { read, value } = yield* reading
      const state = { fails: false }
      const [first, second] = JobRuns.recorded([
        makeHandler(job("test/first"), () => Effect.suspend(() => (state.fails ? Effect.die("no") : Effect.void))),
        makeHandler(job("test/second"), () => Effect.void)
      ])
      assert.isDefined(first)
      assert.isDefined(second)
      const at = Date.UTC(2026, 10, 21, 12, 0, 10) / 1000
      yield* read
      yield* first.run({})
      assert.include(yield* read, `property_network_housekeeping_last_run_timestamp_seconds{task="test/first"} ${at}\n`)
      const success = (task: string) => value(`housekeeping_last_success_timestamp_seconds{task="${task}"}`)
      assert.strictEqual(yield* success("test/first"), at)
      // One that never ran is known all the same, since a worker that runs it has run another one.
      assert.strictEqual(yield* success("test/second"), at)
      assert.notInclude(yield* read, 'last_run_timestamp_seconds{task="test/second"}')
      state.fails = true
      yield* TestClock.setTime(Date.UTC(2026, 10, 21, 13))
      yield* Effect.exit(first.run({}))
      assert.strictEqual(yield* value('housekeeping_last_run_timestamp_seconds{task="test/first"}'), at + 3590)
      assert.strictEqual(yield* success("test/first"), at)
      const again = yield* reading
      assert.strictEqual(yield* again.value('housekeeping_last_success_timestamp_seconds{task="test/first"}'), at)
    })
  )

  it.effect("know all that recurs by the first run of any of it, and forget what recurs no more", () =>
    Effect.gen(function* () {
      const reconcile = handlers.find(({ job: { name } }) => name === "webhooks/reconcile")
      assert.isDefined(reconcile)
      yield* reconcile.run({})
      const known = (yield* JobRuns.all).jobs.map(({ name }) => name)
      assert.sameMembers(
        known,
        recurring.map(({ job: { name } }) => name)
      )
      for (const name of known) assert.include(crontab, ` ${name} `)
    })
  )

  it.effect("say when a backup was made last", () =>
    Effect.gen(function* () {
      const { read, value } = yield* reading
      assert.notInclude(yield* read, "backup_last_success")
      yield* TestClock.setTime(Date.UTC(2026, 10, 21, 23))
      yield* JobRuns.noteBackup
      const at = Date.UTC(2026, 10, 21, 23) / 1000
      assert.strictEqual(yield* value("backup_last_success_timestamp_seconds"), at)
      const reconcile = handlers.find(({ job: { name } }) => name === "webhooks/reconcile")
      yield* reconcile?.run({}) ?? Effect.void
      assert.strictEqual(yield* value("backup_last_success_timestamp_seconds"), at)
    })
  )

  it.effect("count webhooks by their health", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { value } = yield* reading
      const { teamId } = yield* Tenant.make()
      const now = Date.UTC(2026, 10, 22, 12)
      yield* TestClock.setTime(now)
      const at = new Date(now - 3_600_000)
      const before = yield* Effect.forEach(["healthy", "late", "failing", "paused", "disabled"], (health) =>
        Effect.map(value(`webhooks{health="${health}"}`), (count) => [health, count ?? 0] as const)
      )
      const late = yield* addWebhook(teamId, { name: "late" }, at)
      const alsoFailing = yield* addWebhook(teamId, { name: "failing" }, at)
      for (const webhook of [late, alsoFailing]) {
        yield* addDeliveries(teamId, webhook, { status: "pending", createdAt: at, nextAttemptAt: at, count: 2 })
      }
      yield* sql`insert into webhook_failures (team_id, webhook_id, is_failing) values (${teamId}, ${alsoFailing}, true)`
      const well = yield* addWebhook(teamId, { name: "well" }, at)
      yield* addDeliveries(teamId, well, { status: "pending", createdAt: at, nextAttemptAt: new Date(now + 999_000) })
      yield* addWebhook(teamId, { name: "well, too" }, at)
      yield* addWebhook(teamId, { name: "paused", status: "paused" }, at)
      yield* addWebhook(teamId, { name: "disabled", status: "disabled", disabledReason: "receiver_gone" }, at)
      yield* addWebhook(teamId, { name: "deleted", deletedAt: at }, at)
      const added = { healthy: 2, late: 1, failing: 1, paused: 1, disabled: 1 }
      for (const [health, count] of before) {
        const expected = count + added[health as keyof typeof added]
        assert.strictEqual(yield* value(`webhooks{health="${health}"}`), expected, health)
      }
    })
  )

  it.effect("show for how long the oldest transaction has been open", () =>
    Effect.gen(function* () {
      const { value } = yield* reading
      const age = Effect.map(value("database_oldest_transaction_age_seconds"), (seconds) => seconds ?? -1)
      assert.isAtLeast(yield* age, 0)
      const client = yield* Effect.acquireRelease(
        Effect.map(testUrl, (url) => new pg.Client({ connectionString: Redacted.value(url) })),
        (opened) => Effect.promise(() => opened.end())
      )
      yield* Effect.promise(async () => {
        await client.connect()
        await client.query("begin")
        await client.query("select pg_current_xact_id()")
      })
      // Others on this server may have been open for longer.
      yield* pollUntil("its age", age, (seconds) => seconds >= 0.05)
    })
  )
})
