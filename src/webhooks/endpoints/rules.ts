/** The pure decisions on webhooks: what state a client's request, or the end of a delivery, leaves one in. */
import { Duration } from "effect"
import type { Attempt } from "../outbound/Attempt.ts"
import { isAccepted } from "../outbound/rules.ts"
import { exhaustionsToDisable, maxSecrets, type Webhook, type WebhookTestResult } from "./Webhook.ts"

/** The members that a client writes, without the status. */
export type WebhookFields = Pick<Webhook, "url" | "events" | "name">

/** `active` sends. `paused` (by a client) and `disabled` (by the service) hold events back until it is active again. */
export type WebhookState = "active" | "paused" | "disabled"

/** A client's request, a 410 of the receiver, or one exhausted delivery too many. */
export type WebhookEvent = "activate" | "pause" | "gone" | "tenth_exhaustion"

/**
 * Every transition; null changes nothing. A 410 disables a paused webhook, too: its attempt may have begun before the pause.
 * A client may pause a disabled webhook: neither state sends.
 */
export const transitions: Readonly<Record<WebhookState, Readonly<Record<WebhookEvent, WebhookState | null>>>> = {
  active: { activate: null, pause: "paused", gone: "disabled", tenth_exhaustion: "disabled" },
  paused: { activate: "active", pause: null, gone: "disabled", tenth_exhaustion: "disabled" },
  disabled: { activate: "active", pause: "paused", gone: null, tenth_exhaustion: null }
}

/** The state after an event; null if it stays. */
export const transition = (state: WebhookState, event: WebhookEvent): WebhookState | null => transitions[state][event]

/** Why the service disabled a webhook: its receiver answered 410, or too many deliveries in a row were exhausted. */
export type DisabledReason = "receiver_gone" | "deliveries_exhausted"

/** A webhook's state, and why it has it. */
export interface WebhookStatus extends Pick<Webhook, "disabledReason" | "disabledUtc" | "consecutiveExhausted"> {
  readonly state: WebhookState
}

/** The status of a new webhook. */
export const newWebhookStatus: WebhookStatus = {
  state: "active",
  disabledReason: null,
  disabledUtc: null,
  consecutiveExhausted: 0
}

/** The status after a client has asked for a state. */
export const afterRequest = (status: WebhookStatus, requested: "active" | "paused"): WebhookStatus => {
  const state = transition(status.state, requested === "active" ? "activate" : "pause")
  if (state === null) return status
  return {
    state,
    disabledReason: null,
    disabledUtc: null,
    consecutiveExhausted: state === "active" ? 0 : status.consecutiveExhausted
  }
}

/** The ends of a delivery that matter to its webhook. */
export type WebhookOutcome = "delivered" | "exhausted" | "gone"

const disabledBy = (status: WebhookStatus, event: WebhookEvent, reason: DisabledReason, at: Date): WebhookStatus => {
  const state = transition(status.state, event)
  return state === null ? status : { ...status, state, disabledReason: reason, disabledUtc: at.toISOString() }
}

/** The status after the end of a delivery: a success sets the count of exhausted ones back; rejections leave it as it is. */
export const afterDelivery = (status: WebhookStatus, outcome: WebhookOutcome, at: Date): WebhookStatus => {
  switch (outcome) {
    case "delivered":
      return { ...status, consecutiveExhausted: 0 }
    case "gone":
      return disabledBy(status, "gone", "receiver_gone", at)
    case "exhausted": {
      const counted = { ...status, consecutiveExhausted: status.consecutiveExhausted + 1 }
      return counted.consecutiveExhausted < exhaustionsToDisable
        ? counted
        : disabledBy(counted, "tenth_exhaustion", "deliveries_exhausted", at)
    }
  }
}

/** A secret that was replaced, sealed and in base64, and until when it still signs. */
export interface PreviousSecret {
  readonly sealed: string
  /** ISO 8601. */
  readonly until: string
}

/** The replaced secrets that sign at `now`, in the order given. */
export const validAt = (previous: ReadonlyArray<PreviousSecret>, now: Date): ReadonlyArray<PreviousSecret> =>
  previous.filter(({ until }) => Date.parse(until) > now.getTime())

/**
 * The replaced secrets, the newest first, after `replaced` has become one of them. Without an overlap none of them signs any
 * more. With one, the earlier ones sign until their own ends as well, and when there are too many, those that end first stop
 * now; never `replaced`, which the receiver knows.
 */
export const afterRotation = (options: {
  /** The secret that was current until now, sealed and in base64. */
  readonly replaced: string
  readonly previous: ReadonlyArray<PreviousSecret>
  readonly overlap: Duration.Duration | undefined
  readonly now: Date
}): ReadonlyArray<PreviousSecret> => {
  const { now, overlap, previous, replaced } = options
  if (overlap === undefined) return []
  const until = new Date(now.getTime() + Duration.toMillis(overlap)).toISOString()
  const signing = validAt(previous, now)
  // Of those that end at the same time the oldest stops: sorting keeps the order of equals.
  const last = signing.toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until)).slice(0, maxSecrets - 2)
  return [{ sealed: replaced, until }, ...signing.filter((secret) => last.includes(secret))]
}

/** When the last of the replaced secrets stops signing; null when there is none. */
export const lastExpiry = (previous: ReadonlyArray<PreviousSecret>): string | null =>
  previous
    .map(({ until }) => until)
    .reduce<string | null>(
      (last, until) => (last === null || Date.parse(until) > Date.parse(last) ? until : last),
      null
    )

/** The answer to a test delivery. */
export const toTestResult = (attempt: Attempt): WebhookTestResult => {
  const success = attempt.outcome === "answered" && isAccepted(attempt.statusCode)
  const error = attempt.outcome === "failed" ? attempt.error : `The receiver answered ${attempt.statusCode}.`
  return {
    success,
    status_code: attempt.statusCode ?? null,
    duration_ms: attempt.durationMs,
    error: success ? null : error
  }
}
