/** When a delivery is attempted, how many are at a time, and what state an attempt leaves it in. */
import { Duration } from "effect"
import type { PreviousSecret } from "../endpoints/rules.ts"
import type { Attempt } from "../outbound/Attempt.ts"

/** The attempts of a delivery, the first one included. */
export const attemptsInAll = 9

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
export interface Committed {
  readonly transactionId: string
  readonly at: string
}

/** The name of the lock under which a team's deliveries get their turn. */
export const turnsLock = (teamId: string): string => `deliveries ${teamId}`

/** How many attempts are in flight at a time, all workers together. */
export interface Room {
  /** To one endpoint. */
  readonly endpoint: number
  /** To one that answers slowly; and to any other, even where its team has no room left. */
  readonly least: number
  /** To all endpoints of a team. */
  readonly team: number
}

/** The room there is: a receiver that hangs keeps an attempt for ten seconds, but few of them. */
export const room: Room = { endpoint: 10, least: 2, team: 30 }

// Rung more often, it would find hardly more.
const alarmMillis = 200

// One that should have rung this long ago did not.
const lostAlarmMillis = 30_000

/**
 * When a team's alarm is to ring from now on for what is due next; null when it is not to ring, for nothing is. It is left
 * as it is when it rings early enough, or has rung and the job that this was for is still to come. That job says so by
 * `rang`.
 */
export const alarmFor = (options: {
  readonly at: Date
  readonly nextDue: Date | null
  readonly alarm: Date | null
  readonly rang: Date | undefined
}): Date | null => {
  const { alarm, at, nextDue, rang } = options
  const isOver =
    alarm === null || alarm.getTime() === rang?.getTime() || alarm.getTime() < at.getTime() - lostAlarmMillis
  if (nextDue === null) return isOver ? null : alarm
  const next = new Date(Math.max(nextDue.getTime(), at.getTime() + alarmMillis))
  return isOver || next < alarm ? next : alarm
}

/** The number of a delivery's next attempt, all of them counted through: those before it was queued again too. */
export const numberOf = (delivery: { readonly attemptCount: number; readonly replayedAttempts: number }): number =>
  delivery.attemptCount + delivery.replayedAttempts + 1

const slowMillis = 3000

/** Whether an attempt took so long that its receiver counts as slow, until an attempt is faster. */
export const isSlow = (attempt: Attempt): boolean => attempt.durationMs >= slowMillis

/** `final`: failed, and no attempt follows. `gone`: likewise, and the webhook is disabled. */
export type Verdict = "delivered" | "retry" | "final" | "gone"

/**
 * What an attempt means for its delivery. The specification retries 5xx, 429 and network errors, and no other 4xx (408
 * neither); a 3xx, which is never followed, is retried like a 5xx, and so is a status outside HTTP's classes.
 */
export const classify = (attempt: Attempt): Verdict => {
  if (attempt.outcome === "failed") return "retry"
  const { statusCode } = attempt
  if (statusCode >= 200 && statusCode < 300) return "delivered"
  if (statusCode === 410) return "gone"
  if (statusCode === 429) return "retry"
  return statusCode >= 400 && statusCode < 500 ? "final" : "retry"
}

/**
 * As SQL, that a delivery waits without a time: for its webhook to be active. A failed one waits unless the receiver
 * refused it for good (see `classify`). In the words of the index deliveries_resting, which is of no use otherwise.
 */
export const restingCondition = `next_attempt_at is null and (status = 'pending' or (
    status = 'failed' and (coalesce(last_status_code, 0) not between 400 and 499 or last_status_code = 429)
  ))`

const jitterShare = 0.1
const maxRetryAfter = Duration.hours(24)

/**
 * The wait before the next attempt, or `null` if there is none. Up to a tenth is added by `jitter`, so that deliveries
 * that failed together do not return together. A `Retry-After` counts on 429 and 503 only, lengthens and never
 * shortens, and is believed up to 24 hours.
 */
export const nextDelay = (failed: {
  /** The number of the attempt that just failed, from 1. */
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
 * (the receiver's refusal: no attempt follows) or was the last of all (`attempts_used_up`); or the delivery is sent
 * anew, its count back at 0: by a replay of what failed (`replayed`), or because a client asks for this one (`retried`).
 */
export type DeliveryEvent =
  | "delivered"
  | "failed_retriable"
  | "failed_finally"
  | "attempts_used_up"
  | "replayed"
  | "retried"

/**
 * Every legal move; what is absent is refused. A refusal that is not retried (a 4xx) is recorded as `failed`, like a
 * failure that is, and only the absence of a next attempt tells them apart: the specification calls `exhausted` only a
 * delivery that used up all its attempts, and only those count towards the disabling of the webhook.
 */
export const moves: Readonly<Record<DeliveryState, Partial<Readonly<Record<DeliveryEvent, DeliveryState>>>>> = {
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
export const move = (state: DeliveryState, event: DeliveryEvent): DeliveryState | null => moves[state][event] ?? null

/** The event that an attempt is, given the wait before the next one (`null`: there is none). */
export const eventOf = (verdict: Verdict, next: Duration.Duration | null): DeliveryEvent => {
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

/** All that an attempt needs to know. */
export interface DueDelivery {
  readonly id: string
  readonly teamId: string
  readonly webhookId: string
  readonly status: DeliveryState
  /** Attempts since the delivery was made or replayed. */
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
  readonly slow: boolean
}
