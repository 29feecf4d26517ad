/**
 * Exports traces and metrics by OTLP. A receiver that is down or slow costs telemetry and nothing else: the number of
 * exports in flight is bounded, and nothing waits for them.
 */
import { Cause, Effect, Layer, Predicate } from "effect"
import { FetchHttpClient, HttpClient, type HttpClientResponse } from "effect/http"
import { OtlpExporter, OtlpSerialization } from "effect/observability"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { onWallClock } from "../Time.ts"
import { version } from "../version.ts"
import type { TelemetrySetting } from "./TelemetrySetting.ts"

/** How many exports may be in flight at the same time. */
const maxConcurrency = 4

/** How long the last exports may take when the process stops. */
export const shutdownTimeout = "1 second"

const instance = randomUUID()

/** The resource attributes of this process. Those of `OTEL_RESOURCE_ATTRIBUTES` win. */
export const resourceOf = (setting: TelemetrySetting) => ({
  serviceName: setting.serviceName,
  attributes: {
    "service.version": version,
    "service.instance.id": instance,
    "host.name": hostname(),
    "process.pid": process.pid,
    ...setting.resource
  }
})

/** The reason of a failed export: the system's error code, if one is among the causes. */
const reasonOf = (error: unknown): string => {
  if (Predicate.hasProperty(error, "code") && typeof error.code === "string") return error.code
  if (Cause.isTimeoutError(error)) return "the request timed out."
  const inner = Predicate.hasProperty(error, "reason")
    ? error.reason
    : Predicate.hasProperty(error, "cause")
      ? error.cause
      : undefined
  return inner === undefined ? (error instanceof Error ? error.message : String(error)) : reasonOf(inner)
}

/** A client with a timeout that logs once when its receiver becomes unavailable, and once when it is back. */
const guarded =
  (setting: TelemetrySetting, signal: "Metrics" | "Traces") =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient => {
    const { origin } = new URL(setting.endpoint)
    let inFlight = 0
    let isUnavailable = false

    const failed = (reason: string) =>
      Effect.suspend(() => {
        if (isUnavailable) return Effect.void
        isUnavailable = true
        return Effect.logWarning(`${signal} cannot be sent to ${origin} and are dropped: ${reason}`)
      })

    const arrived = (response: HttpClientResponse.HttpClientResponse) => {
      if (response.status >= 300) return failed(`it answers ${response.status}.`)
      if (!isUnavailable) return Effect.void
      isUnavailable = false
      return Effect.logInfo(`${signal} are sent to ${origin} again.`)
    }

    return HttpClient.transformResponse(client, (exchange) =>
      Effect.suspend(() => {
        // A defect, so that the exporter does not retry: newer telemetry follows.
        if (inFlight >= maxConcurrency) {
          return Effect.andThen(failed("it is too slow."), Effect.die(new Error("too many exports at once")))
        }
        inFlight++
        return exchange.pipe(
          Effect.tap((response) => response.arrayBuffer),
          Effect.timeout(setting.timeoutMs),
          Effect.tap(arrived),
          Effect.tapError((error) => failed(reasonOf(error))),
          Effect.ensuring(
            Effect.sync(() => {
              inFlight--
            })
          ),
          onWallClock
        )
      })
    ) as HttpClient.HttpClient
  }

/** The services that an exporter needs. */
export const layer = (
  setting: TelemetrySetting,
  signal: "Metrics" | "Traces"
): Layer.Layer<HttpClient.HttpClient | OtlpExporter.Flusher | OtlpSerialization.OtlpSerialization> =>
  Layer.mergeAll(
    Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, guarded(setting, signal))).pipe(
      Layer.provide(FetchHttpClient.layer)
    ),
    OtlpExporter.layerFlusher,
    setting.protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
  )
