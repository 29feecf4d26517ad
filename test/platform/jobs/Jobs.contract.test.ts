import * as Transaction from "../../../src/platform/db/Transaction.ts"
import * as Job from "../../../src/platform/jobs/Job.ts"
import * as MemoryWorker from "../../../src/platform/jobs/MemoryWorker.ts"
import { makeHandler, Worker } from "../../../src/platform/jobs/Worker.ts"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../../src/platform/db/Database.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { advance } from "../../support/advance.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

/** The texts of the jobs that ran, with the time of the clock. */
class Done extends Context.Service<Done, Array<readonly [what: string, at: number]>>()("test/platform/jobs/Done") {
  static readonly layer = Layer.sync(Done, () => [])
}

const note = (what: string) =>
  Effect.gen(function* () {
    const done = yield* Done
    done.push([what, yield* Clock.currentTimeMillis])
  })

const Note = Job.make("test/note", {
  payload: Schema.Struct({ text: Schema.String, at: Schema.optionalKey(Schema.Date) })
})
const Urgent = Job.make("test/urgent", { payload: Schema.String, priority: -10 })
const Flaky = Job.make("test/flaky", { payload: Schema.Struct({ text: Schema.String }), maxAttempts: 3 })
const Chain = Job.make("test/chain", { payload: Schema.Struct({ left: Schema.Int }) })
const Undone = Job.make("test/undone", { payload: Schema.Null })

const tasks = [
  makeHandler(Note, ({ at, text }) => note(at === undefined ? text : `${text} ${at.getUTCFullYear()}`)),
  makeHandler(Urgent, note),
  makeHandler(Flaky, ({ text }) => Effect.andThen(note(text), Effect.die(new Error("not today")))),
  makeHandler(Chain, ({ left }) =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      yield* note(`${left} left`)
      const hour = new Date((yield* Clock.currentTimeMillis) + 3_600_000)
      if (left > 0) yield* jobs.enqueue(Chain, { left: left - 1 }, { runAt: hour })
    })
  )
]

// Tests move the clock, which the whole file shares.
const fixture = MemoryWorker.layer(tasks).pipe(
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(Done.layer)
)

const texts = Effect.map(Done, (done) => done.map(([text]) => text))

layer(fixture)("Jobs", (it) => {
  const fresh = Effect.andThen(Done, (done) => Effect.sync(() => void done.splice(0)))

  it.effect("run after the transaction that enqueued them commits", () =>
    Effect.gen(function* () {
      yield* fresh
      const jobs = yield* Jobs
      const worker = yield* Worker
      yield* Transaction.run(
        Effect.gen(function* () {
          yield* jobs.enqueue(Note, { text: "hello", at: new Date("2030-01-01") })
          assert.isEmpty(yield* texts)
        })
      )
      yield* worker.drain
      assert.deepStrictEqual(yield* texts, ["hello 2030"])
    })
  )

  it.effect("do not exist if their transaction rolls back", () =>
    Effect.gen(function* () {
      yield* fresh
      const jobs = yield* Jobs
      const worker = yield* Worker
      yield* Effect.ignore(Transaction.run(Effect.andThen(jobs.enqueue(Note, { text: "lost" }), Effect.fail("no"))))
      yield* worker.drain
      assert.isEmpty(yield* texts)
      assert.isUndefined(yield* worker.nextRunAt)
    })
  )

  it.effect("wait until their time", () =>
    Effect.gen(function* () {
      yield* fresh
      const jobs = yield* Jobs
      const start = yield* Clock.currentTimeMillis
      yield* jobs.enqueue(Note, { text: "later" }, { runAt: new Date(start + 60_000) })
      yield* advance("59 seconds")
      assert.isEmpty(yield* texts)
      yield* advance("1 second")
      assert.deepStrictEqual(yield* Done, [["later", start + 60_000]])
    })
  )

  it.effect("wake a sleeping worker when the clock reaches their time", () =>
    Effect.gen(function* () {
      yield* fresh
      const jobs = yield* Jobs
      const worker = yield* Worker
      const start = yield* Clock.currentTimeMillis
      yield* jobs.enqueue(Note, { text: "asleep" }, { runAt: new Date(start + 60_000) })
      yield* worker.drain
      yield* TestClock.adjust("2 minutes")
      yield* worker.drain
      assert.deepStrictEqual(yield* texts, ["asleep"])
    })
  )

  it.effect("run at their own times when the clock advances by days", () =>
    Effect.gen(function* () {
      yield* fresh
      const jobs = yield* Jobs
      const start = yield* Clock.currentTimeMillis
      yield* jobs.enqueue(Chain, { left: 35 })
      yield* advance("35 hours")
      assert.deepStrictEqual(
        yield* Done,
        Array.from({ length: 36 }, (_, hour) => [`${35 - hour} left`, start + hour * 3_600_000] as const)
      )
    })
  )

  it.effect("are enqueued in bulk, and run in the order of priority", () =>
    Effect.gen(function* () {
      yield* fresh
      const jobs = yield* Jobs
      const worker = yield* Worker
      const start = yield* Clock.currentTimeMillis
      yield* Transaction.run(
        Effect.gen(function* () {
          yield* jobs.enqueueAll(Note, [
            { payload: { text: "a" }, jobKey: "many-a" },
            { payload: { text: "b" } },
            { payload: { text: "later" }, runAt: new Date(start + 1000) }
          ])
          yield* jobs.enqueueAll(Urgent, [{ payload: "first" }])
          yield* jobs.enqueueAll(Note, [])
        })
      )
      yield* worker.drain
      assert.deepStrictEqual(yield* texts, ["first", "a", "b"])
      yield* advance("1 second")
      assert.deepStrictEqual(yield* texts, ["first", "a", "b", "later"])
    })
  )

  it.effect("replace a queued job with the same key", () =>
    Effect.gen(function* () {
      yield* fresh
      const jobs = yield* Jobs
      const start = yield* Clock.currentTimeMillis
      const runAt = (seconds: number) => new Date(start + seconds * 1000)
      yield* jobs.enqueue(Note, { text: "old" }, { jobKey: "key", runAt: runAt(5) })
      yield* jobs.enqueue(Note, { text: "new" }, { jobKey: "key", runAt: runAt(9) })
      yield* advance("8 seconds")
      assert.isEmpty(yield* texts)
      yield* advance("1 minute")
      assert.deepStrictEqual(yield* texts, ["new"])
    })
  )

  it.effect("are retried until their attempts are used up", () =>
    Effect.gen(function* () {
      yield* fresh
      const jobs = yield* Jobs
      const sql = yield* Database
      const start = yield* Clock.currentTimeMillis
      yield* jobs.enqueue(Flaky, { text: "x" })
      yield* advance("1 hour")
      const tries = (yield* Done).map(([, at]) => Math.floor((at - start) / 1000))
      assert.deepStrictEqual(tries, [0, 2, 10])
      const rows = yield* sql<{ last_error: string; attempts: number }>`
        select last_error, attempts from graphile_worker.jobs where task_identifier = ${Flaky.name}`
      assert.strictEqual(rows[0]?.attempts, 3)
      assert.include(rows[0]?.last_error, "not today")
    })
  )

  it.effect("without a task stay in the queue", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const worker = yield* Worker
      yield* jobs.enqueue(Undone, null)
      yield* worker.drain
      assert.isUndefined(yield* worker.nextRunAt)
    })
  )
})
