import * as Config from "../../../src/platform/Config.ts"
import * as Metrics from "../../../src/process/Metrics.ts"
import * as Tracing from "../../../src/platform/telemetry/Tracing.ts"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:http"
import { layerMemory } from "../../../src/platform/fileStore/Drivers.ts"
import { WebhookHealth } from "../../../src/webhooks/WebhookHealth.ts"
import { eventually } from "../../support/polling.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { attribute, receiver } from "./receiver.ts"

const waiting = { waiting: 4, due: 3, inFlight: 2, held: 1, oldestDueSeconds: 7.5 }

describe("Exports", () => {
  it.live("to a receiver that never answers are limited, logged once, and dropped", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { setting } = yield* receiver
        let asked = 0
        const silent = createServer(() => void asked++)
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            silent.closeAllConnections()
            silent.close()
          })
        )
        yield* Effect.promise(() => once(silent.listen(0, "127.0.0.1"), "listening"))
        const address = silent.address()
        const endpoint = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
        const warnings: Array<string> = []
        const observing = Layer.provideMerge(
          Tracing.layer({ ...setting, endpoint }),
          Logger.layer([
            Logger.make(({ logLevel, message }) => {
              if (logLevel !== "Debug") warnings.push(`${logLevel} ${String(message)}`)
            })
          ])
        )
        yield* Effect.forEach(
          Array.from({ length: 10_000 }, (_, index) => index),
          (index) => Effect.withSpan(Effect.void, `span ${index}`),
          { discard: true }
        ).pipe(Effect.andThen(Effect.yieldNow), Effect.provide(observing))
        assert.isTrue(asked > 0 && asked <= 4, String(asked))
        assert.deepStrictEqual(warnings, [`Warn Traces cannot be sent to ${endpoint} and are dropped: it is too slow.`])
      })
    )
  )

  it.effect("of metrics happen at their interval with fresh queue metrics, and once at the end", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const received = yield* receiver
        const setting = { ...received.setting, metricsEveryMs: 60_000 }
        const known = Metric.counter("test_exports_total", { description: "For this test." })
        yield* Effect.gen(function* () {
          yield* Metric.update(known, 7)
          yield* TestClock.adjust("1 minute")
          yield* eventually(() => assert.lengthOf(received.at("/v1/metrics"), 1))
        }).pipe(
          Effect.provide(
            Metrics.layer({ metrics: undefined, telemetry: setting }).pipe(
              Layer.provide(
                Layer.mock(WebhookHealth, {
                  queue: () => Effect.succeed(waiting),
                  countByHealth: () => Effect.succeed({ healthy: 1, late: 0, failing: 0, paused: 0, disabled: 0 })
                })
              ),
              Layer.provide(Layer.merge(TestDatabase.layer, layerMemory))
            )
          )
        )
        const [first, last] = received.at("/v1/metrics").map(
          ({ text }) =>
            JSON.parse(text) as {
              readonly resourceMetrics: ReadonlyArray<{
                readonly scopeMetrics: ReadonlyArray<{
                  readonly metrics: ReadonlyArray<{
                    readonly name: string
                    readonly [kind: string]: unknown
                  }>
                }>
              }>
            }
        )
        assert.isDefined(last)
        const metrics = first?.resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? []
        const pointsOf = (name: string) => {
          const metric = metrics.find((metric) => metric.name === name)
          const { dataPoints } = (metric?.["gauge"] ?? metric?.["sum"] ?? { dataPoints: [] }) as {
            readonly dataPoints: ReadonlyArray<Parameters<typeof attribute>[0] & { readonly asDouble: number }>
          }
          return Object.fromEntries(dataPoints.map((point) => [String(attribute(point, "state")), point.asDouble]))
        }
        assert.deepStrictEqual(pointsOf("test_exports_total"), { undefined: 7 })
        assert.deepStrictEqual(pointsOf("property_network_database_up"), { undefined: 1 })
        assert.deepStrictEqual(pointsOf("property_network_webhook_queue_deliveries"), {
          waiting: 4,
          due: 3,
          in_flight: 2,
          held: 1
        })
        assert.includeMembers(
          metrics.map(({ name }) => name),
          ["property_network_http_request_duration_seconds", "process_resident_memory_bytes"]
        )
      })
    )
  )
})

