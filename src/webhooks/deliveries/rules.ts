/**
 * The pure decisions on deliveries: how many are attempted at a time and which is next, when one is attempted again, and what an
 * attempt means for its delivery and its webhook. See docs/behaviour/webhooks.md#isolation, docs/behaviour/webhooks.md#attempts and
 * docs/behaviour/webhooks.md#delivery-states.
 */
import { Duration } from "effect"
import { countedDuration, hourMillis, type PreviousSecret, type WebhookOutcome } from "../rules.ts"
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
  /** To one webhook. */
  readonly perWebhook: number
  /** To a slow webhook; and to any webhook even when its team is at its limit. */
  readonly guaranteed: number
  /** To all webhooks of a team. */
  readonly perTeam: number
}

/** The limits of this service. A receiver that hangs blocks each attempt for ten seconds, so it must not get many. */
export const concurrencyLimits: ConcurrencyLimits = { perWebhook: 10, guaranteed: 2, perTeam: 30 }

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

/** The deliveries to one webhook that this worker has claimed. */
export interface WebhookQueue {
  /** Attempts in flight. */
  readonly inFlight: number
  readonly slow: boolean
  /** Waiting first attempts. */
  readonly firstAttempts: number
  /** Waiting retries. */
  readonly retries: number
}

/**
 * The webhook of a team that gets the next attempt; undefined if the limits allow none. A webhook below its guaranteed number
 * precedes all others. Otherwise first attempts precede retries, and the webhook with the fewest attempts in flight comes
 * first. `allowSlow`: whether slow receivers may be called now.
 */
export const nextQueue = <Q extends WebhookQueue>(
  queues: Iterable<Q>,
  options: { readonly inFlight: number; readonly limits: ConcurrencyLimits; readonly allowSlow: boolean }
): Q | undefined => {
  const { allowSlow, inFlight, limits } = options
  let best: Q | undefined
  for (const queue of queues) {
    if (queue.firstAttempts + queue.retries === 0 || (queue.slow && !allowSlow)) continue
    if (queue.inFlight >= (queue.slow ? limits.guaranteed : limits.perWebhook)) continue
    if (queue.inFlight >= limits.guaranteed && inFlight >= limits.perTeam) continue
    if (best === undefined || goesBefore(queue, best, limits)) best = queue
  }
  return best
}

const goesBefore = (one: WebhookQueue, other: WebhookQueue, { guaranteed }: ConcurrencyLimits): boolean => {
  if (one.inFlight < guaranteed !== other.inFlight < guaranteed) return one.inFlight < guaranteed
  if (one.firstAttempts > 0 !== other.firstAttempts > 0) return one.firstAttempts > 0
  return one.inFlight < other.inFlight
}

// Prefetched deliveries should be sent within half a second. After `maxQueueTime` they are released instead.
const prefetchMillis = 500
const maxPrefetched = 500

/**
 * How many deliveries of a webhook a worker may claim if no other worker has claims in the team: as many as the webhook
 * accepts in half a second, given the duration of its latest attempt. So the worker keeps sending while it records results.
 */
export const prefetchLimit = (durationMs: number, { perWebhook }: ConcurrencyLimits): number =>
  Math.max(perWebhook, Math.min(maxPrefetched, Math.floor((perWebhook * prefetchMillis) / Math.max(1, durationMs))))

/** How long a delivery may wait in a worker, in milliseconds. Then it is released, because its webhook may have been paused. */
export const maxQueueTime = 1000

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
 * The verdict on an attempt. What is the service's own fault is postponed. Network errors, 5xx and 429 are retried; other 4xx, including
 * 408, are not. Redirects are not followed: a 3xx is retried like a 5xx, and so is a status outside the classes of HTTP.
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

/** An attempt and the headers of its request. */
export interface SendResult {
  readonly attempt: Attempt
  readonly requestHeaders: Readonly<Record<string, string>>
}

/** A finished attempt. */
export interface FinishedAttempt {
  /** The delivery as it was when it was last read. */
  readonly delivery: DueDelivery
  readonly sent: SendResult
  /** Whether a client has queued the delivery again since the attempt began. */
  readonly wasRequeued: boolean
}

