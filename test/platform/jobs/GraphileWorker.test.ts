import * as Job from "../../../src/platform/jobs/Job.ts"
import * as GraphileWorker from "../../../src/platform/jobs/GraphileWorker.ts"
import * as OwnPostgres from "../../support/OwnPostgres.ts"
import { makeHandler, Worker } from "../../../src/platform/jobs/Worker.ts"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Layer, Queue, Redacted, References, Schedule, Schema, Scope } from "effect"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Database } from "../../../src/platform/db/Database.ts"
import { EmbeddedPostgres } from "../../../src/platform/db/embedded/EmbeddedPostgres.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { Hang } from "../../support/hangingWorker.ts"
import { pollUntil } from "../../support/polling.ts"
import { TestDatabase, testUrl } from "../../support/TestDatabase.ts"

const Note = Job.make("test/note", { payload: Schema.String })
const Wait = Job.make("test/wait", { payload: Schema.String })

const server = Layer.provideMerge(
  Jobs.layer,
  Layer.unwrap(Effect.map(testUrl, (url) => Database.layer({ url, maxConnections: 2 })))
).pipe(Layer.provideMerge(TestDatabase.layerPostgres))

const noting = Effect.map(Queue.unbounded<string>(), (done) => ({
  done,
  task: makeHandler(Note, (text) => Effect.asVoid(Queue.offer(done, text)))
}))

/** A task that reports when it starts, and completes when the test releases it. */
const waiting = Effect.gen(function* () {
  const taken = yield* Queue.unbounded<string>()
  const release = yield* Deferred.make<void>()
  const ended = yield* Queue.unbounded<string>()
  const task = makeHandler(Wait, (text) =>
    Queue.offer(taken, text).pipe(
      Effect.andThen(Deferred.await(release)),
      Effect.onExit((exit) => Queue.offer(ended, Exit.isSuccess(exit) ? text : "interrupted"))
    )
  )
  return { taken, release, ended, task }
})

const jobsTable = (name = "%") =>
  Effect.flatMap(
    Database,
    (sql) =>
      sql<{ locked: boolean; attempts: number }>`
      select locked_at is not null as locked, attempts::int from graphile_worker.jobs
      where task_identifier like ${name}`
  )

// The test causes the warnings of the worker.
const quietly = Effect.provideService(References.MinimumLogLevel, "None")

/** Starts a worker process that claims a job and hangs, and kills it at the end of the scope. */
const hangingProcess = (url: Redacted.Redacted<string>) =>
  Effect.gen(function* () {
    const script = fileURLToPath(new URL("../../support/hangingWorker.ts", import.meta.url))
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [script, Redacted.value(url)], { stdio: ["ignore", "pipe", "inherit"] })
      ),
      (child) => Effect.sync(() => void child.kill("SIGKILL"))
    )
    yield* Effect.callback<void>((resume) => {
      let output = ""
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes("taken")) resume(Effect.void)
      })
    })
    return child
  })

