/** The span of a request, where requests are traced. */
import { Clock, Context, Exit, type Fiber, Option, type Tracer } from "effect"
import { type HttpServerRequest, HttpTraceContext } from "effect/http"

/**
 * Begins it, below the caller's span if the request names one. There is none unless this process exports traces (see
 * process/Tracing.ts).
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
    // Without the query: it may hold what is nobody else's business.
    span.attribute("url.path", request.url.split("?")[0] ?? "")
    span.attribute("url.scheme", "http")
    span.attribute("property_network.request_id", requestId)
  }
  return span
}

/** Ends it. Refusals are what the service is for; what is at or above 500 is an error. */
export const end = (
  span: Tracer.Span,
  fiber: Fiber.Fiber<unknown, unknown>,
  { method, route, status }: { readonly method: string; readonly route: string | undefined; readonly status: number }
): void => {
  span.attribute("http.response.status_code", status)
  if (route !== undefined) {
    span.attribute("http.route", route)
    // Which route it is turns out after the span has begun, and its name is read when it ends.
    Object.assign(span, { name: `${method} ${route}` })
  }
  if (status >= 500) span.attribute("error.type", String(status))
  span.end(
    fiber.getRef(Clock.Clock).currentTimeNanosUnsafe(),
    status >= 500 ? Exit.die(new Error(String(status))) : Exit.void
  )
}

/** Ends the span of a request that got no answer, such as one whose client has left. */
export const abandon = (
  span: Tracer.Span,
  fiber: Fiber.Fiber<unknown, unknown>,
  exit: Exit.Exit<unknown, unknown>
): void => {
  if (span.status._tag === "Started") span.end(fiber.getRef(Clock.Clock).currentTimeNanosUnsafe(), exit)
}
