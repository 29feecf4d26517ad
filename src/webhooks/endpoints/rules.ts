/** The pure decisions on webhooks: states, disabling, secrets. See docs/behaviour/webhooks.md#webhook-states. */
import { Duration } from "effect"
import type { Attempt } from "../../core/outbound/Attempt.ts"
import { isAccepted } from "../../core/outbound/rules.ts"
import { exhaustionsToDisable, maxSecrets, type Webhook, type WebhookTestResult } from "./Webhook.ts"

/** The members that a client writes, except the status. */
export type WebhookFields = Pick<Webhook, "url" | "events" | "name">

/** `active` sends. `paused` (by a client) and `disabled` (by the service) hold deliveries until the webhook is active again. */
export type WebhookState = "active" | "paused" | "disabled"

/** A client's request, a 410 from the receiver, or the tenth exhausted delivery in a row. */
export type WebhookEvent = "activate" | "pause" | "gone" | "tenth_exhaustion"

/**
 * Every transition; null means no change. A 410 disables a paused webhook as well, because its attempt may have begun before
 * the pause. A client may pause a disabled webhook.
 */
export const transitions: Readonly<Record<WebhookState, Readonly<Record<WebhookEvent, WebhookState | null>>>> = {
  active: { activate: null, pause: "paused", gone: "disabled", tenth_exhaustion: "disabled" },
  paused: { activate: "active", pause: null, gone: "disabled", tenth_exhaustion: "disabled" },
  disabled: { activate: "active", pause: "paused", gone: null, tenth_exhaustion: null }
}

/** The state after an event; null if it does not change. */
export const transition = (state: WebhookState, event: WebhookEvent): WebhookState | null => transitions[state][event]

/** Why the service disabled a webhook: its receiver answered 410, or too many deliveries in a row were exhausted. */
export type DisabledReason = "receiver_gone" | "deliveries_exhausted"

/** A webhook's state with its reason and counter. */
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

/** The status after a client has requested a state. */
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

/** The ends of a delivery that affect the status of its webhook. */
export type WebhookOutcome = "delivered" | "exhausted" | "gone"

const disabledBy = (status: WebhookStatus, event: WebhookEvent, reason: DisabledReason, at: Date): WebhookStatus => {
  const state = transition(status.state, event)
  return state === null ? status : { ...status, state, disabledReason: reason, disabledUtc: at.toISOString() }
}

/** The status after the end of a delivery. A success resets the count of exhausted deliveries. */
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

/** A replaced secret, sealed and in base64, and the time until which it signs. */
export interface PreviousSecret {
  readonly sealed: string
  /** ISO 8601. */
  readonly until: string
}

/** The replaced secrets that sign at `now`, in the order given. */
export const validAt = (previous: ReadonlyArray<PreviousSecret>, now: Date): ReadonlyArray<PreviousSecret> =>
  previous.filter(({ until }) => Date.parse(until) > now.getTime())

/**
 * The replaced secrets after a rotation, the newest first, including `replaced`. Without an overlap, there are none. With an
 * overlap, earlier ones sign until their own ends. If there would be too many, those that end first are dropped, but never
 * `replaced`, because the receiver has it.
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
  // Among equal ends, the oldest is dropped: the sort is stable.
  const last = signing.toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until)).slice(0, maxSecrets - 2)
  return [{ sealed: replaced, until }, ...signing.filter((secret) => last.includes(secret))]
}

/** When the last replaced secret stops signing; null if there is none. */
export const lastExpiry = (previous: ReadonlyArray<PreviousSecret>): string | null =>
  previous
    .map(({ until }) => until)
    .reduce<string | null>(
      (last, until) => (last === null || Date.parse(until) > Date.parse(last) ? until : last),
      null
    )

/** The result of a test delivery. */
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
