/** What an attempt means for its delivery and its webhook: pure. See docs/behaviour/webhooks.md#attempts. */
import { Duration } from "effect"
import type { WebhookOutcome } from "../rules.ts"
import type { Attempt } from "../../core/outbound/rules.ts"
import {
  classify,
  type DeliveryEvent,
  deliveryEvent,
  type DeliveryState,
  type DueDelivery,
  nextDelay,
  postponement,
  transition,
  type Verdict
} from "./rules.ts"

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