describe("The settings of telemetry", () => {
  const load = (env: Readonly<Record<string, string>>) =>
    Effect.provideService(Config.load, ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(env))

  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318/" }

  it.effect("are none without an endpoint, or when switched off", () =>
    Effect.gen(function* () {
      assert.isUndefined((yield* load({ OTEL_SERVICE_NAME: "x" })).telemetry)
      assert.isUndefined((yield* load({ ...endpoint, OTEL_SDK_DISABLED: "TRUE" })).telemetry)
      const without = yield* load({ ...endpoint, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" })
      assert.deepInclude(without.telemetry, { traces: undefined, metricsEveryMs: undefined })
    })
  )

  it.effect("follow the environment variables of OpenTelemetry", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* load(endpoint)).telemetry, {
        endpoint: "http://localhost:4318",
        protocol: "http/protobuf",
        headers: {},
        timeoutMs: 10_000,
        serviceName: "property-network",
        resource: {},
        traces: { parentBased: true, share: 1 },
        metricsEveryMs: 60_000
      })
      const { telemetry } = yield* load({
        ...endpoint,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a%3Db, x-team=7",
        OTEL_EXPORTER_OTLP_TIMEOUT: "500",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=brokers,deployment.environment.name=live",
        OTEL_TRACES_SAMPLER: "traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
        OTEL_METRIC_EXPORT_INTERVAL: "5000"
      })
      assert.deepStrictEqual(telemetry, {
        endpoint: "http://localhost:4318",
        protocol: "http/json",
        headers: { authorization: "Bearer a=b", "x-team": "7" },
        timeoutMs: 500,
        serviceName: "brokers",
        resource: { "service.name": "brokers", "deployment.environment.name": "live" },
        traces: { parentBased: false, share: 0.25 },
        metricsEveryMs: 5000
      })
      const off = yield* load({ ...endpoint, OTEL_TRACES_SAMPLER: "always_off", OTEL_SERVICE_NAME: "named" })
      assert.deepInclude(off.telemetry, { serviceName: "named", traces: { parentBased: false, share: 0 } })
    })
  )

  it.effect("are refused when they are invalid, without quoting possible secrets", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<readonly [string, string]> = [
        ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"],
        ["OTEL_EXPORTER_OTLP_HEADERS", "hunter2"],
        ["OTEL_EXPORTER_OTLP_HEADERS", "key=hunter2%"],
        ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
        ["OTEL_RESOURCE_ATTRIBUTES", "=x"],
        ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
        ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
        ["OTEL_METRIC_EXPORT_INTERVAL", "0"],
        ["SLOW_REQUEST_MS", "-1"],
        ["SLOW_QUERY_MS", "soon"],
        ["SEARCH_TIMEOUT_MS", "99"]
      ]
      for (const [variable, value] of wrong) {
        const refused = yield* Effect.flip(load({ [variable]: value }))
        assert.strictEqual(refused.variable, variable, value)
        assert.notInclude(refused.reason, "hunter2")
      }
    })
  )

  it.effect("disable the slow logs with 0", () =>
    Effect.gen(function* () {
      const usual = yield* load({})
      assert.deepInclude(usual, { slowRequestMs: 1000, slowQueryMs: 500, searchTimeoutMs: 2000 })
      assert.deepInclude(yield* load({ SLOW_REQUEST_MS: "0", SLOW_QUERY_MS: "0" }), {
        slowRequestMs: Infinity,
        slowQueryMs: Infinity
      })
    })
  )
})
