/** The health of webhooks with rows in every state, and the costs of reading it. */
import * as App from "../../src/App.ts"
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { backlog } from "../../src/platform/jobs/PrivateTables.ts"
import { AttemptsRepo } from "../../src/webhooks/deliveries/AttemptsRepo.ts"
import { WebhooksRepo } from "../../src/webhooks/WebhooksRepo.ts"
import { WebhookHealth } from "../../src/webhooks/WebhookHealth.ts"
import { planOf, readsOf, statementsSentBy } from "../support/Statements.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { addDeliveries, addMonth, addWebhook, type DeliveryRows } from "./healthRows.ts"

const services = App.layerIdentity.pipe(
  Layer.provideMerge(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto))
)

const now = new Date("2026-11-21T12:00:00.000Z")
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
const hour = 3600

const status = (teamId: string) =>
  Effect.flatMap(WebhookHealth, (health) => asOperator(health.status(Id.fromUuid("team", teamId))))

const queue = Effect.flatMap(WebhookHealth, (health) => health.queue())

/** A webhook of a new team, with deliveries. */
const aWebhook = Effect.fnUntraced(function* (
  deliveries: ReadonlyArray<DeliveryRows>,
  state: "active" | "paused" = "active"
) {
  yield* TestClock.setTime(now.getTime())
  const { teamId } = yield* Tenant.make()
  const webhookId = yield* addWebhook(teamId, { name: "one", status: state }, ago(40 * hour))
  yield* Effect.forEach(deliveries, (rows) => addDeliveries(teamId, webhookId, rows), { discard: true })
  const [answer] = yield* status(teamId)
  assert.isDefined(answer)
  return answer
})

const later = ago(-hour)

layer(services)("The status of webhooks", (it) => {
  it.effect("counts pending deliveries: for a later attempt, for a slot, and for an activation", () =>
    Effect.gen(function* () {
      const one = yield* aWebhook([
        { count: 2, status: "pending", createdAt: ago(5), nextAttemptAt: ago(5) },
        { count: 3, status: "failed", createdAt: ago(50), nextAttemptAt: later, attempts: [9] },
        { count: 4, status: "pending", createdAt: ago(50) },
        { count: 5, status: "failed", createdAt: ago(50), statusCode: 503, attempts: [9] },
        { count: 6, status: "pending", createdAt: ago(50), nextAttemptAt: ago(9), claimed: true },
        // Deliveries that have ended.
        { status: "failed", createdAt: ago(50), statusCode: 404, attempts: [9] },
        { status: "exhausted", createdAt: ago(50), attempts: [9] },
        { status: "delivered", createdAt: ago(50), attempts: [9] }
      ])
      assert.deepInclude(one, { pending: 14, inFlight: 6 })
    })
  )

  it.effect("reports since when the oldest attempt is due: a first one, a retry, or a claimed one", () =>
    Effect.gen(function* () {
      const first = { status: "pending", createdAt: ago(40) } as const
      const retry = { status: "failed", createdAt: ago(90), attempts: [9] } as const
      const dueOf = (deliveries: ReadonlyArray<DeliveryRows>) =>
        Effect.map(aWebhook(deliveries), (one) => [one.oldestDueSeconds, one.oldestDueUtc])
      const oldest = [
        yield* dueOf([
          { ...first, nextAttemptAt: ago(40) },
          { ...retry, nextAttemptAt: ago(30) }
        ]),
        yield* dueOf([
          { ...first, nextAttemptAt: ago(20) },
          { ...retry, nextAttemptAt: ago(30) }
        ]),
        yield* dueOf([
          { ...first, nextAttemptAt: ago(20) },
          { ...first, nextAttemptAt: ago(50), claimed: true }
        ]),
        yield* dueOf([{ ...first, nextAttemptAt: later }])
      ]
      assert.deepStrictEqual(oldest, [
        [40, ago(40).toISOString()],
        [30, ago(30).toISOString()],
        [50, ago(50).toISOString()],
        [null, null]
      ])
      const paused = yield* aWebhook([{ ...first, nextAttemptAt: ago(40) }], "paused")
      assert.deepInclude(paused, { oldestDueUtc: null, pending: 1, health: "paused" })
    })
  )

  it.effect("reports the success rate and the 95th percentile of the last 24 hours", () =>
    Effect.gen(function* () {
      const one = yield* aWebhook([
        { count: 18, status: "delivered", createdAt: ago(hour), attempts: [10] },
        { status: "delivered", createdAt: ago(hour), attempts: [700, 20] },
        { status: "failed", createdAt: ago(hour), nextAttemptAt: later, attempts: [900] },
        // Ignored: deliveries without an attempt, and older ones.
        { count: 50, status: "pending", createdAt: ago(5), nextAttemptAt: later },
        { count: 50, status: "exhausted", createdAt: ago(24 * hour + 1), attempts: [10_000] }
      ])
      assert.deepInclude(one, { attempted: 20, delivered: 19, successRate: 0.95, p95Ms: 700, health: "healthy" })
      const idle = yield* aWebhook([])
      assert.deepInclude(idle, { attempted: 0, delivered: 0, successRate: null, p95Ms: null, health: "healthy" })
    })
  )

  it.effect("lists the worst first, with the reason of disabled ones, without deleted ones and other teams", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now.getTime())
      const { team, teamId } = yield* Tenant.make()
      const stranger = yield* Tenant.make()
      const at = ago(hour)
      yield* addWebhook(teamId, { name: "well" }, at)
      yield* addWebhook(teamId, { name: "paused", status: "paused" }, at)
      yield* addWebhook(teamId, { name: "failing", consecutiveExhausted: 2 }, at)
      yield* addWebhook(teamId, { name: "deleted", deletedAt: now }, at)
      yield* addWebhook(teamId, { name: "gone", status: "disabled", disabledReason: "receiver_gone" }, at)
      yield* addWebhook(stranger.teamId, { name: "strange" }, at)
      const all = yield* status(teamId)
      assert.deepStrictEqual(
        all.map(({ health, name }) => [name, health]),
        [
          ["gone", "disabled"],
          ["failing", "failing"],
          ["paused", "paused"],
          ["well", "healthy"]
        ]
      )
      assert.deepInclude(all[0], {
        teamId: team,
        status: "disabled",
        disabledReason: "receiver_gone",
        disabledUtc: at.toISOString(),
        consecutiveExhausted: 0
      })
      const everywhere = yield* Effect.flatMap(WebhookHealth, (health) => asOperator(health.status(undefined)))
      assert.includeMembers(
        everywhere.map(({ name }) => name),
        ["gone", "well", "strange"]
      )
    })
  )
})

