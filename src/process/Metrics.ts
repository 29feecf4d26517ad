/**
 * Exposes metrics: `GET /metrics` for Prometheus, on a separate port that clients of the API cannot reach, and exports
 * by OTLP.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Listening from "./Listening.ts"
import * as RequestRecords from "../core/requests/RequestRecords.ts"
import * as DeletionLimits from "../core/deletions/DeletionLimits.ts"
import * as Refusals from "../core/auth/Refusals.ts"
import * as StorageSpace from "../platform/StorageSpace.ts"
import * as Exporter from "../platform/telemetry/Exporter.ts"
import { beginMetrics } from "../webhooks/deliveries/Recorder.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import { type Context, Effect, Layer, Metric, Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { OtlpExporter, OtlpMetrics, PrometheusMetrics } from "effect/observability"
import { createServer } from "node:http"
import { baseUrlOf, type Settings } from "../platform/Config.ts"
import type { SettingRefused } from "../platform/Setting.ts"
import { Database } from "../platform/db/Database.ts"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { registerMetrics } from "../http/RequestTelemetry.ts"
import type { TelemetrySetting } from "../platform/telemetry/TelemetrySetting.ts"
import type { WebhookHealth } from "../webhooks/WebhookHealth.ts"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { version } from "../platform/version.ts"
import type { PoolUsage } from "../platform/db/PoolUsage.ts"
import { refresher } from "./DatabaseMetrics.ts"

const contentType = "text/plain; version=0.0.4; charset=utf-8"

const answer = (refresh: Effect.Effect<void>, resetDelays: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    if (url.split("?")[0] !== "/metrics") {
      return HttpServerResponse.text("Not found: only /metrics is served here.\n", { status: 404 })
    }
    if (method !== "GET" && method !== "HEAD") {
      return HttpServerResponse.text("Method not allowed: /metrics supports GET and HEAD.\n", {
        status: 405,
        headers: { allow: "GET, HEAD" }
      })
    }
    yield* refresh
    const text = yield* PrometheusMetrics.format()
    yield* resetDelays
    return HttpServerResponse.text(text, { contentType })
  })

/** Registers all metrics. Returns an effect to run before each read of them, and one to run after it. */
const register = Effect.gen(function* () {
  yield* beginMetrics
  yield* registerMetrics
  yield* Refusals.beginMetrics
  yield* DeletionLimits.beginMetrics
  yield* RequestRecords.beginMetrics
  yield* StorageSpace.beginMetrics
  yield* registerStorage
  const lookAtRoom = yield* registerRoom
  yield* registerDatabase
  const resetDelays = yield* registerProcess
  const refresh = Effect.andThen(yield* refresher, lookAtRoom)
  return { resetDelays, refresh }
})

type Registered = Effect.Success<typeof register>

const serve = Effect.fnUntraced(function* (
  setting: NonNullable<Settings["metrics"]>,
  { resetDelays, refresh }: Registered
) {
  const server = yield* NodeHttpServer.make(() => createServer(), {
    ...setting,
    gracefulShutdownTimeout: "1 second"
  }).pipe(
    Effect.catchTag("ServeError", (error): Effect.Effect<never, SettingRefused> => {
      const refused = Listening.refusal(error, { port: "METRICS_PORT", host: "METRICS_HOST" })
      return refused === undefined ? Effect.die(error) : Effect.fail(refused)
    })
  )
  yield* server.serve(answer(refresh, resetDelays))
  const { address } = server
  const port = "port" in address ? address.port : setting.port
  yield* Effect.logInfo(`Metrics are served at ${baseUrlOf({ baseUrl: undefined, host: setting.host }, port)}/metrics.`)
})

const send = Effect.fnUntraced(function* (
  setting: TelemetrySetting,
  everyMs: number,
  { resetDelays, refresh }: Registered
) {
  const flusher = yield* OtlpExporter.Flusher
  yield* OtlpMetrics.make({
    url: `${setting.endpoint}/v1/metrics`,
    resource: Exporter.resourceOf(setting),
    headers: setting.headers,
    // Exports are triggered below, after the queue metrics have been refreshed.
    exportInterval: "1 day",
    shutdownTimeout: Exporter.shutdownTimeout
  })
  yield* Effect.sleep(everyMs).pipe(
    Effect.andThen(refresh),
    Effect.andThen(flusher.flush),
    Effect.andThen(resetDelays),
    Effect.forever,
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
})

/** Serves and exports the metrics of this process by the settings, for as long as the layer lives. */
export const layer = ({
  metrics,
  telemetry
}: Pick<Settings, "metrics" | "telemetry">): Layer.Layer<
  never,
  SettingRefused,
  Database | FileStore | WebhookHealth
> => {
  const everyMs = telemetry?.metricsEveryMs
  if (metrics === undefined && everyMs === undefined) return Layer.empty
  return Layer.effectDiscard(
    Effect.gen(function* () {
      const registered = yield* register
      if (metrics !== undefined) yield* serve(metrics, registered)
      if (telemetry !== undefined && everyMs !== undefined) {
        const exporter = yield* Layer.build(Exporter.layer(telemetry, "Metrics"))
        yield* Effect.provideContext(send(telemetry, everyMs, registered), exporter)
      }
    })
  )
}

// Metrics whose values are computed when they are read: of the process, and of its connections to the database.

/** Registers a metric whose state is computed when it is read, for as long as the scope lasts. */
export const registerComputed = <State>(metric: Metric.Metric<number, State>, get: () => State) =>
  Effect.acquireRelease(
    Effect.contextWith((context: Context.Context<never>) =>
      Effect.sync(() => Metric.registerUnsafe(metric, context, { get, update: () => {}, modify: () => {} }))
    ),
    (registration) => Effect.sync(() => registration.remove())
  )

/** Registers a gauge whose value is computed when it is read, for as long as the scope lasts. */
export const gauge = (
  name: string,
  description: string,
  value: () => number,
  attributes: Readonly<Record<string, string>> = {}
) => registerComputed(Metric.gauge(name, { description, attributes }), () => ({ value: value() }))

// The sampling interval of the event loop's delay, in milliseconds. Each measured delay includes it.
const resolution = 10

const loopDelay = Effect.acquireRelease(
  Effect.sync(() => {
    const histogram = monitorEventLoopDelay({ resolution })
    histogram.enable()
    return histogram
  }),
  (histogram) => Effect.sync(() => histogram.disable())
)

// The histogram reports NaN as long as it is empty.
const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)

