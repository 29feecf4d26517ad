/** The OpenTelemetry span of a request. */
import { Clock, Context, Exit, type Fiber, Option, type Tracer } from "effect"
import { type HttpServerRequest, HttpTraceContext } from "effect/http"

/**
 * Begins the span, as a child of the caller's span if `traceparent` names one. Returns undefined unless this process exports
 * traces (`src/platform/telemetry/Tracing.ts`).
 */
export const begin = (
  fiber: Fiber.Fiber<unknown, unknown>,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string
): Tracer.Span | undefined => {
  const { tracer, tracerEnabled } = fiber.cache
  if (!tracerEnabled || tracer === undefined) return undefined
  const parent = HttpTraceContext.w3c(request.headers)
  const span = tracer.span({
    name: request.method,
    parent,
    annotations: Context.empty(),
    links: [],
    startTime: fiber.getRef(Clock.Clock).currentTimeNanosUnsafe(),
    kind: "server",
    root: Option.isNone(parent),
    sampled: Option.isNone(parent) || parent.value.sampled
  })
  if (span.sampled) {
    span.attribute("http.request.method", request.method)
    // Without the query, which may contain personal data.
    span.attribute("url.path", request.url.split("?")[0] ?? "")
    span.attribute("url.scheme", "http")
    span.attribute("property_network.request_id", requestId)
  }
  return span
}

/** Ends the span. Only a status from 500 is an error: a 4xx is a regular result of the service. */
export const end = (
  span: Tracer.Span,
  fiber: Fiber.Fiber<unknown, unknown>,
  { method, route, status }: { readonly method: string; readonly route: string | undefined; readonly status: number }
): void => {
  span.attribute("http.response.status_code", status)
  if (route !== undefined) {
    span.attribute("http.route", route)
    // The route is known only after the span has begun. The exporter reads the name when the span ends.
    Object.assign(span, { name: `${method} ${route}` })
  }
  if (status >= 500) span.attribute("error.type", String(status))
  span.end(
    fiber.getRef(Clock.Clock).currentTimeNanosUnsafe(),
    status >= 500 ? Exit.die(new Error(String(status))) : Exit.void
  )
}

/** Ends the span of a request without a response, such as one whose client disconnected. */
export const abandon = (
  span: Tracer.Span,
  fiber: Fiber.Fiber<unknown, unknown>,
  exit: Exit.Exit<unknown, unknown>
): void => {
  if (span.status._tag === "Started") span.end(fiber.getRef(Clock.Clock).currentTimeNanosUnsafe(), exit)
}
