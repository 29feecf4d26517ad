/**
 * The pure decisions on deliveries: when to attempt one, how many at a time, and which state results. See
 * docs/behaviour/webhooks.md#attempts and docs/behaviour/webhooks.md#delivery-states.
 */
import { Duration } from "effect"
import type { PreviousSecret } from "../rules.ts"
import { type Attempt, isAccepted } from "../../core/outbound/rules.ts"

/** The delay after each failed attempt but the last. */
export const retryDelays: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(3),
  Duration.seconds(10),
  Duration.seconds(30),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(8),
  Duration.hours(24)
]

/** A committed transaction with events: its id and its time (ISO 8601). */
export interface CommittedTransaction {
  readonly transactionId: string
  readonly at: string
}

/** The name of the advisory lock under which a team's deliveries are scheduled. */
export const schedulerLock = (teamId: string): string => `deliveries ${teamId}`

/** How many attempts may be in flight at a time, across all workers. */
export interface ConcurrencyLimits {
  /** To one endpoint. */
  readonly perEndpoint: number
  /** To a slow endpoint; and to any endpoint even when its team is at its limit. */
  readonly guaranteed: number
  /** To all endpoints of a team. */
  readonly perTeam: number
}

/** The limits of this service. A receiver that hangs blocks each attempt for ten seconds, so it must not get many. */
export const concurrencyLimits: ConcurrencyLimits = { perEndpoint: 10, guaranteed: 2, perTeam: 30 }

// The shortest time to a wake-up, so that one wake-up serves the retries of this span together.
const minWakeUpMillis = 200

// A wake-up that is overdue by this much has lost its job.
const lostWakeUpMillis = 30_000

/**
 * The new time of a team's wake-up, given when the next retry is due; null removes it. A wake-up is kept if it is early enough,
 * or if its time has come and its job has not run yet. That job passes the time as `fired`.
 */
export const nextWakeUp = (options: {
  readonly at: Date
  readonly nextDue: Date | null
  readonly wakeUp: Date | null
  readonly fired: Date | undefined
}): Date | null => {
  const { at, fired, nextDue, wakeUp } = options
  const isOver =
    wakeUp === null || wakeUp.getTime() === fired?.getTime() || wakeUp.getTime() < at.getTime() - lostWakeUpMillis
  if (nextDue === null) return isOver ? null : wakeUp
  const next = new Date(Math.max(nextDue.getTime(), at.getTime() + minWakeUpMillis))
  return isOver || next < wakeUp ? next : wakeUp
}

/** The number of a delivery's next attempt. A replay does not reset it. */
export const attemptNumber = (delivery: { readonly attemptCount: number; readonly replayedAttempts: number }): number =>
  delivery.attemptCount + delivery.replayedAttempts + 1

const slowMillis = 3000

/** Whether an attempt took so long that its receiver counts as slow until a faster attempt. */
export const isSlow = (attempt: Attempt): boolean => attempt.durationMs >= slowMillis

/**
 * `final`: failed, without a retry. `gone`: the same, and the webhook is disabled. `postponed`: the service could not make the
 * attempt, which counts for nothing and is made later.
 */
export type Verdict = "delivered" | "retry" | "final" | "gone" | "postponed"

/**
 * The verdict on an attempt. What is the service's own fault is postponed. Network errors, 5xx and 429 are retried; other 4xx, including 408, are not. Redirects are not
 * followed: a 3xx is retried like a 5xx, and so is a status outside the classes of HTTP.
 */
export const classify = (attempt: Attempt): Verdict => {
  if (attempt.outcome === "failed") return attempt.ownFault === true ? "postponed" : "retry"
  const { statusCode } = attempt
  if (isAccepted(statusCode)) return "delivered"
  if (statusCode === 410) return "gone"
  if (statusCode === 429) return "retry"
  return statusCode >= 400 && statusCode < 500 ? "final" : "retry"
}

/**
 * The SQL condition of held deliveries: without a time for the next attempt until their webhook is active again. A failed
 * delivery is held unless its verdict was final (see `classify`). It must equal the condition of the index deliveries_held;
 * otherwise Postgres does not use the index.
 */
export const heldCondition = `next_attempt_at is null and (status = 'pending' or (
    status = 'failed' and (coalesce(last_status_code, 0) not between 400 and 499 or last_status_code = 429)
  ))`

const jitterShare = 0.1
const maxRetryAfter = Duration.hours(24)

/**
 * The delay before the next attempt; null if no attempt follows. `jitter` adds up to a tenth, so that deliveries that failed
 * together are not retried together. `Retry-After` is respected on 429 and 503, up to 24 hours. It lengthens the delay and
 * never shortens it.
 */
