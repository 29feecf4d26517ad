import * as Id from "../../../src/core/Id.ts"
import * as Receiver from "../../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../../src/platform/db/Database.ts"
import { lockSeed, Worker, WorkerSession } from "../../../src/platform/jobs/Worker.ts"
import { advance } from "../../support/advance.ts"
import { AttemptsRepo } from "../../../src/webhooks/deliveries/AttemptsRepo.ts"
import { type AttemptRecord, concurrencyLimits } from "../../../src/webhooks/deliveries/rules.ts"
import { CheckInterval, DeliveryWorker } from "../../../src/webhooks/deliveries/DeliveryWorker.ts"
import { Dispatcher } from "../../../src/webhooks/deliveries/Dispatcher.ts"
import { FailureLog } from "../../../src/webhooks/deliveries/FailureLog.ts"
import { SchedulerRepo } from "../../../src/webhooks/deliveries/SchedulerRepo.ts"
import { Recorder } from "../../../src/webhooks/deliveries/Recorder.ts"
import { Scheduler } from "../../../src/webhooks/deliveries/Scheduler.ts"
import { pollUntil } from "../../support/polling.ts"
import { readsOf, statementsSentBy } from "../../support/Statements.ts"
import { aTeam, serviceWithWorker } from "../fixture.ts"

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

/** A receiver that responds to the first `atOnce` requests at once, and to the others when the test calls `answer`. */
const answering = Effect.fnUntraced(function* (atOnce: number) {
  const waiting: Array<(status: number) => void> = []
  const state = { left: atOnce, status: 0, open: 0, maxOpen: 0 }
  const { port, received, until } = yield* Receiver.make((response) => {
    state.open++
    state.maxOpen = Math.max(state.maxOpen, state.open)
    const number = received.length
    const answer = (status: number) => {
      state.open--
      response.writeHead(status).end(`answered ${number}`)
    }
    if (state.left-- > 0) answer(204)
    else if (state.status > 0) answer(state.status)
    else waiting.push(answer)
  })
  return {
    url: `http://hooks.example.com:${port}/in`,
    received,
    state,
    holding: (count: number) => until(`${count} unanswered requests`, () => waiting.length === count),
    answer: (status: number) =>
      Effect.sync(() => {
        state.status = status
        for (const answer of waiting.splice(0)) answer(status)
      })
  }
})

/** A team with a webhook and due deliveries, without a job. */
const aBacklog = Effect.fnUntraced(function* (size: number, atOnce: number) {
  const sql = yield* Database
  const receiver = yield* answering(atOnce)
  const team = yield* aTeam()
  const { id } = (yield* team.subscribe({ url: receiver.url, events: ["contact.created"] })).value
  const webhook = Id.toUuid("webhook", id) ?? ""
  const at = yield* now
  yield* sql`
    with inserted as (
      insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
      select gen_random_uuid(), pg_current_xact_id(), ${team.teamId}::uuid, 'msg_' || gen_random_uuid(), 'contact.created', 'contact',
        gen_random_uuid(), ${at}::timestamptz, '{}'
      from generate_series(1, ${size})
      returning id
    )
    insert into deliveries (id, team_id, webhook_id, event_id, event_type, status, created_at, next_attempt_at)
    select gen_random_uuid(), ${team.teamId}::uuid, ${webhook}::uuid, id, 'contact.created', 'pending',
      ${at}::timestamptz, ${at}::timestamptz
    from inserted`
  const claimed = Effect.map(
    sql`select from deliveries where webhook_id = ${webhook} and claimed`,
    (rows) => rows.length
  )
  const states = sql<{ status: string; count: number }>`
    select status, count(*)::int as count from deliveries where webhook_id = ${webhook} group by status order by status`
  /** Completes when the worker has claimed more than it may send at once. */
  const prefetched = pollUntil(
    "more claims than requests in flight",
    claimed,
    (count) => count > concurrencyLimits.perWebhook
  )
  /** The job of the team's wake-up. */
  const wakeUp = { teamId: team.teamId, at: at.toISOString() }
  return { receiver, team, id, webhook, claimed, prefetched, states, wakeUp }
})

