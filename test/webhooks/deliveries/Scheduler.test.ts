import * as Id from "../../../src/core/Id.ts"
import * as Receiver from "../../core/outbound/Receiver.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import { advance } from "../../support/advance.ts"
import { Dispatcher, ResumedAtOnce } from "../../../src/webhooks/deliveries/Dispatcher.ts"
import { concurrencyLimits } from "../../../src/webhooks/deliveries/rules.ts"
import { SchedulerRepo } from "../../../src/webhooks/deliveries/SchedulerRepo.ts"
import { planOf, statementsSentBy } from "../../support/Statements.ts"
import { insertFanOut } from "../fanOut.ts"
import { aTeam, serviceWithWorker } from "../fixture.ts"

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

/** A receiver that holds its responses until `respond` runs, and responds at once afterwards. */
const holding = Effect.gen(function* () {
  const held: Array<() => void> = []
  const state = { responds: false, open: 0, maxOpen: 0 }
  const receiver = yield* Receiver.make((response) => {
    state.open++
    state.maxOpen = Math.max(state.maxOpen, state.open)
    const answer = () => {
      state.open--
      response.writeHead(204).end()
    }
    if (state.responds) answer()
    else held.push(answer)
  })
  const respond = Effect.sync(() => {
    state.responds = true
    for (const answer of held.splice(0)) answer()
  })
  return { ...receiver, url: `http://hooks.example.com:${receiver.port}/in`, state, respond }
})

const answering = Effect.fnUntraced(function* (status = 204) {
  const answer = { status }
  const receiver = yield* Receiver.make((response) => response.writeHead(answer.status).end())
  return { ...receiver, url: `http://hooks.example.com:${receiver.port}/in`, answer }
})

type Team = Effect.Success<ReturnType<typeof aTeam>>

const subscribe = Effect.fnUntraced(function* (team: Team, url: string, event = "contact.created") {
  const { value } = yield* team.subscribe({ url, events: [event] })
  return { ...value, uuid: Id.toUuid("webhook", value.id) ?? "" }
})

/** Many events of one committed transaction, without a job for the fan-out. */
const aCascade = Effect.fnUntraced(function* (team: Team, size: number, event = "contact.created") {
  const sql = yield* Database
  const at = yield* now
  const [row] = yield* sql<{ id: string }>`
    with inserted as (
      insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
      select gen_random_uuid(), pg_current_xact_id(), ${team.teamId}::uuid, 'msg_' || gen_random_uuid(), ${event}, 'contact',
        gen_random_uuid(), ${at}::timestamptz, '{}'
      from generate_series(1, ${size})
      returning transaction_id
    )
    select transaction_id::text as id from inserted limit 1`
  const committed = { teamId: team.teamId, transactionId: row?.id ?? "", at: at.toISOString() }
  yield* insertFanOut(committed)
  return committed
})

/** Deliveries of an active webhook with claims of a worker that does nothing. */
const claimedByAnother = Effect.fnUntraced(function* (
  team: Team,
  webhook: { readonly id: string; readonly uuid: string },
  count: number
) {
  const sql = yield* Database
  yield* team.patch(webhook.id, { status: "paused" })
  yield* (yield* Dispatcher).fanOut(yield* aCascade(team, count))
  yield* sql`update deliveries set next_attempt_at = created_at, claimed = true, claimed_by = 'another' where webhook_id = ${webhook.uuid}`
  yield* sql`update webhooks set status = 'active' where id = ${webhook.uuid}`
})

/** Removes jobs, as if they were lost. */
const forget = (keys: string) =>
  Effect.flatMap(
    Database,
    (sql) =>
      sql`
      select 1 from graphile_worker.jobs cross join lateral graphile_worker.remove_job(jobs.key)
      where jobs.key like ${keys}`
  )

/** Removes all jobs of a team. */
const forgetAll = (teamId: string) =>
  Effect.flatMap(Database, (sql) => sql`delete from graphile_worker._private_jobs where payload->>'teamId' = ${teamId}`)

/** The claim request of another worker, without prefetching. */
const another = { claimedBy: "another", prefetchLimits: [] }

