/** The metrics of a process, and the port that serves them. */
import * as Transaction from "../../src/platform/db/Transaction.ts"
import * as Metrics from "../../src/process/Metrics.ts"
import { attemptEnded, deliveryEnded } from "../../src/webhooks/deliveries/Recorder.ts"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:http"
import { Database, slowReadConnections } from "../../src/platform/db/Database.ts"
import { DatabaseUnavailable } from "../../src/platform/db/DatabaseUnavailable.ts"
import { layerMemory, makeMemory } from "../../src/platform/fileStore/Drivers.ts"
import { FileStore } from "../../src/platform/fileStore/FileStore.ts"
import { countAnswer } from "../../src/http/RequestTelemetry.ts"
import { WebhookHealth } from "../../src/webhooks/WebhookHealth.ts"
import { version } from "../../src/platform/version.ts"
import { eventually } from "../support/polling.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const queue = { waiting: 4, due: 3, inFlight: 2, held: 1, oldestDueSeconds: 7.5 }

/** A file store on a disk with these bytes. */
const folder = Layer.succeed(
  FileStore,
  FileStore.make({ ...makeMemory(), space: Effect.succeed({ size: 1000, available: 250 }) })
)

/** Serves metrics for the test. `looks` counts the queries, and `away` makes the database unavailable. */
const served = Effect.gen(function* () {
  const state = { looks: 0, away: false }
  const lines: Array<string> = []
  const health = Layer.mock(WebhookHealth, {
    queue: () =>
      Effect.suspend(() => {
        state.looks++
        return state.away ? Effect.die(new DatabaseUnavailable({ cause: "the test" })) : Effect.succeed(queue)
      }),
    countByHealth: () => Effect.succeed({ healthy: 5, late: 0, failing: 2, paused: 1, disabled: 0 })
  })
  const registry: Metric.MetricRegistry = new Map()
  const own = Effect.provideService(Metric.MetricRegistry, registry)
  yield* Layer.build(
    Metrics.layer({ metrics: { host: "127.0.0.1", port: 0 }, telemetry: undefined }).pipe(
      Layer.provide(Layer.merge(health, folder)),
      Layer.provide(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]))
    )
  ).pipe(own)
  const address = /^Metrics are served at (http:\/\/127\.0\.0\.1:\d+)\/metrics\.$/.exec(lines.join("\n"))?.[1]
  assert.isDefined(address, lines.join("\n"))
  const ask = (path = "/metrics", method = "GET") =>
    Effect.promise(async () => {
      const response = await fetch(`${address}${path}`, { method })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  return { ask, own, state }
})

const sample = /^[a-z0-9_:]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? (?:[0-9.]+(?:e[-+]?\d+)?|\+Inf|NaN)$/

