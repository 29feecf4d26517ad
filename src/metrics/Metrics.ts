/** `GET /metrics` for Prometheus, on a port of its own, where no client of the API gets; and the same by OTLP. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { OtlpExporter, OtlpMetrics, PrometheusMetrics } from "effect/observability"
import { createServer } from "node:http"
import { baseUrlOf } from "../BaseUrl.ts"
import type { Settings } from "../Config.ts"
import type { SettingRefused } from "../Setting.ts"
import type { Database } from "../db/Database.ts"
import * as RequestMeasures from "../http/RequestMeasures.ts"
import * as Listening from "../process/Listening.ts"
import * as Exporter from "../telemetry/Exporter.ts"
import type { TelemetrySetting } from "../telemetry/TelemetrySetting.ts"
import type { Health } from "../webhooks/health/Health.ts"
import * as DeliveryMetrics from "../webhooks/deliveries/DeliveryMetrics.ts"
import * as ProcessMetrics from "./ProcessMetrics.ts"
import * as QueueMetrics from "./QueueMetrics.ts"

const contentType = "text/plain; version=0.0.4; charset=utf-8"

const answer = (refresh: Effect.Effect<void>, looked: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    if (url.split("?")[0] !== "/metrics") {
      return HttpServerResponse.text("There is nothing here but /metrics.\n", { status: 404 })
    }
    if (method !== "GET" && method !== "HEAD") {
      return HttpServerResponse.text("/metrics has GET, HEAD.\n", { status: 405, headers: { allow: "GET, HEAD" } })
    }
    yield* refresh
    const text = yield* PrometheusMetrics.format()
    yield* looked
    return HttpServerResponse.text(text, { contentType })
  })

/** Makes them all known; answers what to do before a look at them, and after it. */
const begin = Effect.gen(function* () {
  yield* DeliveryMetrics.begin
  yield* RequestMeasures.begin
  const looked = yield* ProcessMetrics.begin
  const refresh = yield* QueueMetrics.refresher
  return { looked, refresh }
})

type Begun = Effect.Success<typeof begin>

const serve = Effect.fnUntraced(function* (setting: NonNullable<Settings["metrics"]>, { looked, refresh }: Begun) {
  const server = yield* NodeHttpServer.make(() => createServer(), {
    ...setting,
    gracefulShutdownTimeout: "1 second"
  }).pipe(
    Effect.catchTag("ServeError", (error): Effect.Effect<never, SettingRefused> => {
      const refused = Listening.refusal(error, { port: "METRICS_PORT", host: "METRICS_HOST" })
      return refused === undefined ? Effect.die(error) : Effect.fail(refused)
    })
  )
  yield* server.serve(answer(refresh, looked))
  const { address } = server
  const port = "port" in address ? address.port : setting.port
  yield* Effect.logInfo(`The metrics are at ${baseUrlOf({ baseUrl: undefined, host: setting.host }, port)}/metrics.`)
})

const send = Effect.fnUntraced(function* (setting: TelemetrySetting, everyMs: number, { looked, refresh }: Begun) {
  const flusher = yield* OtlpExporter.Flusher
  yield* OtlpMetrics.make({
    url: `${setting.endpoint}/v1/metrics`,
    resource: Exporter.resourceOf(setting),
    headers: setting.headers,
    // It is told when, since what waits in the database is looked at before.
    exportInterval: "1 day",
    shutdownTimeout: Exporter.shutdownTimeout
  })
  yield* Effect.sleep(everyMs).pipe(
    Effect.andThen(refresh),
    Effect.andThen(flusher.flush),
    Effect.andThen(looked),
    Effect.forever,
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
})

/**
 * Serves the metrics of this process where the settings say, and sends them where the settings say, for as long as the
 * layer lives; nothing without either.
 */
export const layer = ({
  metrics,
  telemetry
}: Pick<Settings, "metrics" | "telemetry">): Layer.Layer<never, SettingRefused, Database | Health> => {
  const everyMs = telemetry?.metricsEveryMs
  if (metrics === undefined && everyMs === undefined) return Layer.empty
  return Layer.effectDiscard(
    Effect.gen(function* () {
      const begun = yield* begin
      if (metrics !== undefined) yield* serve(metrics, begun)
      if (telemetry !== undefined && everyMs !== undefined) {
        const exporter = yield* Layer.build(Exporter.layer(telemetry, "Metrics"))
        yield* Effect.provideContext(send(telemetry, everyMs, begun), exporter)
      }
    })
  )
}
