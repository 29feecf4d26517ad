import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Scope } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { kill, type Program, stop } from "../support/Process.ts"
import { pollUntil } from "../support/polling.ts"
import { TestService } from "../support/TestService.ts"
import { holder, sessions, schedulerLockOf } from "./sessions.ts"
import { makeSubscriber, contacts } from "./subscriber.ts"
import { startApi, startWorkerProcess } from "./fixture.ts"

/**
 * The worker of these tests, of which at most one runs. Tests kill, start and stop it; each test uses the running one, or
 * starts one.
 */
class Workers extends Context.Service<Workers, { current: Program | undefined; readonly scope: Scope.Scope }>()(
  "test/process/Workers"
) {
  static readonly layer = Layer.effect(
    Workers,
    Effect.map(Effect.scope, (scope) => ({ current: undefined, scope }))
  )
}

const startWorker = Effect.gen(function* () {
  const workers = yield* Workers
  // Failed deliveries are retried without delay.
  const environment = { WEBHOOK_RETRY_DELAYS: Array(8).fill("0ms").join(",") }
  workers.current = yield* Scope.provide(startWorkerProcess(environment), workers.scope)
  return workers.current
})

const isRunning = ({ child }: Program) => child.exitCode === null && child.signalCode === null

/** The running worker; starts one if there is none. */
const worker = Effect.flatMap(Workers, ({ current }) =>
  current !== undefined && isRunning(current) ? Effect.succeed(current) : startWorker
)

/** Stops the worker, if there is one. */
const stopWorker = Effect.gen(function* () {
  const workers = yield* Workers
  if (workers.current !== undefined) yield* kill(workers.current)
  yield* (yield* sessions).gone("property-network worker")
  workers.current = undefined
})

/** Kills the worker once `reached` completes, and starts another when Postgres has rolled back its transactions. */
const killAt = Effect.fnUntraced(function* <E, R>(reached: Effect.Effect<void, E, R>) {
  const { gone } = yield* sessions
  const running = yield* worker
  yield* Effect.scoped(Effect.andThen(reached, kill(running)))
  const killed = performance.now()
  yield* gone("property-network worker")
  yield* startWorker
  return killed
})

/** Completes when no delivery is claimed and no job of webhooks is left. */
const nothingIsLeft = Effect.gen(function* () {
  const sql = yield* Database
  const left = Effect.all([
    sql`select id from deliveries where claimed`,
    sql`select task_identifier, locked_by, last_error from graphile_worker.jobs where task_identifier like 'webhooks/%'`
  ])
  yield* pollUntil("the end of all claims and jobs", left, (found) => found.flat().length === 0)
})

/** How many deliveries of a team are claimed, and how many are delivered. */
const countsOf = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  const [row] = yield* sql<{ held: number; delivered: number }>`
    select count(claimed_by)::int as held, count(delivered_at)::int as delivered from deliveries where team_id = ${teamId}`
  return row ?? { held: 0, delivered: 0 }
})

const once = { status: "delivered", attempts: [1], requests: 1 } as const

const twice = { ...once, requests: 2 } as const

const exhausted = { status: "exhausted", attempts: [1, 2, 3, 4, 5, 6, 7, 8, 9] } as const

const disabled = { status: "disabled", disabledReason: "deliveries_exhausted", consecutiveExhausted: 10 }

/** Subscribers whose worker is killed at a different point of its work for each. Another worker has then taken over. */
const points = Effect.gen(function* () {
  const sql = yield* Database
  const { untilWaiting } = yield* sessions
  const before = yield* makeSubscriber()
  const during = yield* makeSubscriber()
  const asked = yield* makeSubscriber({ holds: (times) => times === 1 })
  const answered = yield* makeSubscriber({ holds: (times) => times === 1 })
  const recorded = yield* makeSubscriber({ holds: (times) => times === 1, status: (times) => (times <= 2 ? 500 : 204) })
  const tenth = yield* makeSubscriber({ holds: (times) => times === 9, status: () => 500 })
  const ten = yield* makeSubscriber({ holds: (times) => times >= 9, status: () => 500 })
  yield* sql`update webhooks set consecutive_exhausted = 9 where team_id = ${tenth.teamId}`
  const killed = yield* killAt(
    Effect.gen(function* () {
      // First those that need jobs to reach their point.
      yield* tenth.add(1)
      yield* ten.add(10)
      yield* asked.add(2)
      yield* answered.add(2)
      yield* recorded.add(1)
      yield* tenth.receiver.holding(1)
      yield* ten.receiver.holding(10)
      yield* asked.receiver.holding(2)
      yield* answered.receiver.holding(2)
      yield* recorded.receiver.holding(1)

      yield* (yield* holder).lock("select from webhooks where team_id = $1 for update", [before.teamId])
      yield* before.add(5)
      yield* untilWaiting("with changes as")

      yield* (yield* holder).lock(...schedulerLockOf(during.teamId))
      yield* during.add(25)
      yield* untilWaiting("select pg_advisory_xact_lock(")

      yield* (yield* holder).lock("select from deliveries where team_id = $1 for update", [answered.teamId])
      yield* answered.receiver.release
      yield* untilWaiting("as ended (")

      yield* (yield* holder).lock(...schedulerLockOf(recorded.teamId))
      yield* recorded.receiver.release
      yield* untilWaiting("select pg_advisory_xact_lock(", 2)

      yield* (yield* holder).lock(...schedulerLockOf(tenth.teamId))
      yield* tenth.receiver.release
      yield* untilWaiting("select pg_advisory_xact_lock(", 3)

      yield* (yield* holder).lock(...schedulerLockOf(ten.teamId))
      yield* ten.receiver.release
      yield* untilWaiting("select pg_advisory_xact_lock(", 4)
    })
  )
  // The interrupted attempts are repeated.
  yield* ten.receiver.holding(10)
  const tenBefore = yield* ten.webhook
  yield* ten.receiver.release
  yield* nothingIsLeft
  return {
    before,
    during,
    asked,
    answered,
    recorded,
    tenth,
    ten,
    tenBefore,
    recoveredAfter: performance.now() - killed
  }
})

