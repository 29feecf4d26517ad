/** The pure decisions on webhooks: what state a client's wish, or the end of a delivery, leaves one in. */
import { Duration } from "effect"
import { classify } from "../deliveries/rules.ts"
import type { Attempt } from "../outbound/Attempt.ts"
import { exhaustionsToDisable, maxSecrets, type Webhook, type WebhookTestResult } from "./Webhook.ts"

/** The members that a client writes, the status apart. */
export type WebhookFields = Pick<Webhook, "url" | "events" | "name">

/** `active` sends. `paused` (by a client) and `disabled` (by the service) record events that then wait. */
export type WebhookState = "active" | "paused" | "disabled"

/** A client's wish, a 410 of the receiver, or one exhausted delivery too many. */
export type WebhookEvent = "activate" | "pause" | "gone" | "tenth_exhaustion"

/**
 * Every move; `null` changes nothing. A receiver that is found dead by an attempt that began before the pause is dead
 * all the same. A disabled webhook may be paused: neither state sends, and the client is then who holds it back.
 */
export const moves: Readonly<Record<WebhookState, Readonly<Record<WebhookEvent, WebhookState | null>>>> = {
  active: { activate: null, pause: "paused", gone: "disabled", tenth_exhaustion: "disabled" },
  paused: { activate: "active", pause: null, gone: "disabled", tenth_exhaustion: "disabled" },
  disabled: { activate: "active", pause: "paused", gone: null, tenth_exhaustion: null }
}

/** The state after an event, or `null` if it stays. */
export const move = (state: WebhookState, event: WebhookEvent): WebhookState | null => moves[state][event]

/** Why the service disables a webhook: its receiver answered 410, or too many deliveries in a row were exhausted. */
export type DisabledReason = "receiver_gone" | "deliveries_exhausted"

/** A webhook's state, and why. */
export interface Standing extends Pick<Webhook, "disabledReason" | "disabledUtc" | "consecutiveExhausted"> {
  readonly status: WebhookState
}

/** How a new webhook stands. */
export const fresh: Standing = { status: "active", disabledReason: null, disabledUtc: null, consecutiveExhausted: 0 }

/** How a webhook stands once a client has asked for a status. */
export const asked = (standing: Standing, wanted: "active" | "paused"): Standing => {
  const status = move(standing.status, wanted === "active" ? "activate" : "pause")
  if (status === null) return standing
  return {
    status,
    disabledReason: null,
    disabledUtc: null,
    consecutiveExhausted: status === "active" ? 0 : standing.consecutiveExhausted
  }
}

/** The ends of a delivery that matter to its webhook. */
export type Outcome = "delivered" | "exhausted" | "gone"

const disabledBy = (standing: Standing, event: WebhookEvent, reason: DisabledReason, at: Date): Standing => {
  const status = move(standing.status, event)
  return status === null ? standing : { ...standing, status, disabledReason: reason, disabledUtc: at.toISOString() }
}

/** How a webhook stands after a delivery: a success ends the row of exhausted ones, other refusals neither end nor add. */
export const afterDelivery = (standing: Standing, outcome: Outcome, at: Date): Standing => {
  switch (outcome) {
    case "delivered":
      return { ...standing, consecutiveExhausted: 0 }
    case "gone":
      return disabledBy(standing, "gone", "receiver_gone", at)
    case "exhausted": {
      const counted = { ...standing, consecutiveExhausted: standing.consecutiveExhausted + 1 }
      return counted.consecutiveExhausted < exhaustionsToDisable
        ? counted
        : disabledBy(counted, "tenth_exhaustion", "deliveries_exhausted", at)
    }
  }
}

/** A secret that was replaced: sealed, in base64, and until when it still signs. */
export interface PreviousSecret {
  readonly sealed: string
  /** ISO 8601. */
  readonly until: string
}

/** The replaced secrets that sign at `now`, in the order given. */
export const stillSigning = (previous: ReadonlyArray<PreviousSecret>, now: Date): ReadonlyArray<PreviousSecret> =>
  previous.filter(({ until }) => Date.parse(until) > now.getTime())

/**
 * The replaced secrets, the newest first, once `replaced` is one of them: without an overlap none signs any more; with
 * one, the earlier ones sign to their end too, but for those that end first when there are too many. `replaced` is never
 * one of these: it is what the receiver knows.
 */
export const afterRotation = (options: {
  /** The secret that was the present one, sealed, in base64. */
  readonly replaced: string
  readonly previous: ReadonlyArray<PreviousSecret>
  readonly overlap: Duration.Duration | undefined
  readonly now: Date
}): ReadonlyArray<PreviousSecret> => {
  const { now, overlap, previous, replaced } = options
  if (overlap === undefined) return []
  const until = new Date(now.getTime() + Duration.toMillis(overlap)).toISOString()
  const signing = stillSigning(previous, now)
  // Of those that end at one time the oldest goes: sorting keeps the order of equals.
  const last = signing.toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until)).slice(0, maxSecrets - 2)
  return [{ sealed: replaced, until }, ...signing.filter((secret) => last.includes(secret))]
}

/** When the last of the replaced secrets ends; null when there is none. */
export const lastEnd = (previous: ReadonlyArray<PreviousSecret>): string | null =>
  previous
    .map(({ until }) => until)
    .reduce<string | null>(
      (last, until) => (last === null || Date.parse(until) > Date.parse(last) ? until : last),
      null
    )

/** How a test delivery ended, as its sender is told. */
export const testResultOf = (made: Attempt): WebhookTestResult => {
  const success = classify(made) === "delivered"
  const error = made.outcome === "failed" ? made.error : `The receiver answered ${made.statusCode}.`
  return {
    success,
    status_code: made.statusCode ?? null,
    duration_ms: made.durationMs,
    error: success ? null : error
  }
}