/** The worker of another process: new instances of its services, on the same database. */
const anotherProcess = Effect.fnUntraced(function* (
  id: string,
  options: { readonly attempts?: Layer.Layer<AttemptsRepo, never, AttemptsRepo>; readonly isVisible?: boolean } = {}
) {
  const { attempts = Layer.effect(AttemptsRepo, AttemptsRepo), isVisible = false } = options
  const parts = yield* Layer.build(
    Layer.fresh(Dispatcher.layerNoDeps).pipe(
      Layer.provide(Layer.fresh(DeliveryWorker.layerNoDeps)),
      Layer.provide(Layer.succeed(CheckInterval, "500 millis")),
      Layer.provide(Layer.provide(Layer.fresh(Recorder.layerNoDeps), Layer.merge(attempts, FailureLog.layer))),
      Layer.provide(Layer.fresh(Scheduler.layerNoDeps)),
      Layer.provideMerge(Layer.fresh(WorkerSession.layer))
    )
  )
  return yield* Effect.gen(function* () {
    const session = yield* WorkerSession
    const lease = { id, isVisible }
    session.startLease(lease)
    return {
      dispatcher: yield* Dispatcher,
      idle: session.awaitIdle,
      leave: Effect.sync(() => session.endLease(lease.id))
    }
  }).pipe(Effect.provideContext(parts))
})

layer(serviceWithWorker)("A worker", (it) => {
  it.effect("prefetches deliveries, and releases the unsent ones on the first failure", () =>
    Effect.gen(function* () {
      const backlog = yield* aBacklog(100, 30)
      yield* (yield* Dispatcher).due(backlog.wakeUp)
      yield* backlog.receiver.holding(concurrencyLimits.perWebhook)
      yield* backlog.prefetched
      yield* backlog.receiver.answer(400)
      yield* drain
      assert.deepStrictEqual(yield* backlog.states, [
        { status: "delivered", count: 30 },
        { status: "failed", count: 70 }
      ])
      assert.lengthOf(backlog.receiver.received, 100)
      assert.isAtMost(backlog.receiver.state.maxOpen, concurrencyLimits.perWebhook)
      assert.strictEqual(yield* backlog.claimed, 0)
    })
  )

  it.effect(
    "releases deliveries that it claimed a second ago, so that a webhook paused in the meantime gets none",
    () =>
      Effect.gen(function* () {
        const { claimed, prefetched, wakeUp, id, receiver, states, team } = yield* aBacklog(100, 30)
        yield* (yield* Dispatcher).due(wakeUp)
        yield* receiver.holding(concurrencyLimits.perWebhook)
        yield* prefetched
        yield* team.patch(id, { status: "paused" })
        yield* TestClock.adjust("2 seconds")
        yield* receiver.answer(204)
        yield* drain
        assert.lengthOf(receiver.received, 40)
        assert.strictEqual(yield* claimed, 0)
        yield* team.patch(id, { status: "active" })
        yield* drain
        assert.deepStrictEqual(yield* states, [{ status: "delivered", count: 100 }])
        assert.lengthOf(receiver.received, 100)
      })
  )

  it.effect("releases unsent deliveries when its lease ends, and another worker sends them", () =>
    Effect.gen(function* () {
      const { claimed, prefetched, wakeUp, receiver, states } = yield* aBacklog(60, 30)
      const one = yield* anotherProcess("one")
      yield* one.dispatcher.due(wakeUp)
      yield* receiver.holding(concurrencyLimits.perWebhook)
      yield* prefetched
      yield* one.leave
      // The attempts in flight continue, so the other worker is at the limit and claims nothing.
      yield* pollUntil(
        "the release of what is not in flight",
        claimed,
        (count) => count === concurrencyLimits.perWebhook
      )
      yield* receiver.answer(204)
      yield* one.idle
      yield* drain
      assert.deepStrictEqual(yield* states, [{ status: "delivered", count: 60 }])
      assert.lengthOf(receiver.received, 60)
      assert.isAtMost(receiver.state.maxOpen, concurrencyLimits.perWebhook)
    })
  )

  it.effect("respects the limits together with another worker", () =>
    Effect.gen(function* () {
      const { wakeUp, receiver, states } = yield* aBacklog(300, 0)
      const one = yield* Dispatcher
      const other = yield* anotherProcess("other")
      yield* Effect.all([one.due(wakeUp), other.dispatcher.due(wakeUp)], { concurrency: "unbounded" })
      yield* receiver.holding(concurrencyLimits.perWebhook)
      yield* receiver.answer(204)
      const asking = Effect.all([one.due(wakeUp), other.dispatcher.due(wakeUp)], { concurrency: "unbounded" })
      yield* pollUntil(
        "the delivery of all",
        Effect.andThen(asking, states),
        ([first]) => first?.count === 300 && first.status === "delivered"
      )
      yield* drain
      yield* other.idle
      assert.isAtMost(receiver.state.maxOpen, concurrencyLimits.perWebhook)
      assert.lengthOf(receiver.received, 300)
    })
  )

  it.effect("sends deliveries that dead workers had claimed", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { receiver, states, team, webhook } = yield* aBacklog(10, 10)
      yield* sql`update deliveries set claimed = true, claimed_by = 'pool-gone' where webhook_id = ${webhook}`
      assert.deepStrictEqual(yield* (yield* SchedulerRepo).releaseFromDeadWorkers("pool-alive", lockSeed), [
        team.teamId
      ])
      yield* (yield* DeliveryWorker).scheduleAll([team.teamId])
      yield* drain
      assert.deepStrictEqual(yield* states, [{ status: "delivered", count: 10 }])
      assert.lengthOf(receiver.received, 10)
    })
  )
})

