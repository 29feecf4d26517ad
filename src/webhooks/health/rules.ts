/** The health of webhooks, for those who run the service. */
import type { WebhookState } from "../endpoints/rules.ts"

/** What was counted of one webhook. */
export interface WebhookCounts {
  readonly status: WebhookState
  readonly consecutiveExhausted: number
  /** Deliveries that wait for their time, for a worker, or for the webhook to be active again. */
  readonly pending: number
  /** When the oldest attempt was due that has not ended; null when none is due, or the webhook is not active. */
  readonly oldestDueAt: Date | null
  /** Deliveries of the last 24 hours that were attempted, and those of them that were delivered. */
  readonly attempted: number
  readonly delivered: number
}

/**
 * `disabled`, `paused`: it sends nothing. `failing`: deliveries are not accepted. `late`: they are accepted, but more come
 * than go, or no worker sends them. A paused webhook is what its owner asked for, and counts as well.
 */
export type Health = "disabled" | "failing" | "late" | "paused" | "healthy"

/** The least share of the attempted deliveries that a webhook accepts that is not failing. */
export const minSuccessRate = 0.95

/** How long an attempt may be due, in milliseconds, before its webhook is late. */
export const maxDueAge = 60_000

/** The share of the attempted deliveries that were delivered; null when none was attempted. */
export const successRate = ({ attempted, delivered }: Pick<WebhookCounts, "attempted" | "delivered">): number | null =>
  attempted === 0 ? null : delivered / attempted

/** The health of a webhook at `now`. */
export const healthOf = (counts: WebhookCounts, now: Date): Health => {
  if (counts.status !== "active") return counts.status
  const rate = successRate(counts)
  if (counts.consecutiveExhausted > 0 || (rate !== null && rate < minSuccessRate)) return "failing"
  const { oldestDueAt } = counts
  return oldestDueAt !== null && now.getTime() - oldestDueAt.getTime() > maxDueAge ? "late" : "healthy"
}

const ranks: Readonly<Record<Health, number>> = { disabled: 0, failing: 1, late: 2, paused: 3, healthy: 4 }

/** Orders webhooks, the worst first: by their health, then the lower rate, then the longer queue. */
export const worstFirst =
  (now: Date) =>
  (one: WebhookCounts, other: WebhookCounts): number =>
    ranks[healthOf(one, now)] - ranks[healthOf(other, now)] ||
    (successRate(one) ?? 1) - (successRate(other) ?? 1) ||
    other.pending - one.pending
