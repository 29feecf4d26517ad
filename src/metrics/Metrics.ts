/** `GET /metrics` for Prometheus, on a port of its own: no client of the API gets there. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { createServer } from "node:http"
import { baseUrlOf, type Settings, type SettingRefused } from "../Config.ts"
import type { Database } from "../db/Database.ts"
import * as RequestMeasures from "../http/RequestMeasures.ts"
import * as Listening from "../process/Listening.ts"
import type { Health } from "../webhooks/health/Health.ts"
import * as Measures from "../webhooks/health/Measures.ts"
import * as ProcessMetrics from "./ProcessMetrics.ts"
import * as QueueMetrics from "./QueueMetrics.ts"

const contentType = "text/plain; version=0.0.4; charset=utf-8"

const answer = (refresh: Effect.Effect<void>, looked: Effect.Effect<void>) =>
  Effect.gen(function*() {
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

const serve = Effect.fnUntraced(function*(setting: NonNullable<Settings["metrics"]>) {
  yield* Measures.begin
  yield* RequestMeasures.begin
  const looked = yield* ProcessMetrics.begin
  const refresh = yield* QueueMetrics.refresher
  const server = yield* NodeHttpServer.make(() => createServer(), { ...setting, gracefulShutdownTimeout: "1 second" }).pipe(
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

/** Serves the metrics of this process where the setting says, for as long as the layer lives; nothing without one. */
export const layer = (
  setting: Settings["metrics"]
): Layer.Layer<never, SettingRefused, Database | Health> =>
  setting === undefined ? Layer.empty : Layer.effectDiscard(serve(setting))
