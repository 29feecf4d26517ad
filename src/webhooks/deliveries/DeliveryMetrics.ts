/** The metrics of delivery workers: attempts, deliveries and their latency. */
import { Effect, Metric } from "effect"
import type { AttemptOutcome, FinalOutcome } from "./rules.ts"

const durations = (outcome: AttemptOutcome) =>
  Metric.histogram("property_network_webhook_attempt_duration_seconds", {
    description: "Attempts of deliveries to webhooks, by outcome, and how long they took.",
    attributes: { outcome },
    boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  })

const attempts: Readonly<Record<AttemptOutcome, Metric.Histogram<number>>> = {
  delivered: durations("delivered"),
  retried: durations("retried"),
  postponed: durations("postponed"),
  refused: durations("refused"),
  gone: durations("gone"),
  exhausted: durations("exhausted")
}

const ends = (outcome: FinalOutcome) =>
  Metric.counter("property_network_webhook_deliveries_total", {
    description: "Deliveries to webhooks that ended, by outcome.",
    attributes: { outcome },
    incremental: true
  })

const deliveries: Readonly<Record<FinalOutcome, Metric.Counter<number>>> = {
  delivered: ends("delivered"),
  refused: ends("refused"),
  gone: ends("gone"),
  exhausted: ends("exhausted")
}

const latency = Metric.histogram("property_network_webhook_delivery_latency_seconds", {
  description: "Time from an event to its delivery, of deliveries that arrived.",
  boundaries: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43_200, 172_800]
})

/** Registers all metrics at 0. Prometheus does not see the first increment of a counter that appears with it. */
export const begin: Effect.Effect<void> = Effect.forEach(
  [...Object.values(attempts), ...Object.values(deliveries), latency],
  (metric: Metric.Metric<never, unknown>) => Metric.value(metric),
  { discard: true }
)

/** Counts a recorded attempt. */
export const attemptEnded = (attempt: {
  readonly outcome: AttemptOutcome
  readonly durationMs: number
}): Effect.Effect<void> => Metric.update(attempts[attempt.outcome], attempt.durationMs / 1000)

/**
 * Counts a delivery that has ended. `latencyMs` is the time since its event, which is measured if it was delivered; null if a
 * client has queued the delivery again.
 */
export const deliveryEnded = ({
  latencyMs,
  outcome
}: {
  readonly outcome: FinalOutcome
  readonly latencyMs: number | null
}): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(deliveries[outcome], 1),
    outcome === "delivered" && latencyMs !== null ? Metric.update(latency, Math.max(0, latencyMs) / 1000) : Effect.void
  )
