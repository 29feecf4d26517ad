/**
 * Exposes metrics: `GET /metrics` for Prometheus, on a separate port that clients of the API cannot reach, and exports
 * by OTLP.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Listening from "../Listening.ts"
import * as Exporter from "../../platform/telemetry/Exporter.ts"
import { beginMetrics } from "../../webhooks/deliveries/Recorder.ts"
import { refresher, registerDatabase, registerProcess } from "./Gauges.ts"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { OtlpExporter, OtlpMetrics, PrometheusMetrics } from "effect/observability"
import { createServer } from "node:http"
import { baseUrlOf, type Settings } from "../../platform/Config.ts"
import type { SettingRefused } from "../../platform/Setting.ts"
import type { Database } from "../../platform/db/Database.ts"
import { registerMetrics } from "../../http/RequestTelemetry.ts"
import type { TelemetrySetting } from "../../platform/telemetry/TelemetrySetting.ts"
import type { WebhookHealth } from "../../webhooks/WebhookHealth.ts"

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
  yield* registerDatabase
  const resetDelays = yield* registerProcess
  const refresh = yield* refresher
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
}: Pick<Settings, "metrics" | "telemetry">): Layer.Layer<never, SettingRefused, Database | WebhookHealth> => {
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
