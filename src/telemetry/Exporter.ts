/**
 * The way out for traces and metrics. A receiver that is down, slow or silent costs them, and nothing else: what is on its
 * way is bounded, and nobody waits for it.
 */
import { Cause, Effect, Layer, Predicate } from "effect"
import { FetchHttpClient, HttpClient, type HttpClientResponse } from "effect/http"
import { OtlpExporter, OtlpSerialization } from "effect/observability"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { onWallClock } from "../db/WallClock.ts"
import { version } from "../version.ts"
import type { TelemetrySetting } from "./TelemetrySetting.ts"

/** How many exports may be on their way at a time. */
const maxConcurrency = 4

/** How long the last exports may take when a process stops. */
export const shutdownTimeout = "1 second"

const instance = randomUUID()

/** What all exports say of this process. */
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

/** Why an export failed: the system's code for it where there is one, which lies somewhere in the causes. */
const reasonOf = (error: unknown): string => {
  if (Predicate.hasProperty(error, "code") && typeof error.code === "string") return error.code
  if (Cause.isTimeoutError(error)) return "no answer in time."
  const inner = Predicate.hasProperty(error, "reason")
    ? error.reason
    : Predicate.hasProperty(error, "cause")
      ? error.cause
      : undefined
  return inner === undefined ? (error instanceof Error ? error.message : String(error)) : reasonOf(inner)
}

/** A client that gives up in time, and says when its receiver goes and comes back, once each. */
const guarded =
  (setting: TelemetrySetting, what: "Metrics" | "Traces") =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient => {
    const { origin } = new URL(setting.endpoint)
    let onTheirWay = 0
    let away = false

    const failed = (reason: string) =>
      Effect.suspend(() => {
        if (away) return Effect.void
        away = true
        return Effect.logWarning(`${what} cannot be sent to ${origin}, and are lost meanwhile: ${reason}`)
      })

    const arrived = (response: HttpClientResponse.HttpClientResponse) => {
      if (response.status >= 300) return failed(`it answers ${response.status}.`)
      if (!away) return Effect.void
      away = false
      return Effect.logInfo(`${what} are sent to ${origin} again.`)
    }

    return HttpClient.transformResponse(client, (exchange) =>
      Effect.suspend(() => {
        // A defect, for it is not to be tried again: there is more where this came from.
        if (onTheirWay >= maxConcurrency) {
          return Effect.andThen(failed("it is too slow."), Effect.die(new Error("too many exports at once")))
        }
        onTheirWay++
        return exchange.pipe(
          Effect.tap((response) => response.arrayBuffer),
          Effect.timeout(setting.timeoutMs),
          Effect.tap(arrived),
          Effect.tapError((error) => failed(reasonOf(error))),
          Effect.ensuring(
            Effect.sync(() => {
              onTheirWay--
            })
          ),
          onWallClock
        )
      })
    ) as HttpClient.HttpClient
  }

/** What an exporter needs. */
export const layer = (
  setting: TelemetrySetting,
  what: "Metrics" | "Traces"
): Layer.Layer<HttpClient.HttpClient | OtlpExporter.Flusher | OtlpSerialization.OtlpSerialization> =>
  Layer.mergeAll(
    Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, guarded(setting, what))).pipe(
      Layer.provide(FetchHttpClient.layer)
    ),
    OtlpExporter.layerFlusher,
    setting.protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
  )