/** The statements of an effect, without the settings of its transaction. */
const asked = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(statementsSentBy(effect), ({ reply, statements }) => ({
    reply,
    statements: statements.filter(({ text }) => !text.startsWith("set "))
  }))

layer(services)("The queue of all teams", (it) => {
  it.effect("goes with a webhook that is purged, and not before", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { teamId } = yield* Tenant.make()
      const [kept, purged] = [
        yield* addWebhook(teamId, { name: "kept", status: "active" }, ago(40 * hour)),
        yield* addWebhook(teamId, { name: "purged", status: "active" }, ago(40 * hour))
      ]
      yield* sql`insert into webhook_failures (team_id, webhook_id) values (${teamId}, ${kept}), (${teamId}, ${purged})`
      yield* sql`update webhooks set deleted_at = ${ago(hour)} where id = ${purged}`
      yield* sql`delete from webhook_subscriptions where webhook_id = ${purged}`
      const repo = yield* WebhooksRepo
      const found = yield* repo.findPurgeable(now, { limit: 10, failed: [] })
      assert.deepStrictEqual(found, [{ id: purged, teamId }])
      assert.strictEqual(yield* repo.purge(teamId, [kept, purged], now), 1)
      const failures = yield* sql<{ id: string }>`
        select webhook_id as id from webhook_failures where webhook_id in (${kept}, ${purged})`
      assert.deepStrictEqual(failures, [{ id: kept }])
    }).pipe(Effect.provide(WebhooksRepo.layer))
  )

  it.effect("is empty in an empty service", () =>
    Effect.gen(function* () {
      const health = yield* WebhookHealth
      assert.deepStrictEqual(yield* health.queue(), { waiting: 0, due: 0, inFlight: 0, held: 0, oldestDueSeconds: 0 })
      assert.deepStrictEqual(yield* backlog, { due: 0, waiting: 0, oldestDueSeconds: 0 })
    })
  )

  // A month of deliveries of 20 webhooks. Three of them have waiting deliveries.
  const month = Effect.gen(function* () {
    yield* TestClock.setTime(now.getTime())
    const sql = yield* Database
    const { teamId } = yield* Tenant.make()
    yield* Effect.forEach(
      Array.from({ length: 20 }, (_, index) => index),
      Effect.fnUntraced(function* (index) {
        const webhookId = yield* addWebhook(
          teamId,
          {
            name: `n${index}`,
            status: index === 2 ? "paused" : "active"
          },
          ago(40 * 24 * hour)
        )
        if (index > 2) return
        yield* addDeliveries(teamId, webhookId, {
          count: 7,
          status: "pending",
          createdAt: ago(80),
          nextAttemptAt: ago(80)
        })
        yield* addDeliveries(teamId, webhookId, {
          count: 5,
          status: "failed",
          createdAt: ago(90),
          nextAttemptAt: later,
          attempts: [9]
        })
        yield* addDeliveries(teamId, webhookId, {
          count: 2,
          status: "pending",
          createdAt: ago(70),
          nextAttemptAt: ago(70),
          claimed: true
        })
        yield* addDeliveries(teamId, webhookId, { count: 1, status: "pending", createdAt: ago(60) })
      }),
      { discard: true }
    )
    yield* addMonth(teamId, ago(hour))
    yield* sql`
      select 1 from generate_series(-20, 10) n
      cross join lateral graphile_worker.add_job(
        'test', run_at => ${now}::timestamptz - n * interval '1 second', priority => (n % 3)::int
      )`
    yield* sql`vacuum analyze deliveries, delivery_attempts, webhooks, graphile_worker._private_jobs`
    return teamId
  })

  it.effect("and the status are counted by indexes alone, with as many statements for 20 webhooks as for one", () =>
    Effect.gen(function* () {
      const teamId = yield* month
      const waiting = yield* asked(queue)
      // Nothing is due for the paused webhook.
      assert.deepStrictEqual(waiting.reply, { waiting: 22, due: 14, inFlight: 6, held: 3, oldestDueSeconds: 80 })
      const jobs = yield* backlog
      assert.deepStrictEqual(jobs, { due: 11, waiting: 20, oldestDueSeconds: 10 })
      const all = yield* asked(status(teamId))
      assert.strictEqual(all.reply.length, 20)
      const alone = yield* Tenant.make()
      yield* addWebhook(alone.teamId, { name: "alone" }, now)
      const one = yield* asked(status(alone.teamId))
      assert.strictEqual(all.statements.length, one.statements.length)
      assert.strictEqual(waiting.statements.length, 1)
      const uuids = all.reply.flatMap(({ id }) => Id.toUuid("webhook", id) ?? [])
      const byHour = yield* asked(Effect.flatMap(WebhookHealth, (health) => health.byHour(teamId, uuids)))
      assert.lengthOf(byHour.reply, 24)
      assert.lengthOf(byHour.statements, 1)
      assert.strictEqual(byHour.reply.at(-2)?.waiting, 30, "of the hour before noon, of active and paused webhooks")
      for (const statement of [...waiting.statements, ...all.statements, ...byHour.statements]) {
        const whole = (yield* planOf(statement)).filter((node) => node["Node Type"] === "Seq Scan")
        assert.deepStrictEqual(
          whole.map((node) => node["Relation Name"]).filter((name) => name !== "webhooks"),
          [],
          statement.text
        )
      }
    })
  )

  it.effect("shrinks by results, whose records look for earlier attempts of their deliveries by the key alone", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { teamId } = yield* Tenant.make()
      const webhookId = yield* addWebhook(teamId, { name: "one" }, ago(hour))
      yield* addDeliveries(teamId, webhookId, { status: "failed", createdAt: ago(60), claimed: true, attempts: [5] })
      const [row] = yield* sql<{ id: string }>`select id from deliveries where webhook_id = ${webhookId}`
      const attempt = {
        delivery: { id: row?.id ?? "", teamId, status: "failed", attemptCount: 1, replayedAttempts: 0 },
        status: "delivered",
        isCounted: true,
        isMade: true,
        nextAttemptAt: null,
        deliveredAt: now,
        startedAt: now,
        durationMs: 9,
        statusCode: 204,
        error: null,
        requestHeaders: {},
        responseHeaders: {},
        responseBody: ""
      } as const
      const { reply, statements } = yield* asked(Effect.flatMap(AttemptsRepo, (repo) => repo.record(teamId, [attempt])))
      assert.strictEqual(reply.size, 1)
      assert.lengthOf(statements, 3)
      const reads = yield* Effect.forEach(statements, (one) => readsOf(one, ["delivery_attempts"]))
      assert.deepStrictEqual(
        reads.flat().map(({ by }) => by),
        ["Index Scan of delivery_attempts by delivery_attempts_pkey"]
      )
    }).pipe(Effect.provide(AttemptsRepo.layer))
  )
})