describe.concurrent("The worker on Postgres", () => {
  it.live("runs a job within milliseconds of the commit", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const sql = yield* Database
      const { done, task } = yield* noting
      // The poll interval is too long to find the job in time.
      yield* Layer.build(GraphileWorker.layer([task], { url: yield* testUrl, pollInterval: 20_000 }))
      yield* jobs.enqueue(Note, "warm-up")
      yield* Queue.take(done)
      const committed = yield* sql.withTransaction(
        Effect.andThen(
          jobs.enqueue(Note, "now"),
          Effect.sync(() => performance.now())
        )
      )
      assert.strictEqual(yield* Queue.take(done), "now")
      assert.isBelow(performance.now() - committed, 1_000)
    }).pipe(Effect.scoped, Effect.provide(server))
  )

  it.live("runs a scheduled job at its time", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const { done, task } = yield* noting
      const worker = Layer.build(GraphileWorker.layer([task], { url: yield* testUrl, pollInterval: 50 }))
      const runAt = new Date(Date.now() + 400)
      yield* jobs.enqueue(Note, "later", { runAt })
      yield* worker
      yield* Queue.take(done)
      // The clocks of the server and of this process may differ slightly.
      assert.isAtLeast(Date.now(), runAt.getTime() - 50)
    }).pipe(Effect.scoped, Effect.provide(server))
  )

  it.live("runs every job once with several workers", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const { done, task } = yield* noting
      const options = { url: yield* testUrl, concurrency: 5, pollInterval: 50 }
      const first = yield* Layer.build(GraphileWorker.layer([task], options))
      yield* Layer.build(GraphileWorker.layer([task], options))
      const texts = Array.from({ length: 200 }, (_, index) => `${index}`.padStart(3, "0"))
      yield* jobs.enqueueAll(
        Note,
        texts.map((payload) => ({ payload }))
      )
      yield* Effect.flatMap(Worker, (worker) => worker.drain).pipe(Effect.provideContext(first))
      assert.deepStrictEqual((yield* Queue.takeAll(done)).sort(), texts)
    }).pipe(Effect.scoped, Effect.provide(server))
  )

  it.live("retries a job that died", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      let attempts = 0
      const done = yield* Deferred.make<void>()
      const task = makeHandler(Note, () =>
        Effect.suspend(() =>
          ++attempts < 2 ? Effect.die("not yet") : Effect.asVoid(Deferred.succeed(done, undefined))
        )
      )
      yield* Layer.build(GraphileWorker.layer([task], { url: yield* testUrl, pollInterval: 50 }))
      yield* jobs.enqueue(Note, "x")
      yield* Deferred.await(done)
      assert.strictEqual(attempts, 2)
    }).pipe(Effect.scoped, Effect.provide(server), quietly)
  )

  it.live("finishes running jobs when it stops", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const { ended, release, taken, task } = yield* waiting
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(GraphileWorker.layer([task], { url: yield* testUrl }), scope)
      yield* jobs.enqueue(Wait, "x")
      yield* Queue.take(taken)
      yield* Effect.all([Scope.close(scope, Exit.void), Deferred.succeed(release, undefined)], { concurrency: 2 })
      assert.strictEqual(yield* Queue.take(ended), "x")
      assert.isEmpty(yield* jobsTable())
    }).pipe(Effect.scoped, Effect.provide(server))
  )

  it.live("interrupts jobs after the grace period, and leaves them for a retry", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const { ended, taken, task } = yield* waiting
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(
        GraphileWorker.layer([task], { url: yield* testUrl, gracePeriod: "50 millis" }),
        scope
      )
      yield* jobs.enqueue(Wait, "x")
      yield* Queue.take(taken)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(yield* Queue.take(ended), "interrupted")
      assert.deepStrictEqual(yield* jobsTable(), [{ locked: false, attempts: 1 }])
    }).pipe(Effect.scoped, Effect.provide(server), quietly)
  )

  it.live("takes over the job of a worker process that was killed", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const url = yield* testUrl
      const done = yield* Queue.unbounded<void>()
      yield* jobs.enqueue(Hang, null)
      const child = yield* hangingProcess(url)
      const noted = yield* noting
      yield* Layer.build(
        GraphileWorker.layer([makeHandler(Hang, () => Effect.asVoid(Queue.offer(done, undefined))), noted.task], {
          url
        })
      )
      // The job stays claimed while the process lives.
      yield* jobs.enqueue(Note, "x")
      yield* Queue.take(noted.done)
      assert.deepStrictEqual(yield* jobsTable(Hang.name), [{ locked: true, attempts: 1 }])
      child.kill("SIGKILL")
      yield* Effect.timeout(Queue.take(done), "30 seconds")
    }).pipe(Effect.scoped, Effect.provide(server), quietly)
  )

  it.live("continues after a restart of Postgres", () =>
    Effect.gen(function* () {
      const dataDir = yield* OwnPostgres.dataFolder
      const settings = { fsync: "off" }
      const first = yield* EmbeddedPostgres.start({ dataDir, settings })
      const url = Redacted.make(first.url)
      yield* Effect.gen(function* () {
        const jobs = yield* Jobs
        const sql = yield* Database
        const noted = yield* noting
        const waited = yield* waiting
        const context = yield* Layer.build(GraphileWorker.layer([noted.task, waited.task], { url, pollInterval: 100 }))
        yield* jobs.enqueue(Note, "before")
        assert.strictEqual(yield* Queue.take(noted.done), "before")
        // The job has run, and its completion must be written.
        yield* pollUntil("the end of the first job", jobsTable(Note.name), (rows) => rows.length === 0)
        yield* jobs.enqueue(Wait, "during")
        assert.strictEqual(yield* Queue.take(waited.taken), "during")

        yield* first.stop
        yield* EmbeddedPostgres.start({ dataDir, settings, port: first.port })

        // The first query may still get a broken connection.
        yield* Effect.retry(sql`select 1`, Schedule.spaced("50 millis"))
        yield* jobs.enqueue(Note, "after")
        assert.strictEqual(yield* Queue.take(noted.done), "after")
        yield* Deferred.succeed(waited.release, undefined)
        assert.strictEqual(yield* Queue.take(waited.ended), "during")
        yield* Effect.flatMap(Worker, (worker) => worker.drain).pipe(Effect.provideContext(context))
        assert.isEmpty(yield* jobsTable())
      }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(Jobs.layer, Database.layer({ url }))))
    }).pipe(quietly)
  )
})
