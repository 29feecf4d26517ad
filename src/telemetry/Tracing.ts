/**
 * Traces: a span for each request, use-case, statement and job. Where they go nowhere none is made, for each costs a little.
 */
import { Cause, Effect, Exit, Layer, Option, Predicate, References, Tracer } from "effect"
import { HttpMiddleware } from "effect/http"
import { OtlpTracer } from "effect/observability"
import * as Exporter from "./Exporter.ts"
import type { Sampler, TelemetrySetting } from "./TelemetrySetting.ts"

type Options = Parameters<Tracer.Tracer["span"]>[0]

// The share by which every service that sees this trace decides alike.
const placeOf = (traceId: string): number => Number.parseInt(traceId.slice(-8), 16) / 2 ** 32

/** Whether a span is exported. Those below another are when it is. */
const isSampled = ({ kind, parent, sampled }: Options, { parentBased, share }: Sampler): boolean => {
  if (!sampled) return false
  // A statement that nobody's request or job asked for: a look at what waits, or whether all is well.
  if (Option.isNone(parent)) return kind !== "client" && Math.random() < share
  const { _tag, sampled: wanted, traceId } = parent.value
  return _tag === "Span" || parentBased ? wanted : placeOf(traceId) < share
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

/** Whether it refuses what a client asked for: that is no error of ours. */
const isRefusal = (error: unknown): boolean =>
  Predicate.hasProperty(error, "status") && typeof error.status === "number" && error.status < 500

/** A failure by its name alone. What it says may hold what a client sent, and is in the log. */
class Failure extends Error {
  constructor(name: string) {
    super(name)
    this.name = name
    this.stack = name
  }
}

const discreet = (span: Tracer.Span): Tracer.Span => {
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

/** Spans of `tracer`: of the traces that are wanted, and without anything that somebody sent us. */
export const wrap = (tracer: Tracer.Tracer, sampler: Sampler): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const sampled = isSampled(options, sampler)
      const span = tracer.span({ ...options, sampled })
      return sampled ? discreet(span) : span
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
    // The server's own would have the query of each request in it. Ours is begun at the edge (http/ServerSpan.ts).
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)
  )

/** Traces as the setting has it. */
export const layer = (setting: TelemetrySetting | undefined) =>
  setting?.traces === undefined
    ? off
    : on(setting, setting.traces).pipe(Layer.provide(Exporter.layer(setting, "Traces")))
