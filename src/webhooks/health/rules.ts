/** How endpoints and attempts are, for those who run the service: what is wrong, and what is worst. */
import type { Verdict } from "../deliveries/rules.ts"
import type { WebhookState } from "../endpoints/rules.ts"

/** What was counted of one endpoint. */
export interface Measured {
  readonly status: WebhookState
  readonly consecutiveExhausted: number
  /** Deliveries that wait: for their time, for their turn, or for the endpoint to be active again. */
  readonly pending: number
  /** When the oldest attempt was due that has not ended; null when none is due, or the endpoint is not active. */
  readonly oldestDueAt: Date | null
  /** Deliveries of the last 24 hours that were attempted, and those of them that arrived. */
  readonly attempted: number
  readonly delivered: number
}

/**
 * `disabled`, `paused`: it sends nothing. `failing`: deliveries do not arrive. `late`: they arrive, but more come than
 * go, or no worker sends them. A paused one is its owner's wish, and no sickness.
 */
export type Health = "disabled" | "failing" | "late" | "paused" | "healthy"

/** The share of the attempted deliveries that arrive at an endpoint that is not failing. */
export const minSuccessRate = 0.95

/** How long an attempt may be due, in milliseconds, before its endpoint is late. */
export const maxDueAge = 60_000

/** The share of the attempted deliveries that arrived; null when none was attempted. */
export const successRate = ({ attempted, delivered }: Pick<Measured, "attempted" | "delivered">): number | null =>
  attempted === 0 ? null : delivered / attempted

/** How an endpoint is at `now`. */
export const healthOf = (measured: Measured, now: Date): Health => {
  if (measured.status !== "active") return measured.status
  const rate = successRate(measured)
  if (measured.consecutiveExhausted > 0 || (rate !== null && rate < minSuccessRate)) return "failing"
  const { oldestDueAt } = measured
  return oldestDueAt !== null && now.getTime() - oldestDueAt.getTime() > maxDueAge ? "late" : "healthy"
}

const ranks: Readonly<Record<Health, number>> = { disabled: 0, failing: 1, late: 2, paused: 3, healthy: 4 }

/** Orders endpoints, the sickest first: by their health, then the lower rate, then the longer queue. */
export const bySickness =
  (now: Date) =>
  (one: Measured, other: Measured): number =>
    ranks[healthOf(one, now)] - ranks[healthOf(other, now)] ||
    (successRate(one) ?? 1) - (successRate(other) ?? 1) ||
    other.pending - one.pending

/** How a delivery ends: it arrived, was refused for good, met a 410, or used up all its attempts. */
export type DeliveryOutcome = "delivered" | "refused" | "gone" | "exhausted"

/** How an attempt ends: as its delivery does, or in a wait for the next one. */
export type AttemptOutcome = DeliveryOutcome | "retried"

/** How an attempt ended of which this was made; `again`: whether another follows. */
export const attemptOutcome = (verdict: Verdict, again: boolean): AttemptOutcome => {
  switch (verdict) {
    case "delivered":
    case "gone":
      return verdict
    case "final":
      return "refused"
    case "retry":
      return again ? "retried" : "exhausted"
  }
}