/** A finished attempt, and the new state of its delivery. */
export interface AttemptRecord {
  /** The delivery as it was when the worker read it. */
  readonly delivery: Pick<DueDelivery, "id" | "teamId" | "status" | "attemptCount" | "replayedAttempts">
  readonly status: DeliveryState
  /**
   * Whether it counts as one of the nine attempts. False if a client has queued the delivery again in the meantime, and for an
   * attempt that the service could not make.
   */
  readonly isCounted: boolean
  /** Whether a request was made, so that the log shows it as an attempt. */
  readonly isMade: boolean
  readonly nextAttemptAt: Date | null
  readonly deliveredAt: Date | null
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
}

/** A finished attempt with its verdict and the rows to write. */
export interface EvaluatedAttempt {
  readonly finished: FinishedAttempt
  readonly verdict: Verdict
  /** The effect on the status of the webhook, if any. */
  readonly outcome: WebhookOutcome | undefined
  readonly record: AttemptRecord
}

/** Why the attempt failed, as a sentence; null if it did not. */
const errorOf = (attempt: Attempt, verdict: Verdict): string | null => {
  if (attempt.outcome === "failed") return attempt.error
  return verdict === "delivered" ? null : `The receiver answered ${attempt.statusCode}.`
}

/** The effect of an ended delivery on the status of its webhook, if any. */
const outcomeOf = (event: DeliveryEvent | undefined, verdict: Verdict): WebhookOutcome | undefined => {
  if (event === "delivered") return "delivered"
  if (event === "attempts_used_up") return "exhausted"
  return verdict === "gone" ? "gone" : undefined
}

/** The delay before the next attempt; null if none follows. */
const delayAfter = (
  { delivery, sent: { attempt } }: FinishedAttempt,
  verdict: Verdict,
  options: { readonly at: Date; readonly delays: ReadonlyArray<Duration.Duration>; readonly jitter: number }
): Duration.Duration | null => {
  if (verdict === "postponed") return postponement({ ...options, occurredAt: delivery.occurredAt })
  if (verdict !== "retry") return null
  return nextDelay({
    attempt: delivery.attemptCount + 1,
    delays: options.delays,
    jitter: options.jitter,
    ...(attempt.statusCode === undefined ? {} : { statusCode: attempt.statusCode }),
    ...(attempt.outcome === "answered" && attempt.retryAfterSeconds !== undefined
      ? { retryAfterSeconds: attempt.retryAfterSeconds }
      : {})
  })
}

/**
 * Evaluates an attempt that ended before `at`. If a client has queued the delivery again since the attempt began, the attempt
 * does not count, and the delivery is attempted again at once, unless this attempt delivered it. An attempt that the service could
 * not make does not count either, and changes no state. `jitter` is in [0, 1).
 */
export const evaluate = (
  finished: FinishedAttempt,
  options: { readonly at: Date; readonly delays: ReadonlyArray<Duration.Duration>; readonly jitter: number }
): EvaluatedAttempt => {
  const { at } = options
  const { delivery, sent, wasRequeued } = finished
  const { attempt, requestHeaders } = sent
  const verdict = classify(attempt)
  const isSuperseded = wasRequeued && verdict !== "delivered"
  const isMade = verdict !== "postponed"
  const delay = isSuperseded && isMade ? Duration.zero : delayAfter(finished, verdict, options)
  const event = verdict === "postponed" ? undefined : deliveryEvent(verdict, delay)
  // The delivery was open when it was read, so the transition exists.
  const status =
    isSuperseded || event === undefined ? delivery.status : (transition(delivery.status, event) ?? delivery.status)
  return {
    finished,
    verdict,
    outcome: !isSuperseded ? outcomeOf(event, verdict) : verdict === "gone" ? verdict : undefined,
    record: {
      delivery,
      status,
      isCounted: !isSuperseded && isMade,
      isMade,
      nextAttemptAt: delay === null ? null : new Date(at.getTime() + Duration.toMillis(delay)),
      deliveredAt: status === "delivered" ? at : null,
      startedAt: attempt.startedAt,
      durationMs: attempt.durationMs,
      statusCode: attempt.statusCode ?? null,
      error: errorOf(attempt, verdict),
      requestHeaders,
      responseHeaders: attempt.responseHeaders ?? null,
      responseBody: attempt.responseBody ?? null
    }
  }
}

/** Whether the record contains parts of the response. */
export const hasResponse = ({ record }: EvaluatedAttempt): boolean =>
  record.responseHeaders !== null || record.responseBody !== null

