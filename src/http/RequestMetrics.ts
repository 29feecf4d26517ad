/** The metrics of requests. */
import { type Context, Effect, Metric } from "effect"

const classOf = (status: string) =>
  Metric.histogram("property_network_http_request_duration_seconds", {
    description: "Duration of requests by class of status.",
    attributes: { status },
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
  })

const classes = [classOf("1xx"), classOf("2xx"), classOf("3xx"), classOf("4xx"), classOf("5xx")]

/** Registers all metrics at 0: a counter that first appears at 1 hides its first increase. */
export const begin: Effect.Effect<void> = Effect.forEach(classes, Metric.value, { discard: true })

/** Counts a response; `context` is that of the running fiber. */
export const answered = (status: number, durationMs: number, context: Context.Context<never>): void => {
  classes[Math.floor(status / 100) - 1]?.updateUnsafe(durationMs / 1000, context)
}
