import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Scope } from "effect"
import { Database } from "../../src/db/Database.ts"
import { kill, type Program, stop } from "../support/Process.ts"
import { pollUntil } from "../support/polling.ts"
import { TestService } from "../support/TestService.ts"
import { holder, sessions, turnsOf } from "./sessions.ts"
import { aSubscriber, contacts } from "./subscriber.ts"
import { anApi, aWorker } from "./world.ts"

/**
 * The worker of these tests, one at a time: they kill, start and stop it, and go on with the one that is running, whichever
 * test started it.
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
  // What fails is attempted again at once.
  const environment = { WEBHOOK_RETRY_DELAYS: Array(8).fill("0ms").join(",") }
  workers.current = yield* Scope.provide(aWorker(environment), workers.scope)
  return workers.current
})

const isRunning = ({ child }: Program) => child.exitCode === null && child.signalCode === null

/** The running worker, started if there is none. */
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

/** Kills the worker once `reached` completes, and starts another when Postgres has undone its transactions. */
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

/** How many deliveries of a team workers hold, and how many are delivered. */
const heldOf = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  const [row] = yield* sql<{ held: number; delivered: number }>`
    select count(claimed_by)::int as held, count(delivered_at)::int as delivered from deliveries where team_id = ${teamId}`
  return row ?? { held: 0, delivered: 0 }
})

const once = { status: "delivered", attempts: [1], requests: 1 } as const

const twice = { ...once, requests: 2 } as const

const exhausted = { status: "exhausted", attempts: [1, 2, 3, 4, 5, 6, 7, 8, 9] } as const

const disabled = { status: "disabled", disabledReason: "deliveries_exhausted", consecutiveExhausted: 10 }