export const nextDelay = (failed: {
  /** The number of the attempt that has failed, from 1. */
  readonly attempt: number
  readonly delays: ReadonlyArray<Duration.Duration>
  /** In [0, 1). */
  readonly jitter: number
  readonly statusCode?: number
  readonly retryAfterSeconds?: number
}): Duration.Duration | null => {
  const delay = failed.delays[failed.attempt - 1]
  if (delay === undefined) return null
  const jittered = Duration.millis(Math.round(Duration.toMillis(delay) * (1 + jitterShare * failed.jitter)))
  if (failed.retryAfterSeconds === undefined || (failed.statusCode !== 429 && failed.statusCode !== 503)) {
    return jittered
  }
  return Duration.max(jittered, Duration.min(Duration.seconds(failed.retryAfterSeconds), maxRetryAfter))
}

const minPostponed = Duration.seconds(5)
const maxPostponed = Duration.minutes(5)

/**
 * The delay before an attempt that the service could not make: as long as its event has waited by now, so that it doubles each
 * time, and at least 5 seconds and at most 5 minutes. `jitter` adds up to a tenth.
 */
export const postponement = (event: {
  readonly occurredAt: Date
  readonly at: Date
  /** In [0, 1). */
  readonly jitter: number
}): Duration.Duration => {
  const waited = Duration.millis(Math.max(0, event.at.getTime() - event.occurredAt.getTime()))
  const delay = Duration.clamp(waited, { minimum: minPostponed, maximum: maxPostponed })
  return Duration.millis(Math.round(Duration.toMillis(delay) * (1 + jitterShare * event.jitter)))
}

/** `pending`: no attempt has ended. `failed`: the latest attempt failed. `exhausted`: all nine attempts failed. */
export type DeliveryState = "pending" | "delivered" | "failed" | "exhausted"

/**
 * Events of a delivery. An attempt is `delivered`, fails and is retried (`failed_retriable`), fails without a retry
 * (`failed_finally`), or fails as the last one (`attempts_used_up`). Or a client queues the delivery again and resets its
 * count: with all failed ones (`replayed`), or alone (`retried`).
 */
export type DeliveryEvent =
  | "delivered"
  | "failed_retriable"
  | "failed_finally"
  | "attempts_used_up"
  | "replayed"
  | "retried"

/**
 * Every legal transition; all others are rejected. A failure without a retry (a 4xx) leads to `failed` as well, but without a
 * next attempt. Only a delivery that used up all attempts is `exhausted`, and only those count towards disabling the webhook.
 */
export const transitions: Readonly<Record<DeliveryState, Partial<Readonly<Record<DeliveryEvent, DeliveryState>>>>> = {
  pending: {
    delivered: "delivered",
    failed_retriable: "failed",
    failed_finally: "failed",
    attempts_used_up: "exhausted"
  },
  failed: {
    delivered: "delivered",
    failed_retriable: "failed",
    failed_finally: "failed",
    attempts_used_up: "exhausted",
    replayed: "pending",
    retried: "pending"
  },
  exhausted: { replayed: "pending", retried: "pending" },
  delivered: { retried: "pending" }
}

/** The state after an event, or `null` if the event is not possible in that state. */
export const transition = (state: DeliveryState, event: DeliveryEvent): DeliveryState | null =>
  transitions[state][event] ?? null

/** The event that an attempt causes, given the delay before the next one (null if none follows). */
export const deliveryEvent = (
  verdict: Exclude<Verdict, "postponed">,
  next: Duration.Duration | null
): DeliveryEvent => {
  switch (verdict) {
    case "delivered":
      return "delivered"
    case "final":
    case "gone":
      return "failed_finally"
    case "retry":
      return next === null ? "attempts_used_up" : "failed_retriable"
  }
}

/** How a delivery ends: delivered, refused without a retry, refused with 410, or exhausted. */
export type FinalOutcome = "delivered" | "refused" | "gone" | "exhausted"

/** How an attempt ends: with the end of its delivery, with a retry, or without having been made. */
export type AttemptOutcome = FinalOutcome | "retried" | "postponed"

/** The outcome of an attempt. `isRetried`: whether another attempt follows. */
export const attemptOutcome = (verdict: Verdict, isRetried: boolean): AttemptOutcome => {
  switch (verdict) {
    case "delivered":
    case "gone":
    case "postponed":
      return verdict
    case "final":
      return "refused"
    case "retry":
      return isRetried ? "retried" : "exhausted"
  }
}

/** A delivery with everything that an attempt needs. Ids are UUIDs. */
export interface DueDelivery {
  readonly id: string
  readonly teamId: string
  readonly webhookId: string
  readonly status: DeliveryState
  /** Attempts since the delivery was created or last queued again. */
  readonly attemptCount: number
  /** Attempts before that. */
  readonly replayedAttempts: number
  /** The time of the event. */
  readonly occurredAt: Date
  readonly messageId: string
  readonly eventType: string
  readonly body: string
  readonly url: string
  readonly secretSealed: Uint8Array
  readonly previousSecrets: ReadonlyArray<PreviousSecret>
  /** Whether the latest attempt at this webhook was slow. */
  readonly slow: boolean
}