layer(TestDatabase.layer)("Metrics", (it) => {
  it.effect("are valid in the text format of Prometheus, with help and type for each family", () =>
    Effect.gen(function* () {
      const { ask } = yield* served
      const { headers, status, text } = yield* ask()
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
      assert.isTrue(text.endsWith("\n"))
      const lines = text.slice(0, -1).split("\n")
      const families = lines.flatMap(
        (line) => /^# TYPE ([a-z0-9_]+) (?:counter|gauge|histogram)$/.exec(line)?.[1] ?? []
      )
      const helped = lines.flatMap((line) => /^# HELP ([a-z0-9_]+) \S.*$/.exec(line)?.[1] ?? [])
      assert.deepStrictEqual(helped, families)
      assert.strictEqual(new Set(families).size, families.length)
      for (const line of lines.filter((line) => !line.startsWith("# "))) {
        assert.match(line, sample)
        const name = /^[a-z0-9_:]+/.exec(line)?.[0] ?? ""
        assert.isTrue(
          families.some((family) => name === family || name.replace(/_(?:bucket|sum|count)$/, "") === family),
          line
        )
      }
      assert.includeMembers(families, [
        "process_resident_memory_bytes",
        "process_start_time_seconds",
        "process_cpu_seconds_total",
        "nodejs_eventloop_lag_mean_seconds"
      ])
      assert.match(text, /^process_resident_memory_bytes [1-9]\d{7,}$/m)
      assert.include(text, "property_network_file_store_size_bytes 1000\n")
      assert.include(text, "property_network_file_store_available_bytes 250\n")
      assert.include(text, `property_network_build_info{version="${version}"} 1\n`)
    })
  )

  it.effect("count attempts, deliveries and requests, from 0", () =>
    Effect.gen(function* () {
      const { ask, own } = yield* served
      const before = (yield* ask()).text
      assert.include(before, 'property_network_webhook_deliveries_total{outcome="exhausted"} 0\n')
      assert.include(before, 'property_network_http_request_duration_seconds_count{status="5xx"} 0\n')
      yield* Effect.gen(function* () {
        const context = yield* Effect.context<never>()
        yield* attemptEnded({ outcome: "retried", durationMs: 9_900 })
        yield* attemptEnded({ outcome: "delivered", durationMs: 40 })
        yield* deliveryEnded({ outcome: "delivered", latencyMs: 13_000 })
        yield* deliveryEnded({ outcome: "delivered", latencyMs: null })
        yield* deliveryEnded({ outcome: "gone", latencyMs: 500 })
        const contact = { method: "GET", route: "/api/v1/network/contacts/:id" }
        countAnswer({ ...contact, method: "POST", status: 201, durationMs: 12 }, context)
        countAnswer({ ...contact, status: 404, durationMs: 2 }, context)
        countAnswer({ ...contact, status: 204, durationMs: 300 }, context)
        countAnswer({ method: "GET", route: undefined, status: 404, durationMs: 1 }, context)
      }).pipe(own)
      const { text } = yield* ask()
      for (const line of [
        'property_network_webhook_attempt_duration_seconds_bucket{outcome="retried",le="5"} 0',
        'property_network_webhook_attempt_duration_seconds_bucket{outcome="retried",le="10"} 1',
        'property_network_webhook_attempt_duration_seconds_sum{outcome="delivered"} 0.04',
        'property_network_webhook_deliveries_total{outcome="delivered"} 2',
        'property_network_webhook_deliveries_total{outcome="gone"} 1',
        'property_network_webhook_delivery_latency_seconds_bucket{le="30"} 1',
        "property_network_webhook_delivery_latency_seconds_count 1",
        'property_network_http_request_duration_seconds_count{status="2xx"} 2',
        'property_network_http_request_duration_seconds_bucket{status="2xx",le="0.025"} 1',
        'property_network_http_request_duration_seconds_count{status="4xx"} 2',
        'property_network_http_route_duration_seconds_bucket{method="GET",route="/api/v1/network/contacts/:id",le="0.05"} 1',
        'property_network_http_route_duration_seconds_count{method="GET",route="/api/v1/network/contacts/:id"} 2',
        'property_network_http_route_duration_seconds_count{method="POST",route="/api/v1/network/contacts/:id"} 1'
      ]) {
        assert.include(text, `${line}\n`)
      }
    })
  )

  it.effect("show what the connections of the process are used for, and what waits for them", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      if (sql.pools === undefined) return assert.fail("The database has no pools.")
      const { ask } = yield* served
      const value = (name: string) =>
        Effect.map(ask(), ({ text }) => {
          const line = text.split("\n").find((candidate) => candidate.startsWith(`property_network_database_${name} `))
          return Number(line?.split(" ").at(-1))
        })
      const used = 'pool_used_connections{pool="main"}'
      const max = yield* value('pool_max_connections{pool="main"}')
      assert.deepStrictEqual(
        [
          yield* value(used),
          yield* value("waiting_transactions"),
          yield* value('pool_max_connections{pool="slow_reads"}')
        ],
        [0, 0, slowReadConnections]
      )
      const end = yield* Deferred.make<void>()
      const running = Math.ceil((max - 2) / 2)
      let begun = 0
      const all = yield* Effect.forEach(Array.from({ length: running + 3 }), () =>
        Effect.forkChild(
          Transaction.run(
            Effect.andThen(
              Effect.sync(() => begun++),
              Deferred.await(end)
            )
          ),
          { startImmediately: true }
        )
      )
      yield* eventually(() => assert.strictEqual(begun, running))
      assert.deepStrictEqual([yield* value(used), yield* value("waiting_transactions")], [running, 3])
      yield* Deferred.succeed(end, undefined)
      yield* Effect.forEach(all, Fiber.join)
      assert.deepStrictEqual([yield* value(used), yield* value("waiting_transactions")], [0, 0])
      assert.strictEqual(yield* value('pool_waiting_requests{pool="main"}'), 0)
    })
  )

  it.effect("show the queues, cached for ten seconds, and leave them out while the database is unavailable", () =>
    Effect.gen(function* () {
      const { ask, state } = yield* served
      const first = (yield* ask()).text
      for (const line of [
        "property_network_database_up 1",
        'property_network_webhook_queue_deliveries{state="waiting"} 4',
        'property_network_webhook_queue_deliveries{state="due"} 3',
        'property_network_webhook_queue_deliveries{state="in_flight"} 2',
        'property_network_webhook_queue_deliveries{state="held"} 1',
        "property_network_webhook_oldest_due_delivery_age_seconds 7.5",
        'property_network_queue_jobs{state="due"} 0',
        'property_network_webhooks{health="failing"} 2',
        "property_network_queue_oldest_due_job_age_seconds 0"
      ]) {
        assert.include(first, `${line}\n`)
      }
      state.away = true
      yield* TestClock.adjust("9 seconds")
      assert.include((yield* ask()).text, "property_network_database_up 1\n")
      assert.strictEqual(state.looks, 1)
      yield* TestClock.adjust("1 second")
      const without = (yield* ask()).text
      assert.include(without, "property_network_database_up 0\n")
      assert.notInclude(without, "queue_")
      assert.notInclude(without, "oldest_due")
      assert.include(without, 'property_network_webhook_deliveries_total{outcome="delivered"} 0\n')
      state.away = false
      yield* TestClock.adjust("10 seconds")
      assert.include((yield* ask()).text, 'property_network_webhook_queue_deliveries{state="due"} 3\n')
      assert.strictEqual(state.looks, 3)
    })
  )

  it.effect("are served by GET /metrics only", () =>
    Effect.gen(function* () {
      const { ask } = yield* served
      const answers = yield* Effect.all([
        ask("/metrics?x=1"),
        ask("/metrics", "HEAD"),
        ask("/"),
        ask("/metrics", "POST")
      ])
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 404, 405]
      )
      assert.strictEqual(answers[1].text, "")
      assert.strictEqual(answers[3].headers.get("allow"), "GET, HEAD")
    })
  )

  it.effect("fail the start with the wrong setting when they cannot be served", () =>
    Effect.gen(function* () {
      const server = createServer().listen(0, "127.0.0.1")
      yield* Effect.promise(() => once(server, "listening"))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const refusal = (host: string) =>
        Layer.build(Metrics.layer({ metrics: { host, port }, telemetry: undefined })).pipe(
          Effect.provide(Layer.merge(Layer.mock(WebhookHealth, {}), layerMemory)),
          Effect.flip,
          Effect.map(({ message }) => message)
        )
      assert.strictEqual(
        yield* refusal("127.0.0.1"),
        `METRICS_PORT: ${port} is in use; choose another, or 0 for any free one`
      )
      assert.strictEqual(yield* refusal("192.0.2.1"), 'METRICS_HOST: "192.0.2.1" is not an address of this machine')
      server.close()
    })
  )

  it.effect("are off unless METRICS_PORT is set", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        Layer.build(Metrics.layer({ metrics: undefined, telemetry: undefined })).pipe(
          Effect.provide(Layer.merge(Layer.mock(WebhookHealth, {}), layerMemory))
        )
      )
      assert.isTrue(Exit.isSuccess(exit))
    })
  )
})