/** Subscribers of whom each finds a worker at another point of its work when it is killed; another one has taken over. */
const points = Effect.gen(function* () {
  const sql = yield* Database
  const { waitAt } = yield* sessions
  const before = yield* aSubscriber()
  const during = yield* aSubscriber()
  const asked = yield* aSubscriber({ holds: (times) => times === 1 })
  const answered = yield* aSubscriber({ holds: (times) => times === 1 })
  const recorded = yield* aSubscriber({ holds: (times) => times === 1, status: (times) => (times <= 2 ? 500 : 204) })
  const tenth = yield* aSubscriber({ holds: (times) => times === 9, status: () => 500 })
  const ten = yield* aSubscriber({ holds: (times) => times >= 9, status: () => 500 })
  yield* sql`update webhooks set consecutive_exhausted = 9 where team_id = ${tenth.teamId}`
  const killed = yield* killAt(
    Effect.gen(function* () {
      // Those that need a worker's jobs to get there come first.
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
      yield* waitAt("with changes as")

      yield* (yield* holder).lock(...turnsOf(during.teamId))
      yield* during.add(25)
      yield* waitAt("select pg_advisory_xact_lock(")

      yield* (yield* holder).lock("select from deliveries where team_id = $1 for update", [answered.teamId])
      yield* answered.receiver.letGo
      yield* waitAt("with ended as")

      yield* (yield* holder).lock(...turnsOf(recorded.teamId))
      yield* recorded.receiver.letGo
      yield* waitAt("select pg_advisory_xact_lock(", 2)

      yield* (yield* holder).lock(...turnsOf(tenth.teamId))
      yield* tenth.receiver.letGo
      yield* waitAt("select pg_advisory_xact_lock(", 3)

      yield* (yield* holder).lock(...turnsOf(ten.teamId))
      yield* ten.receiver.letGo
      yield* waitAt("select pg_advisory_xact_lock(", 4)
    })
  )
  // The attempts that were cut off, made again.
  yield* ten.receiver.holding(10)
  const tenBefore = yield* ten.webhook
  yield* ten.receiver.letGo
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

// A service of its own: the workers would do the jobs that other files left, too.
const world = Layer.provideMerge(Workers.layer, TestService.layerOwn)

layer(world, { excludeTestServices: true, timeout: 60_000 })("Webhooks, when", (it) => {
  it.effect(
    "an API is killed after a commit and in the middle of changes, tell of the one, and once of what is repeated",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        yield* stopWorker
        const api = yield* anApi()
        const { gone, waitAt } = yield* sessions
        const subscriber = yield* aSubscriber()
        const { ask, token } = subscriber
        const create = (firstName: string) =>
          ask<{ id: string }>("POST", contacts, { firstName }, { "idempotency-key": firstName })
        const committed = yield* Effect.promise(() =>
          api.request("POST", contacts, token, { firstName: "first" }, { "idempotency-key": "first" })
        )
        assert.strictEqual(committed.status, 201)

        yield* Effect.scoped(
          Effect.gen(function* () {
            // Everything is written by then but the job, which is the last.
            yield* (yield* holder).lock("lock table graphile_worker._private_jobs in share mode")
            const cut = Promise.allSettled([
              api.request("POST", contacts, token, { firstName: "second" }, { "idempotency-key": "second" }),
              api.request("DELETE", `${contacts}/${String(committed.body["id"])}`, token)
            ])
            yield* waitAt("graphile_worker.add_job(", 2)
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

        // Without a worker, the events have been in the database only.
        yield* startWorker
        yield* subscriber.assertAll(once)
      })
  )

  it.effect("a worker is killed that holds more than it sends, send all of it, and twice only what was in flight", () =>
    Effect.gen(function* () {
      let answered = 0
      const subscriber = yield* aSubscriber({
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
          // What was answered is recorded.
          yield* pollUntil(
            "30 delivered and more claimed than may be sent at once",
            heldOf(subscriber.teamId),
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

    it.effect("between a record and the turn that follows from it, have both from the next one", () =>
      // The first attempt was cut off and made again; the second one followed.
      Effect.flatMap(Points, ({ recorded }) =>
        recorded.assertAll({ status: "delivered", attempts: [1, 2], requests: 3 })
      )
    )

    it.effect(
      "between the count of an exhausted delivery and its commit, have it counted once, and are disabled by the tenth",
      () =>
        Effect.gen(function* () {
          const { tenth } = yield* Points
          yield* tenth.assertAll({ ...exhausted, requests: 10 })
          // One change of it, in all.
          assert.deepInclude(yield* tenth.webhook, { ...disabled, etag: '"v2"' })
        })
    )

    it.effect("while ten are exhausted at one time, have each counted once", () =>
      Effect.gen(function* () {
        const { ten, tenBefore } = yield* Points
        assert.deepInclude(tenBefore, { status: "active", consecutiveExhausted: 0 })
        yield* ten.assertAll({ ...exhausted, requests: 10 })
        assert.deepInclude(yield* ten.webhook, disabled)
      })
    )

    it.effect("anywhere, are all taken up within 30 seconds, and nothing stays locked", () =>
      Effect.map(Points, ({ recoveredAfter }) => assert.isBelow(recoveredAfter, 30_000))
    )
  })

  it.effect("a worker loses the session that listens, are heard of again", () =>
    Effect.gen(function* () {
      const { end, listeners } = yield* sessions
      const running = yield* worker
      const [pid = 0] = yield* pollUntil("a session that listens", listeners, (found) => found.length === 1)
      yield* end(pid)
      yield* pollUntil("another session that listens", listeners, ([now]) => now !== undefined && now !== pid)
      const subscriber = yield* aSubscriber()
      yield* subscriber.add(3)
      yield* subscriber.assertAll(once)
      assert.isNull(running.child.exitCode)
    })
  )

  it.effect(
    "a worker loses all its sessions in the middle of attempts, are sent without a restart, twice at most",
    () =>
      Effect.gen(function* () {
        const { endAll } = yield* sessions
        const running = yield* worker
        const subscriber = yield* aSubscriber({ holds: (times) => times === 1 })
        yield* subscriber.add(5)
        yield* subscriber.receiver.holding(5)
        yield* endAll("property-network worker")
        yield* subscriber.receiver.letGo
        // The end of an attempt that finds no session is recorded by the next one.
        yield* subscriber.assertAll({ ...twice, least: 1 })
        yield* nothingIsLeft
        assert.isNull(running.child.exitCode)
      })
  )

  it.effect("a worker is told to stop, are sent as far as they are under way, and the others by the next one", () =>
    Effect.gen(function* () {
      const { listeners } = yield* sessions
      let isHeld = true
      const subscriber = yield* aSubscriber({ holds: () => isHeld })
      const running = yield* worker
      const [pid = 0] = yield* pollUntil("a session that listens", listeners, (found) => found.length === 1)
      yield* subscriber.add(14)
      // As many as there is room for.
      yield* subscriber.receiver.holding(10)
      const asked = performance.now()
      const stopping = stop(running)
      yield* pollUntil("the end of the session that listens", listeners, (found) => !found.includes(pid))
      const next = yield* startWorker
      // Longer than an API is given to stop: a receiver may take ten seconds to answer.
      yield* Effect.sleep(4700 - (performance.now() - asked))
      assert.lengthOf(subscriber.receiver.received, 10)
      isHeld = false
      yield* subscriber.receiver.letGo
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