const processorTime = () => {
  const { system, user } = process.cpuUsage()
  return { count: (system + user) / 1e6, incremental: true }
}

/**
 * Registers the metrics of the process itself, with the names that Prometheus' client libraries use, for as long as the scope lasts.
 * Returns an effect that resets the delays of the event loop, to run after each read.
 */
const registerProcess: Effect.Effect<Effect.Effect<void>, never, Scope.Scope> = Effect.gen(function* () {
  const delay = yield* loopDelay
  const startedAt = Date.now() / 1000 - process.uptime()
  yield* registerComputed(
    Metric.counter("process_cpu_seconds_total", { description: "CPU time used, in seconds." }),
    processorTime
  )
  yield* gauge("process_start_time_seconds", "The start time of the process, in seconds since 1970.", () => startedAt)
  yield* gauge("process_resident_memory_bytes", "The resident memory of the process.", () => process.memoryUsage.rss())
  yield* gauge("nodejs_heap_size_used_bytes", "The heap memory in use.", () => process.memoryUsage().heapUsed)
  yield* gauge("property_network_build_info", "1, with the version of the service.", () => 1, { version })
  const since = "The delay of the event loop since the last read:"
  yield* gauge("nodejs_eventloop_lag_mean_seconds", `${since} the average.`, () => seconds(delay.mean))
  yield* gauge("nodejs_eventloop_lag_p99_seconds", `${since} the 99th percentile.`, () => seconds(delay.percentile(99)))
  yield* gauge("nodejs_eventloop_lag_max_seconds", `${since} the longest.`, () => seconds(delay.max))
  return Effect.sync(() => delay.reset())
})

/** Registers which stores are full, for as long as the scope lasts. */
const registerStorage = Effect.gen(function* () {
  const space = yield* StorageSpace.CurrentStorageSpace
  for (const store of ["database", "files"] as const) {
    yield* gauge(
      "property_network_storage_full",
      "1 while a disk is full, by what is to be stored, as far as the process knows.",
      () => (space.isFull(store) ? 1 : 0),
      { store }
    )
  }
})

/** Registers the room of the file store, where that is known, for as long as the scope lasts. Returns an effect that looks at it. */
const registerRoom = Effect.gen(function* () {
  const { space } = yield* FileStore
  let room = yield* space
  if (room === undefined) return Effect.void
  const of = "The disk of the file store:"
  yield* gauge("property_network_file_store_size_bytes", `${of} its size.`, () => room?.size ?? Number.NaN)
  yield* gauge(
    "property_network_file_store_available_bytes",
    `${of} what is left.`,
    () => room?.available ?? Number.NaN
  )
  return Effect.map(space, (found) => {
    room = found
  })
})

const registerPool = Effect.fnUntraced(function* ({ max, pool, used, waiting }: PoolUsage) {
  yield* gauge("property_network_database_pool_max_connections", "How many connections a pool may have.", () => max, {
    pool
  })
  yield* gauge(
    "property_network_database_pool_used_connections",
    "Connections that run a statement or a transaction, by pool.",
    used,
    { pool }
  )
  yield* gauge(
    "property_network_database_pool_waiting_requests",
    "Statements and transactions that wait for a connection, by pool.",
    waiting,
    { pool }
  )
})

const registerStandby = Effect.fnUntraced(function* (sql: Database["Service"], number: number) {
  const lag = () => sql.standbys?.lags()[number - 1]
  const replica = { replica: `standby_${number}` }
  yield* gauge(
    "property_network_replica_lag_seconds",
    "For how long a standby has lacked something of the primary, or has not answered.",
    () => lag()?.seconds ?? 0,
    replica
  )
  yield* gauge(
    "property_network_replica_used",
    "1 while reads are sent to a standby.",
    () => (lag()?.isRead === true ? 1 : 0),
    replica
  )
})

/** Registers the metrics of the connections of this process to the database for as long as the scope lasts. */
export const registerDatabase = Effect.gen(function* () {
  const sql = yield* Database
  for (const { number } of sql.standbys?.lags() ?? []) yield* registerStandby(sql, number)
  for (const pool of sql.pools ?? []) yield* registerPool(pool)
  if (sql.cells !== undefined) {
    const scope = yield* Effect.scope
    yield* sql.cells.watchPools((pool) => Effect.runSync(Scope.provide(registerPool(pool), scope)))
  }
  yield* gauge(
    "property_network_database_waiting_transactions",
    "Transactions that wait until others of their tenant, or of all, have ended.",
    () => Transaction.waiting(sql)
  )
})