class Points extends Context.Service<Points, Effect.Success<typeof points>>()("test/process/Points") {
  static readonly layer = Layer.effect(Points, points)
}

// Its own database: the workers would also run the jobs that other test files left.
const fixture = Layer.provideMerge(Workers.layer, TestService.layerOwn)

layer(fixture, { excludeTestServices: true, timeout: 60_000 })("Webhooks, when", (it) => {
  it.effect(
    "an API is killed after a commit and during other changes, are sent for the commit, and once for each repeated change",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        yield* stopWorker
        const api = yield* startApi()
        const { gone, untilWaiting } = yield* sessions
        const subscriber = yield* makeSubscriber()
        const { ask, token } = subscriber
        const create = (firstName: string) =>
          ask<{ id: string }>("POST", contacts, { firstName }, { "idempotency-key": firstName })
        const committed = yield* Effect.promise(() =>
          api.request("POST", contacts, token, { firstName: "first" }, { "idempotency-key": "first" })
        )
        assert.strictEqual(committed.status, 201)

        yield* Effect.scoped(
          Effect.gen(function* () {
            // The records are written; the last statement, of their timeline, events and job, waits.
            yield* (yield* holder).lock("lock table graphile_worker._private_jobs in share mode")
            const cut = Promise.allSettled([
              api.request("POST", contacts, token, { firstName: "second" }, { "idempotency-key": "second" }),
              api.request("DELETE", `${contacts}/${String(committed.body["id"])}`, token)
            ])
            yield* untilWaiting("with recorded_actions", 2)
            yield* kill(api)
            assert.deepStrictEqual(
              (yield* Effect.promise(() => cut)).map(({ status }) => status),
              ["rejected", "rejected"]
            )
          })
        )
        yield* gone("property-network api")

        const ids = Effect.map(ask<{ data: ReadonlyArray<{ id: string }> }>("GET", contacts), ({ body }) =>
          body.data.map(({ id }) => id)
        )
        assert.deepStrictEqual(yield* ids, [committed.body["id"]])
        assert.lengthOf(yield* sql`select from events where team_id = ${subscriber.teamId}`, 1)
        const repeated = [yield* create("first"), yield* create("second"), yield* create("second")]
        assert.deepStrictEqual(
          repeated.map(({ status }) => status),
          [201, 201, 201]
        )
        assert.strictEqual(repeated[0]?.body.id, committed.body["id"])
        assert.strictEqual(repeated[1]?.body.id, repeated[2]?.body.id)
        assert.lengthOf(yield* ids, 2)

        // No worker has run yet.
        yield* startWorker
        yield* subscriber.assertAll(once)
      })
  )

  it.effect("a worker is killed with claimed deliveries, are all sent, and only those in flight twice", () =>
    Effect.gen(function* () {
      let answered = 0
      const subscriber = yield* makeSubscriber({
        holds: () => {
          answered++
          return answered > 30 && answered <= 40
        }
      })
      yield* worker
      yield* killAt(
        Effect.gen(function* () {
          yield* subscriber.add(90)
          yield* subscriber.receiver.holding(10)
          // The answered attempts are recorded.
          yield* pollUntil(
            "30 delivered and more claimed than may be sent at once",
            countsOf(subscriber.teamId),
            ({ delivered, held }) => delivered === 30 && held > 10
          )
          assert.lengthOf(subscriber.receiver.received, 40)
        })
      )
      yield* subscriber.assertAll({ ...twice, least: 1 })
      assert.lengthOf(subscriber.receiver.received, 100)
    })
  )

  it.layer(Points.layer, { timeout: 60_000 })("a worker is killed", (it) => {
    it.effect("between a commit and the fan-out of its events, are sent once", () =>
      Effect.flatMap(Points, ({ before }) => before.assertAll(once))
    )

    it.effect("in the middle of a fan-out, are sent once", () =>
      Effect.flatMap(Points, ({ during }) => during.assertAll(once))
    )

    it.effect("between a request and its answer, are sent twice, as one attempt", () =>
      Effect.flatMap(Points, ({ asked }) => asked.assertAll(twice))
    )

    it.effect("between an answer and its record, are sent twice, as one attempt", () =>
      Effect.flatMap(Points, ({ answered }) => answered.assertAll(twice))
    )

    it.effect("between a recorded attempt and the next, are continued by another worker", () =>
      // The first attempt was interrupted and repeated; the second followed.
      Effect.flatMap(Points, ({ recorded }) =>
        recorded.assertAll({ status: "delivered", attempts: [1, 2], requests: 3 })
      )
    )

    it.effect(
      "between the count of an exhausted delivery and its commit, count it once, and the tenth disables the webhook",
      () =>
        Effect.gen(function* () {
          const { tenth } = yield* Points
          yield* tenth.assertAll({ ...exhausted, requests: 10 })
          // The webhook changed once.
          assert.deepInclude(yield* tenth.webhook, { ...disabled, etag: '"v2"' })
        })
    )

    it.effect("while ten deliveries are exhausted at the same time, count each once", () =>
      Effect.gen(function* () {
        const { ten, tenBefore } = yield* Points
        assert.deepInclude(tenBefore, { status: "active", consecutiveExhausted: 0 })
        yield* ten.assertAll({ ...exhausted, requests: 10 })
        assert.deepInclude(yield* ten.webhook, disabled)
      })
    )

    it.effect("at any point, are all taken over within 30 seconds, and nothing stays claimed", () =>
      Effect.map(Points, ({ recoveredAfter }) => assert.isBelow(recoveredAfter, 30_000))
    )
  })

  it.effect("a worker loses its listening session, are noticed again", () =>
    Effect.gen(function* () {
      const { end, listeners } = yield* sessions
      const running = yield* worker
      const [pid = 0] = yield* pollUntil("a session that listens", listeners, (found) => found.length === 1)
      yield* end(pid)
      yield* pollUntil("another session that listens", listeners, ([now]) => now !== undefined && now !== pid)
      const subscriber = yield* makeSubscriber()
      yield* subscriber.add(3)
      yield* subscriber.assertAll(once)
      assert.isNull(running.child.exitCode)
    })
  )

  it.effect("a worker loses all its sessions during attempts, are sent without a restart, at most twice", () =>
    Effect.gen(function* () {
      const { endAll } = yield* sessions
      const running = yield* worker
      const subscriber = yield* makeSubscriber({ holds: (times) => times === 1 })
      yield* subscriber.add(5)
      yield* subscriber.receiver.holding(5)
      yield* endAll("property-network worker")
      yield* subscriber.receiver.release
      // A result that finds no session is recorded on the next one.
      yield* subscriber.assertAll({ ...twice, least: 1 })
      yield* nothingIsLeft
      assert.isNull(running.child.exitCode)
    })
  )

  it.effect(
    "a worker is asked to stop, are completed if they are in flight, and otherwise sent by the next worker",
    () =>
      Effect.gen(function* () {
        const { listeners } = yield* sessions
        let isHeld = true
        const subscriber = yield* makeSubscriber({ holds: () => isHeld })
        const running = yield* worker
        const [pid = 0] = yield* pollUntil("a session that listens", listeners, (found) => found.length === 1)
        yield* subscriber.add(14)
        // As many as may be in flight.
        yield* subscriber.receiver.holding(10)
        const asked = performance.now()
        const stopping = stop(running)
        yield* pollUntil("the end of the session that listens", listeners, (found) => !found.includes(pid))
        const next = yield* startWorker
        // Longer than an API may take to stop, because a receiver has ten seconds to answer.
        yield* Effect.sleep(4700 - (performance.now() - asked))
        assert.lengthOf(subscriber.receiver.received, 10)
        isHeld = false
        yield* subscriber.receiver.release
        const answered = performance.now()
        assert.strictEqual((yield* Effect.promise(() => stopping)).code, 0, running.output.stderr)
        assert.isBelow(performance.now() - answered, 2000)
        yield* subscriber.assertAll(once)
        yield* nothingIsLeft
        const idle = yield* Effect.promise(() => stop(next))
        assert.strictEqual(idle.code, 0, next.output.stderr)
        assert.isBelow(idle.after, 2000)
      })
  )
})
