/** The pure decisions on webhooks: what state a client's wish, or the end of a delivery, leaves one in. */
import type { Webhook } from "./Webhook.ts"

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

/** A webhook's state, and why. */
export interface Standing extends Pick<Webhook, "disabledReason" | "disabledUtc" | "consecutiveExhausted"> {
  readonly status: WebhookState
}

/** How a new webhook stands. */
export const fresh: Standing = { status: "active", disabledReason: null, disabledUtc: null, consecutiveExhausted: 0 }

/** How many deliveries in a row may be exhausted: the last of these disables the webhook. */
export const exhaustionsToDisable = 10

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

const disabledBy = (standing: Standing, event: WebhookEvent, reason: string, at: Date): Standing => {
  const status = move(standing.status, event)
  return status === null
    ? standing
    : { ...standing, status, disabledReason: reason, disabledUtc: at.toISOString() }
}

/** How a webhook stands after a delivery: a success ends the row of exhausted ones, other refusals neither end nor add. */
export const afterDelivery = (standing: Standing, outcome: Outcome, at: Date): Standing => {
  switch (outcome) {
    case "delivered":
      return { ...standing, consecutiveExhausted: 0 }
    case "gone":
      return disabledBy(standing, "gone", "The receiver answered 410 Gone.", at)
    case "exhausted": {
      const counted = { ...standing, consecutiveExhausted: standing.consecutiveExhausted + 1 }
      return counted.consecutiveExhausted < exhaustionsToDisable
        ? counted
        : disabledBy(
          counted,
          "tenth_exhaustion",
          `${exhaustionsToDisable} deliveries in a row used up all their attempts.`,
          at
        )
    }
  }
}