const claimsOf = (webhook: string) =>
  Effect.flatMap(Database, (sql) =>
    Effect.map(
      sql<{ count: number }>`select count(*)::int as count from deliveries where webhook_id = ${webhook} and claimed`,
      ([row]) => row?.count
    )
  )

const counted = (webhook: string) =>
  Effect.flatMap(
    Database,
    (sql) =>
      sql<{ status: string; count: number }>`
      select status, count(*)::int as count from deliveries where webhook_id = ${webhook} group by status order by status`
  )

layer(serviceWithWorker)("The scheduler", (it) => {
  describe("limits attempts", () => {
    it.effect("to ten at a time for a webhook that hangs, while another webhook is served", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        const unresponsive = yield* holding
        const healthy = yield* answering()
        const hanging = yield* subscribe(team, unresponsive.url)
        const other = yield* subscribe(team, healthy.url)
        yield* team.addContact
        const cascade = yield* aCascade(team, 60)
        yield* (yield* Dispatcher).fanOut(cascade)
        yield* healthy.untilReceived(61)
        yield* unresponsive.untilReceived(concurrencyLimits.perWebhook)
        assert.strictEqual(yield* claimsOf(hanging.uuid), concurrencyLimits.perWebhook)
        yield* unresponsive.respond
        yield* drain
        assert.strictEqual(unresponsive.state.maxOpen, concurrencyLimits.perWebhook)
        for (const webhook of [hanging, other]) {
          assert.deepStrictEqual(yield* counted(webhook.uuid), [{ status: "delivered", count: 61 }])
        }
      })
    )

    it.effect("to thirty at a time for a team, and guarantees two to a healthy webhook among many that hang", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        const unresponsive = yield* holding
        const healthy = yield* answering()
        const dispatcher = yield* Dispatcher
        for (let count = 0; count < 6; count++) yield* subscribe(team, unresponsive.url)
        yield* dispatcher.fanOut(yield* aCascade(team, 12))
        yield* unresponsive.untilReceived(concurrencyLimits.perTeam)
        yield* subscribe(team, healthy.url)
        yield* dispatcher.fanOut(yield* aCascade(team, 12))
        yield* healthy.untilReceived(12)
        assert.strictEqual(unresponsive.state.maxOpen, concurrencyLimits.perTeam)
        yield* unresponsive.respond
        yield* drain
        assert.lengthOf(unresponsive.received, 6 * 24)
        assert.isAtMost(unresponsive.state.maxOpen, concurrencyLimits.perTeam)
      })
    )

    it.effect("to two at a time for a slow webhook, until it is faster", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const unresponsive = yield* holding
        const webhook = yield* subscribe(team, unresponsive.url)
        yield* sql`update webhooks set slow = true where id = ${webhook.uuid}`
        yield* (yield* Dispatcher).fanOut(yield* aCascade(team, 30))
        yield* unresponsive.untilReceived(concurrencyLimits.guaranteed)
        assert.strictEqual(yield* claimsOf(webhook.uuid), concurrencyLimits.guaranteed)
        yield* unresponsive.respond
        yield* drain
        assert.lengthOf(unresponsive.received, 30)
        assert.deepStrictEqual(yield* sql`select slow from webhooks where id = ${webhook.uuid}`, [{ slow: false }])
      })
    )

    it.effect("even if many transactions free and fill slots concurrently", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        const receiver = yield* answering()
        const dispatcher = yield* Dispatcher
        const webhook = yield* subscribe(team, receiver.url)
        const cascades = yield* Effect.forEach(Array.from({ length: 12 }), () => aCascade(team, 5))
        yield* Effect.forEach(cascades, (cascade) => dispatcher.fanOut(cascade), { concurrency: "unbounded" })
        yield* drain
        assert.lengthOf(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])), 60)
        assert.lengthOf(receiver.received, 60)
        assert.deepStrictEqual(yield* counted(webhook.uuid), [{ status: "delivered", count: 60 }])
        assert.strictEqual(yield* claimsOf(webhook.uuid), 0)
      })
    )
  })

  describe("orders attempts", () => {
    it.effect("with first attempts before retries", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const unresponsive = yield* holding
        const webhook = yield* subscribe(team, unresponsive.url)
        yield* sql`update webhooks set slow = true where id = ${webhook.uuid}`
        const dispatcher = yield* Dispatcher
        const repo = yield* SchedulerRepo
        yield* dispatcher.fanOut(yield* aCascade(team, 4))
        yield* unresponsive.untilReceived(concurrencyLimits.guaranteed)
        // The two waiting deliveries have failed once, long ago.
        const at = yield* now
        yield* sql`
          update deliveries set status = 'failed', attempt_count = 1, next_attempt_at = ${at}::timestamptz - interval '1 day'
          where webhook_id = ${webhook.uuid} and not claimed`
        yield* dispatcher.fanOut(yield* aCascade(team, 3))
        const { deliveries } = yield* sql.withTransaction(
          Effect.andThen(
            repo.lockTeam(team.teamId),
            repo.claim(team.teamId, at, { perWebhook: 6, guaranteed: 6, perTeam: 40 }, another)
          )
        )
        assert.deepStrictEqual(
          deliveries.map(({ attemptCount }) => attemptCount),
          [0, 0, 0, 1]
        )
        const counts = yield* sql<{ attempt_count: number; count: number }>`
          select attempt_count, count(*)::int as count from deliveries where webhook_id = ${webhook.uuid} and not claimed
          group by 1`
        assert.deepStrictEqual(counts, [{ attempt_count: 1, count: 1 }])
        yield* unresponsive.respond
        yield* sql`delete from deliveries where webhook_id = ${webhook.uuid}`
      })
    )

    it.effect("round-robin by webhook, so that a long queue does not precede a short one", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const unresponsive = yield* holding
        const repo = yield* SchedulerRepo
        const dispatcher = yield* Dispatcher
        for (let count = 0; count < 4; count++) yield* subscribe(team, unresponsive.url)
        const late = yield* subscribe(team, unresponsive.url, "contact.deleted")
        const cascade = yield* aCascade(team, 50)
        const one = yield* aCascade(team, 1, "contact.deleted")
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* dispatcher.fanOut(cascade)
            yield* dispatcher.fanOut(one)
            // Another worker has claimed one of them. Otherwise this worker could claim all.
            yield* sql`
            update deliveries set claimed = id = (
              select id from deliveries where team_id = ${team.teamId} and webhook_id <> ${late.uuid} limit 1
            ), claimed_by = 'a third' where team_id = ${team.teamId}`
            const { deliveries } = yield* repo.claim(
              team.teamId,
              yield* now,
              { perWebhook: 10, guaranteed: 0, perTeam: 9 },
              another
            )
            const webhooks = yield* sql<{ webhook_id: string; count: number }>`
            select webhook_id, count(*)::int as count from deliveries where team_id = ${team.teamId} and claimed group by 1`
            assert.lengthOf(deliveries, 8)
            assert.deepStrictEqual(webhooks.map(({ count }) => count).sort(), [1, 2, 2, 2, 2])
            assert.include(
              webhooks.map(({ webhook_id }) => webhook_id),
              late.uuid
            )
            yield* sql`delete from deliveries where team_id = ${team.teamId}`
          })
        )
        yield* unresponsive.respond
        yield* drain
      })
    )
  })

  describe("claims", () => {
    it.effect("with the same number of statements for a thousand events as for one", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const unresponsive = yield* holding
        const types = ["contact.created", "contact.updated", "contact.deleted", "company.created", "company.updated"]
        for (let count = 0; count < 20; count++) {
          yield* team.subscribe({ url: unresponsive.url, events: types })
        }
        const dispatcher = yield* Dispatcher
        const small = yield* aCascade(team, 1)
        yield* unresponsive.respond
        const one = (yield* statementsSentBy(dispatcher.fanOut(small))).statements
        yield* drain
        // Nothing is recorded while the receiver holds its responses, so the deliveries can be deleted.
        unresponsive.state.responds = false
        const large = yield* aCascade(team, 1000)
        const thousand = (yield* statementsSentBy(dispatcher.fanOut(large))).statements
        assert.strictEqual(thousand.length, one.length)
        assert.isBelow(one.length, 8)
        assert.deepStrictEqual(
          yield* sql`select count(*)::int as count from deliveries where team_id = ${team.teamId}`,
          [{ count: 20_020 }]
        )
        yield* sql`delete from deliveries where team_id = ${team.teamId}`
        yield* unresponsive.respond
        yield* drain
      })
    )

    it.effect("by reading only as many waiting deliveries as the limits allow", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const dispatcher = yield* Dispatcher
        const webhook = yield* subscribe(team, (yield* answering()).url)
        yield* team.patch(webhook.id, { status: "paused" })
        yield* dispatcher.fanOut(yield* aCascade(team, 6000))
        yield* sql`vacuum analyze deliveries`
        // A third waits for a later attempt, and a third is delivered.
        const at = yield* now
        yield* sql`
          update deliveries set
            status = case n % 3 when 0 then 'pending' when 1 then 'failed' else 'delivered' end,
            attempt_count = least(n % 3, 1),
            next_attempt_at = case n % 3 when 0 then ${at}::timestamptz when 1 then ${at}::timestamptz + interval '1 day' end
          from (select id, row_number() over () as n from deliveries where webhook_id = ${webhook.uuid}) as counted
          where deliveries.id = counted.id`
        yield* sql`update webhooks set status = 'active' where id = ${webhook.uuid}`
        const { statements } = yield* statementsSentBy(
          sql.withTransaction(
            Effect.andThen(
              (yield* SchedulerRepo).claim(team.teamId, at, concurrencyLimits, another),
              sql`update deliveries set claimed = false, claimed_by = null where webhook_id = ${webhook.uuid}`
            )
          )
        )
        const claim = statements.find(({ text }) => text.includes("candidates"))
        const steps =
          claim === undefined
            ? Effect.succeed([])
            : Effect.map(planOf(claim), (plan) =>
                plan.filter((step) => step["Relation Name"] === "deliveries" && step["Node Type"] !== "ModifyTable")
              )
        // The plan must not depend on statistics from a time when nothing waited.
        const before = yield* steps
        yield* sql`vacuum analyze deliveries`
        for (const some of [before, yield* steps]) {
          assert.include(
            some.map((step) => step["Index Name"]),
            "deliveries_waiting"
          )
          for (const step of some) {
            assert.include(
              ["Index Scan", "Index Only Scan", "Bitmap Heap Scan"],
              step["Node Type"],
              JSON.stringify(step)
            )
            if (step["Index Name"] === "deliveries_waiting") assert.include(JSON.stringify(step), "webhook_id =")
          }
        }
        yield* sql`delete from deliveries where team_id = ${team.teamId}`
      })
    )
  })

  describe("reconciles", () => {
    it.effect("a fan-out that has lost its job", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const receiver = yield* answering()
        yield* subscribe(team, receiver.url)
        yield* sql.withTransaction(Effect.andThen(team.addContact, forgetAll(team.teamId)))
        yield* drain
        assert.isEmpty(receiver.received)
        yield* advance("61 seconds")
        yield* (yield* Dispatcher).reconcile()
        yield* drain
        assert.lengthOf(receiver.received, 1)
        assert.isEmpty(yield* sql`select from fan_outs where team_id = ${team.teamId}`)
      })
    )

    it.effect("held deliveries of an active webhook", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const receiver = yield* answering()
        const webhook = yield* subscribe(team, receiver.url)
        yield* team.patch(webhook.id, { status: "paused" })
        yield* team.addContact
        yield* drain
        yield* sql.withTransaction(
          Effect.andThen(team.patch(webhook.id, { status: "active" }), forget(`resume:${webhook.uuid}`))
        )
        yield* advance("61 seconds")
        assert.isEmpty(receiver.received)
        yield* (yield* Dispatcher).reconcile()
        yield* drain
        assert.lengthOf(receiver.received, 1)
      })
    )

    it.effect("held deliveries of many active webhooks, some webhooks at a time", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const receiver = yield* answering()
        const webhooks = yield* Effect.forEach([1, 2, 3, 4, 5], (one) => subscribe(team, `${receiver.url}/${one}`))
        for (const { id } of webhooks) yield* team.patch(id, { status: "paused" })
        yield* team.addContact
        yield* drain
        yield* sql.withTransaction(
          Effect.forEach(webhooks, ({ id, uuid }) =>
            Effect.andThen(team.patch(id, { status: "active" }), forget(`resume:${uuid}`))
          )
        )
        yield* advance("61 seconds")
        assert.isEmpty(receiver.received)
        yield* Effect.provideService((yield* Dispatcher).reconcile(), ResumedAtOnce, 2)
        yield* drain
        assert.lengthOf(receiver.received, 5)
      })
    )

    it.effect("a claim of a delivery that has ended", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const receiver = yield* answering()
        const webhook = yield* subscribe(team, receiver.url)
        yield* claimedByAnother(team, webhook, 10)
        yield* sql`
          update deliveries set status = 'delivered', attempt_count = 1, next_attempt_at = null
          where webhook_id = ${webhook.uuid}`
        yield* drain
        yield* team.addContact
        yield* drain
        assert.isEmpty(receiver.received)
        yield* (yield* Dispatcher).reconcile()
        yield* drain
        assert.lengthOf(receiver.received, 1)
        assert.strictEqual(yield* claimsOf(webhook.uuid), 0)
      })
    )

    it.effect("claims of a team after one whose rows cannot be written", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const receiver = yield* answering()
        const claims = yield* Effect.forEach(yield* Effect.replicateEffect(aTeam(), 3), (team) =>
          Effect.gen(function* () {
            const webhook = yield* subscribe(team, receiver.url)
            yield* claimedByAnother(team, webhook, 1)
            yield* sql`
              update deliveries set status = 'delivered', attempt_count = 1, next_attempt_at = null
              where webhook_id = ${webhook.uuid}`
            return { team, claims: claimsOf(webhook.uuid) }
          })
        )
        const first = claims.toSorted((a, b) => (a.team.teamId < b.team.teamId ? -1 : 1))[0]
        yield* sql`
          create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`
        yield* sql.unsafe(`
          create trigger refused before update on deliveries for each row
          when (old.team_id = '${first?.team.teamId ?? ""}') execute function refuse()`)
        yield* (yield* Dispatcher).reconcile()
        yield* sql`drop trigger refused on deliveries`
        const left = yield* Effect.forEach(claims, (one) => one.claims)
        assert.deepStrictEqual(left.toSorted(), [0, 0, 1])
        yield* (yield* Dispatcher).reconcile()
      })
    )

    it.effect("overdue deliveries that have lost their wake-up", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        const receiver = yield* answering(500)
        const webhook = yield* subscribe(team, receiver.url)
        const dispatcher = yield* Dispatcher
        yield* dispatcher.fanOut(yield* aCascade(team, 2))
        yield* drain
        yield* forget("due:%")
        receiver.answer.status = 204
        yield* advance("1 minute")
        yield* (yield* Dispatcher).reconcile()
        yield* drain
        // Not released yet: a worker may be about to claim them.
        assert.lengthOf(receiver.received, 2)
        yield* advance("4 seconds")
        yield* (yield* Dispatcher).reconcile()
        yield* drain
        assert.lengthOf(receiver.received, 4)
        assert.deepStrictEqual(yield* counted(webhook.uuid), [{ status: "delivered", count: 2 }])
      })
    )
  })

  it.effect("disables a webhook whose ten deliveries are exhausted at once, and counts all ten", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const team = yield* aTeam()
      const receiver = yield* answering(500)
      const webhook = yield* subscribe(team, receiver.url)
      yield* claimedByAnother(team, webhook, 10)
      yield* sql`
        update deliveries set attempt_count = 8, status = 'failed', claimed = false, claimed_by = null where webhook_id = ${webhook.uuid}`
      yield* (yield* Dispatcher).due({ teamId: team.teamId, at: (yield* now).toISOString() })
      yield* drain
      assert.deepInclude(yield* team.webhook(webhook.id), {
        status: "disabled",
        disabledReason: "deliveries_exhausted",
        consecutiveExhausted: 10
      })
      assert.deepStrictEqual(yield* counted(webhook.uuid), [{ status: "exhausted", count: 10 }])
      assert.strictEqual(yield* claimsOf(webhook.uuid), 0)
    })
  )
})
