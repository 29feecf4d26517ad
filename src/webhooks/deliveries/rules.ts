/** The pure decisions on deliveries: when one is attempted, how many at a time, and what state an attempt leaves it in. */
import { Duration } from "effect"
import type { PreviousSecret } from "../endpoints/rules.ts"
import type { Attempt } from "../outbound/Attempt.ts"
import { isAccepted } from "../outbound/rules.ts"

/** How many attempts a delivery has, the first one included. */
export const maxAttempts = 9

/** The wait after each failed attempt but the last. */
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

/** A transaction with events: its id, and its time, in ISO 8601. */
export interface CommittedTransaction {
  readonly transactionId: string
  readonly at: string
}

/** The name of the advisory lock under which a team's deliveries are scheduled. */
export const schedulerLock = (teamId: string): string => `deliveries ${teamId}`

/** How many attempts may be in flight at a time, of all workers together. */
export interface ConcurrencyLimits {
  /** To one endpoint. */
  readonly perEndpoint: number
  /** To one endpoint that answers slowly; and to any other even when its team is at its limit. */
  readonly guaranteed: number
  /** To all endpoints of a team. */
  readonly perTeam: number
}

/** The limits of this service: a receiver that hangs keeps each attempt for ten seconds, but few of them. */
export const concurrencyLimits: ConcurrencyLimits = { perEndpoint: 10, guaranteed: 2, perTeam: 30 }

// How far ahead a wake-up is at least: sooner, it would find hardly more.
const minWakeUpMillis = 200

// A wake-up that should have fired so long ago was lost.
const lostWakeUpMillis = 30_000

/**
 * What a team's wake-up is set to, given when the next retry is due; null removes it. It stays as it is when it is early
 * enough, and when it is past but its job is still to come. That job passes its own time as `fired`.
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

/** The number of a delivery's next attempt. All attempts are numbered through, those before a replay included. */
export const attemptNumber = (delivery: { readonly attemptCount: number; readonly replayedAttempts: number }): number =>
  delivery.attemptCount + delivery.replayedAttempts + 1

const slowMillis = 3000

/** Whether an attempt took so long that its receiver counts as slow until an attempt is faster. */
export const isSlow = (attempt: Attempt): boolean => attempt.durationMs >= slowMillis

/** `final`: failed, and no attempt follows. `gone`: the same, and the webhook is disabled. */
export type Verdict = "delivered" | "retry" | "final" | "gone"

/**
 * What an attempt means for its delivery. Network errors, 5xx and 429 are retried, and no other 4xx, not even 408. A 3xx,
 * which is never followed, is retried like a 5xx, and so is a status outside HTTP's classes.
 */
export const classify = (attempt: Attempt): Verdict => {
  if (attempt.outcome === "failed") return "retry"
  const { statusCode } = attempt
  if (isAccepted(statusCode)) return "delivered"
  if (statusCode === 410) return "gone"
  if (statusCode === 429) return "retry"
  return statusCode >= 400 && statusCode < 500 ? "final" : "retry"
}

/**
 * As SQL: a delivery is held, with no time for its next attempt, until its webhook is active again. A failed one is held
 * unless the receiver rejected it for good (see `classify`). Exactly the condition of the index deliveries_held, which
 * Postgres would not use otherwise.
 */
export const heldCondition = `next_attempt_at is null and (status = 'pending' or (
    status = 'failed' and (coalesce(last_status_code, 0) not between 400 and 499 or last_status_code = 429)
  ))`

const jitterShare = 0.1
const maxRetryAfter = Duration.hours(24)

/**
 * The wait before the next attempt; null if there is none. `jitter` adds up to a tenth, so that deliveries that failed
 * together are not retried together. `Retry-After` counts on 429 and 503 only, and up to 24 hours; it lengthens the wait and
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

/** `pending`: no attempt has ended. `failed`: the latest one failed. `exhausted`: all nine failed. */
export type DeliveryState = "pending" | "delivered" | "failed" | "exhausted"

/**
 * What happens to a delivery: an attempt is `delivered`, has `failed_retriable` (attempts remain), has `failed_finally`
 * (the receiver rejected it: no attempt follows) or was the last one (`attempts_used_up`); or a client queues the delivery
 * again, its count back at 0, with all that failed (`replayed`) or by itself (`retried`).
 */
export type DeliveryEvent =
  | "delivered"
  | "failed_retriable"
  | "failed_finally"
  | "attempts_used_up"
  | "replayed"
  | "retried"

/**
 * Every legal transition; all others are rejected. A failure that is not retried (a 4xx) leaves a delivery `failed`, like one
 * that is, and only the absence of a next attempt tells them apart: `exhausted` is only a delivery that used up all its
 * attempts, and only those count towards disabling the webhook.
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

/** What an attempt does to its delivery, given the wait before the next one (null: there is none). */
export const deliveryEvent = (verdict: Verdict, next: Duration.Duration | null): DeliveryEvent => {
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

/** How a delivery ends: it was delivered, rejected for good, met a 410, or used up all its attempts. */
export type FinalOutcome = "delivered" | "refused" | "gone" | "exhausted"

/** How an attempt ends: as its delivery does, or with a retry. */
export type AttemptOutcome = FinalOutcome | "retried"

/** The outcome of an attempt with this verdict; `isRetried`: whether another attempt follows. */
export const attemptOutcome = (verdict: Verdict, isRetried: boolean): AttemptOutcome => {
  switch (verdict) {
    case "delivered":
    case "gone":
      return verdict
    case "final":
      return "refused"
    case "retry":
      return isRetried ? "retried" : "exhausted"
  }
}

/** A delivery with all that an attempt of it needs. Ids are UUIDs. */
export interface DueDelivery {
  readonly id: string
  readonly teamId: string
  readonly webhookId: string
  readonly status: DeliveryState
  /** Attempts since the delivery was created or last queued again. */
  readonly attemptCount: number
  /** Attempts before that. */
  readonly replayedAttempts: number
  /** When the event happened. */
  readonly occurredAt: Date
  readonly messageId: string
  readonly eventType: string
  readonly body: string
  readonly url: string
  readonly secretSealed: Uint8Array
  readonly previousSecrets: ReadonlyArray<PreviousSecret>
  /** Whether the receiver answered slowly when it was last called. */
  readonly slow: boolean
}
