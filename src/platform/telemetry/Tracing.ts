/**
 * Traces: a span for each request, use-case, statement and job. Without an exporter no spans are created, because each
 * has a cost.
 */
import { Cause, Effect, Exit, Layer, Option, Predicate, References, Tracer } from "effect"
import { HttpMiddleware } from "effect/http"
import { OtlpTracer } from "effect/observability"
import * as Exporter from "./Exporter.ts"
import type { Sampler, TelemetrySetting } from "./TelemetrySetting.ts"

type Options = Parameters<Tracer.Tracer["span"]>[0]

// Maps a trace to a number from 0 to 1, so that every service that samples by share decides alike for it.
const samplingValueOf = (traceId: string): number => Number.parseInt(traceId.slice(-8), 16) / 2 ** 32

/** Whether a span is exported. A child of a span of this process is exported if its parent is. */
const isSampled = ({ kind, parent, sampled }: Options, { parentBased, share }: Sampler): boolean => {
  if (!sampled) return false
  // A root span of a statement belongs to no request or job, but to a poll or a health check: it is not exported.
  if (Option.isNone(parent)) return kind !== "client" && Math.random() < share
  const { _tag, sampled: parentSampled, traceId } = parent.value
  return _tag === "Span" || parentBased ? parentSampled : samplingValueOf(traceId) < share
}

const nameOf = (error: unknown): string => {
  if (Predicate.hasProperty(error, "code") && typeof error.code === "string") return error.code
  if (
    Predicate.isTagged(error, "SqlError") &&
    Predicate.hasProperty(error, "reason") &&
    Predicate.hasProperty(error.reason, "_tag")
  ) {
    return String(error.reason._tag)
  }
  return error instanceof Error ? error.name : Predicate.hasProperty(error, "_tag") ? String(error._tag) : typeof error
}

/** Whether an error rejects a request of a client, which is no error of the service. */
const isRefusal = (error: unknown): boolean =>
  Predicate.hasProperty(error, "status") && typeof error.status === "number" && error.status < 500

/** A failure without its message, which may quote what a client sent. The log has the message. */
class Failure extends Error {
  constructor(name: string) {
    super(name)
    this.name = name
    this.stack = name
  }
}

const redacted = (span: Tracer.Span): Tracer.Span => {
  const end = span.end.bind(span)
  return Object.assign(span, {
    end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => {
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return end(endTime, exit)
      const error = Cause.squash(exit.cause)
      const name = nameOf(error)
      span.attribute("error.type", name)
      end(endTime, isRefusal(error) ? Exit.void : Exit.die(new Failure(name)))
    }
  })
}

/** Wraps a tracer so that it exports sampled traces only, and failures without the data of clients. */
const wrap = (tracer: Tracer.Tracer, sampler: Sampler): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const sampled = isSampled(options, sampler)
      const span = tracer.span({ ...options, sampled })
      return sampled ? redacted(span) : span
    }
  })

const off = Layer.succeed(References.TracerEnabled, false)

const on = (setting: TelemetrySetting, sampler: Sampler) =>
  Layer.merge(
    Layer.effect(
      Tracer.Tracer,
      Effect.map(
        OtlpTracer.make({
          url: `${setting.endpoint}/v1/traces`,
          resource: Exporter.resourceOf(setting),
          headers: setting.headers,
          maxBatchSize: 500,
          shutdownTimeout: Exporter.shutdownTimeout
        }),
        (tracer) => wrap(tracer, sampler)
      )
    ),
    // The library's span of a request contains its query string. The edge starts one without it (http/RequestTelemetry.ts).
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)
  )

/** The tracer for the settings. */
export const layer = (setting: TelemetrySetting | undefined) =>
  setting?.traces === undefined
    ? off
    : on(setting, setting.traces).pipe(Layer.provide(Exporter.layer(setting, "Traces")))
