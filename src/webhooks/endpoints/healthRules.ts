/** The pure decisions on the health of webhooks. See docs/behaviour/webhooks.md#health. */
import type { WebhookState } from "./rules.ts"

/** How long attempts and deliveries count, in milliseconds. */
export const recentMillis = 86_400_000

/** The duration under which an attempt is counted, in milliseconds: two digits, rounded up. */
export const countedDuration = (durationMs: number): number => {
  const step = durationMs < 100 ? 5 : durationMs < 1000 ? 50 : 500
  return Math.ceil(durationMs / step) * step
}

/** The counts of one webhook. */
export interface WebhookCounts {
  readonly status: WebhookState
  readonly consecutiveExhausted: number
  /** Deliveries that wait: for a later attempt, for a worker, or until the webhook is active again. */
  readonly pending: number
  /** When the oldest unfinished attempt became due; null if none is due or the webhook is not active. */
  readonly oldestDueAt: Date | null
  /** Deliveries first attempted in the last 24 hours, and how many of them were delivered since. */
  readonly attempted: number
  readonly delivered: number
}

/**
 * `disabled`, `paused`: nothing is sent. `failing`: the receiver does not accept deliveries. `late`: it does, but deliveries
 * accumulate, or no worker sends them.
 */
export type Health = "disabled" | "failing" | "late" | "paused" | "healthy"

/** A webhook that accepts a smaller share of the attempted deliveries is failing. */
export const minSuccessRate = 0.95

/** If an attempt has been due for longer, in milliseconds, its webhook is late. */
export const maxDueAge = 60_000

/** The share of the attempted deliveries that were delivered; null if none was attempted. */
export const successRate = ({ attempted, delivered }: Pick<WebhookCounts, "attempted" | "delivered">): number | null =>
  attempted === 0 ? null : delivered / attempted

/** The counts as health is decided on them: in an installation that sends nothing, nothing is due. */
export const dueIfSending = <Counts extends Pick<WebhookCounts, "oldestDueAt">>(
  counts: Counts,
  isSending: boolean
): Counts => (isSending ? counts : { ...counts, oldestDueAt: null })

/**
 * The SQL expression of when a waiting delivery was due, for the health of its webhook: since its creation if the service itself
 * is the reason that it waits, which is why its latest attempt has no duration.
 */
export const waitingSince =
  "case when last_attempt_at is not null and last_duration_ms is null then created_at else next_attempt_at end"

/** The health of a webhook at `now`. */
export const healthOf = (counts: Omit<WebhookCounts, "pending">, now: Date): Health => {
  if (counts.status !== "active") return counts.status
  const rate = successRate(counts)
  if (counts.consecutiveExhausted > 0 || (rate !== null && rate < minSuccessRate)) return "failing"
  const { oldestDueAt } = counts
  return oldestDueAt !== null && now.getTime() - oldestDueAt.getTime() > maxDueAge ? "late" : "healthy"
}

/** Why a webhook is failing, as a sentence. */
export const failureReason = ({
  attempted,
  consecutiveExhausted,
  delivered
}: Pick<WebhookCounts, "attempted" | "consecutiveExhausted" | "delivered">): string =>
  consecutiveExhausted > 0
    ? `The latest ${consecutiveExhausted} deliveries to end used up all their attempts.`
    : `${delivered} of the ${attempted} deliveries of the last 24 hours arrived.`

const ranks: Readonly<Record<Health, number>> = { disabled: 0, failing: 1, late: 2, paused: 3, healthy: 4 }

/** Orders webhooks by health, the worst first, then by success rate, then by the length of the queue. */
export const worstFirst =
  (now: Date) =>
  (one: WebhookCounts, other: WebhookCounts): number =>
    ranks[healthOf(one, now)] - ranks[healthOf(other, now)] ||
    (successRate(one) ?? 1) - (successRate(other) ?? 1) ||
    other.pending - one.pending