layer(serviceWithWorker)("The results of attempts", (it) => {
  it.effect(
    "are recorded only for deliveries that have not changed, which are found by their keys in a table of any size",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { team, webhook } = yield* aBacklog(1000, 0)
        const ids = (yield* sql<{ id: string }>`
        select id from deliveries where webhook_id = ${webhook} order by id limit 3`).map(({ id }) => id)
        const at = yield* now
        const ended = ids.map((id): AttemptRecord => ({
          delivery: { id, teamId: team.teamId, status: "pending", attemptCount: 0, replayedAttempts: 0 },
          status: "delivered",
          isCounted: true,
          isMade: true,
          nextAttemptAt: null,
          deliveredAt: at,
          startedAt: at,
          durationMs: 7,
          statusCode: 204,
          error: null,
          requestHeaders: { "webhook-id": id },
          responseHeaders: {},
          responseBody: ""
        }))
        yield* sql`update deliveries set attempt_count = 1, status = 'failed' where id = ${ids[1]}`
        const repo = yield* AttemptsRepo
        const { reply, statements } = yield* statementsSentBy(repo.record(team.teamId, ended))
        assert.deepStrictEqual([...reply].sort(), [ids[0], ids[2]])
        assert.deepStrictEqual(
          yield* sql`
          select delivery_id, number, duration_ms from delivery_attempts where delivery_id = any(${ids}::uuid[]) order by 1`,
          [ids[0], ids[2]].map((id) => ({ delivery_id: id, number: 1, duration_ms: 7 }))
        )
        assert.deepStrictEqual(
          (yield* Effect.forEach(statements, (one) => readsOf(one, ["deliveries"]))).flat().map(({ by }) => by),
          ["Index Scan of deliveries by deliveries_pkey"]
        )
        yield* sql`delete from deliveries where webhook_id = ${webhook}`
      })
  )

  it.effect("do not wait for several fan-outs of their team, which run one at a time", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const { teamId } = yield* aTeam()
      const begun = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const made = { now: 0, most: 0 }
      const fanOuts = yield* Effect.forkChild(
        Effect.forEach(
          [1, 2, 3, 4, 5],
          () =>
            scheduler.fanOutTransaction(
              teamId,
              Effect.gen(function* () {
                made.most = Math.max(made.most, ++made.now)
                yield* Deferred.succeed(begun, undefined)
                yield* Deferred.await(mayEnd)
                made.now--
              })
            ),
          { concurrency: "unbounded", discard: true }
        )
      )
      yield* Deferred.await(begun)
      assert.strictEqual(yield* scheduler.transaction(teamId, Effect.succeed("recorded")), "recorded")
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(fanOuts)
      assert.deepStrictEqual(made, { now: 0, most: 1 })
    })
  )

  it.effect("are recorded even if the database rejects one, which is recorded without the response", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { wakeUp, receiver, states, webhook } = yield* aBacklog(10, 0)
      yield* sql`alter table delivery_attempts add constraint refused check (response_body <> 'answered 4') not valid`
      yield* (yield* Dispatcher).due(wakeUp)
      yield* receiver.holding(10)
      yield* receiver.answer(200)
      yield* drain
      yield* sql`alter table delivery_attempts drop constraint refused`
      assert.deepStrictEqual(yield* states, [{ status: "delivered", count: 10 }])
      assert.deepStrictEqual(
        yield* sql`
          select count(*)::int as count, count(response_body)::int as kept from delivery_attempts
          where delivery_id in (select id from deliveries where webhook_id = ${webhook})`,
        [{ count: 10, kept: 9 }]
      )
      assert.lengthOf(receiver.received, 10)
    })
  )

  it.effect(
    "count as failed attempts if the database rejects every record of them, and no delivery stays claimed",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { claimed, receiver, states, wakeUp, webhook } = yield* aBacklog(3, 100)
        yield* sql`alter table delivery_attempts add constraint rejected check (number > 1) not valid`
        yield* (yield* Dispatcher).due(wakeUp)
        yield* drain
        assert.strictEqual(yield* claimed, 0)
        assert.deepStrictEqual(yield* states, [{ status: "failed", count: 3 }])
        yield* advance("4 seconds")
        yield* sql`alter table delivery_attempts drop constraint rejected`
        assert.deepStrictEqual(yield* states, [{ status: "delivered", count: 3 }])
        assert.lengthOf(receiver.received, 6)
        assert.deepStrictEqual(
          yield* sql`
          select distinct number, attempt_count from delivery_attempts a join deliveries d on d.id = a.delivery_id
          where webhook_id = ${webhook}`,
          [{ number: 2, attempt_count: 2 }]
        )
      })
  )

  it.effect("count as failed attempts if a defect prevents their record, and no delivery stays claimed", () =>
    Effect.gen(function* () {
      const { claimed, receiver, states, wakeUp } = yield* aBacklog(3, 100)
      const faulty = Layer.effect(
        AttemptsRepo,
        Effect.map(AttemptsRepo, (repo) => ({ ...repo, record: () => Effect.die(new TypeError("a defect")) }))
      )
      const worker = yield* anotherProcess("faulty", { attempts: faulty })
      yield* worker.dispatcher.due(wakeUp)
      yield* worker.idle
      yield* worker.leave
      assert.strictEqual(yield* claimed, 0)
      assert.deepStrictEqual(yield* states, [{ status: "failed", count: 3 }])
      yield* advance("4 seconds")
      assert.deepStrictEqual(yield* states, [{ status: "delivered", count: 3 }])
      assert.lengthOf(receiver.received, 6)
    })
  )

  it.effect("release their deliveries if not even the failure can be recorded, and these are sent again", () =>
    Effect.gen(function* () {
      const { claimed, receiver, states, wakeUp } = yield* aBacklog(3, 100)
      let defects = 2
      const atFirst = <A>(effect: Effect.Effect<A>) =>
        Effect.suspend(() => (defects-- > 0 ? Effect.die(new TypeError("a defect")) : effect))
      const faulty = Layer.effect(
        AttemptsRepo,
        Effect.map(AttemptsRepo, (repo) => ({
          ...repo,
          record: (...input: Parameters<typeof repo.record>) =>
            receiver.received.length <= 3 ? Effect.die(new TypeError("a defect")) : repo.record(...input),
          recordUnlogged: (...input: Parameters<typeof repo.recordUnlogged>) => atFirst(repo.recordUnlogged(...input))
        }))
      )
      const worker = yield* anotherProcess("faulty", { attempts: faulty, isVisible: true })
      yield* worker.dispatcher.due(wakeUp)
      yield* worker.idle
      assert.strictEqual(yield* claimed, 2)
      // The recovery of claims runs on the wall clock, on which the retry of the third delivery is due as well.
      yield* pollUntil("the delivery of all", states, ([first]) => first?.status === "delivered" && first.count === 3)
      yield* worker.idle
      assert.strictEqual(yield* claimed, 0)
      yield* worker.leave
    })
  )
})