/** The attempt without its response, for when the database rejects that. */
export const withoutResponse = (evaluated: EvaluatedAttempt): EvaluatedAttempt => ({
  ...evaluated,
  record: {
    ...evaluated.record,
    error: evaluated.record.error === null ? null : "The attempt failed, and its response could not be stored.",
    responseHeaders: null,
    responseBody: null
  }
})

/** What kept a delivery from arriving: an answer, or a kind of failure before there was one. */
export type FailureKind =
  | "answered"
  | "closed"
  | "forbidden"
  | "invalid"
  | "other"
  | "own"
  | "refused"
  | "timeout"
  | "tls"
  | "unreachable"

const failureKinds: ReadonlyArray<readonly [sign: RegExp, kind: FailureKind]> = [
  [/^The receiver answered \d+\.$/, "answered"],
  [/^Timeout: /, "timeout"],
  [/^TLS failed: /, "tls"],
  [/\(ECONNREFUSED\)\.$/, "refused"],
  [/^The receiver closed the connection/, "closed"],
  [/^The receiver could not be reached/, "unreachable"],
  [/^The answer is not valid HTTP|^The receiver sent too much/, "invalid"],
  [/^The (?:service|name servers of the service)\b/, "own"],
  [/\bonly public (?:addresses|hosts)\b|\bto public addresses only\b|^The URL\b/, "forbidden"]
]

/** The kind of a failure by its sentence (`lastError`). */
export const failureKindOf = (error: string): FailureKind =>
  failureKinds.find(([sign]) => sign.test(error))?.[1] ?? "other"

/** An attempt whose result is written, with the webhook (UUID) of its delivery. */
export interface RecordedAttempt extends AttemptRecord {
  readonly webhookId: string
}

/** What the log has of the earlier attempts of a delivery: when the first began, and whether one delivered it. */
export interface EarlierAttempts {
  readonly deliveryId: string
  readonly startedAt: Date
  readonly wasDelivered: boolean
}

/** What is added to the counts of a webhook for an hour and a duration. */
export interface Tally {
  readonly team: string
  readonly webhook: string
  readonly hour: Date
  readonly duration: number
  attempts: number
  first: number
  delivered: number
}

const mayBeFirst = ({ delivery, isMade }: AttemptRecord): boolean => isMade && delivery.attemptCount === 0

/**
 * Whether the count of an attempt depends on earlier ones of its delivery: a retry's that delivers, or whose earlier ones were not made.
 */
export const needsEarlier = (attempt: AttemptRecord): boolean =>
  attemptNumber(attempt.delivery) > 1 && (attempt.status === "delivered" || mayBeFirst(attempt))

/**
 * What attempts add to the counts of their webhooks. A delivery counts as delivered once, in the hour of its first attempt: what
 * arrives late must not make up for what fails now. So a retry that delivers counts in that hour, and only if all earlier attempts
 * failed. An attempt that was not made is none of them: it has a number, but neither a place in the log nor in the counts, so that
 * the first one may have a number greater than 1.
 */
export const tallyOf = (
  attempts: ReadonlyArray<RecordedAttempt>,
  earlier: ReadonlyArray<EarlierAttempts>
): ReadonlyArray<Tally> => {
  const tallies = new Map<string, Tally>()
  const earlierOf = new Map(earlier.map((one) => [one.deliveryId, one]))
  const tallied = ({ delivery, durationMs, webhookId }: RecordedAttempt, at: Date): Tally => {
    const hour = new Date(Math.floor(at.getTime() / hourMillis) * hourMillis)
    const duration = countedDuration(durationMs)
    const key = `${webhookId} ${hour.getTime()} ${duration}`
    const known = tallies.get(key)
    if (known !== undefined) return known
    const tally = { team: delivery.teamId, webhook: webhookId, hour, duration, attempts: 0, first: 0, delivered: 0 }
    tallies.set(key, tally)
    return tally
  }
  for (const attempt of attempts) {
    const before = earlierOf.get(attempt.delivery.id)
    const isDelivered = attempt.status === "delivered"
    if (attempt.isMade) {
      const isFirst = attemptNumber(attempt.delivery) === 1 || (mayBeFirst(attempt) && before === undefined)
      const tally = tallied(attempt, attempt.startedAt)
      tally.attempts += 1
      tally.first += isFirst ? 1 : 0
      tally.delivered += isFirst && isDelivered ? 1 : 0
    }
    if (isDelivered && before?.wasDelivered === false) tallied(attempt, before.startedAt).delivered += 1
  }
  return [...tallies.values()]
}
