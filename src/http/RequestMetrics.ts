/** The metrics of requests. */
import { type Context, Effect, Metric } from "effect"
import type { RequestLine } from "./RequestLog.ts"

const classOf = (status: string) =>
  Metric.histogram("property_network_http_request_duration_seconds", {
    description: "Duration of requests by class of status.",
    attributes: { status },
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
  })

const classes = [classOf("1xx"), classOf("2xx"), classOf("3xx"), classOf("4xx"), classOf("5xx")]

const ofRoute = (method: string, route: string) =>
  Metric.histogram("property_network_http_route_duration_seconds", {
    description: "Duration of requests by route.",
    attributes: { method, route },
    boundaries: [0.01, 0.05, 0.25, 1, 5]
  })

// At most one for each operation, and two or three for each page.
const routes = new Map<string, ReturnType<typeof ofRoute>>()

/** Counts a response to a request that matched a route. */
const answeredRoute = (method: string, route: string, seconds: number, context: Context.Context<never>): void => {
  const key = `${method} ${route}`
  const known = routes.get(key)
  const histogram = known ?? ofRoute(method, route)
  if (known === undefined) routes.set(key, histogram)
  histogram.updateUnsafe(seconds, context)
}

/** Registers the metrics by class at 0: a counter that first appears at 1 hides its first increase. */
export const begin: Effect.Effect<void> = Effect.forEach(classes, Metric.value, { discard: true })

/** Counts a response to a request, which may have matched no `route`; `context` is that of the running fiber. */
export const answered = (
  { durationMs, method, route, status }: Pick<RequestLine, "durationMs" | "method" | "route" | "status">,
  context: Context.Context<never>
): void => {
  const seconds = durationMs / 1000
  classes[Math.floor(status / 100) - 1]?.updateUnsafe(seconds, context)
  if (route !== undefined) answeredRoute(method, route, seconds, context)
}
