/**
 * The pure decisions on webhooks: states, disabling, secrets, what a patch may send back, health. See
 * docs/behaviour/webhooks.md#webhook-states and docs/behaviour/webhooks.md#health.
 */
import { Duration } from "effect"
import { type Attempt, isAccepted } from "../core/outbound/rules.ts"
import { exhaustionsToDisable, maxSecrets, type Webhook, type WebhookTestResult } from "./Webhook.ts"
import type { Json } from "../core/usecase/Input.ts"
import type { UnvalidatedJson } from "../core/usecase/UnvalidatedJson.ts"

/** The members that a client writes, except the status. */
export type WebhookFields = Pick<Webhook, "url" | "events" | "name">

/** `active` sends. `paused` (by a client) and `disabled` (by the service) hold deliveries until the webhook is active again. */
export type WebhookState = "active" | "paused" | "disabled"

/** A client's request, a 410 from the receiver, the tenth exhausted delivery in a row, or the deletion of the team. */
export type WebhookEvent = "activate" | "pause" | "gone" | "tenth_exhaustion" | "team_deleted"

/**
 * Every transition; null means no change. A 410 disables a paused webhook as well, because its attempt may have begun before
 * the pause. A client may pause a disabled webhook.
 */
export const transitions: Readonly<Record<WebhookState, Readonly<Record<WebhookEvent, WebhookState | null>>>> = {
  active: { activate: null, pause: "paused", gone: "disabled", tenth_exhaustion: "disabled", team_deleted: "disabled" },
  paused: {
    activate: "active",
    pause: null,
    gone: "disabled",
    tenth_exhaustion: "disabled",
    team_deleted: null
  },
  disabled: { activate: "active", pause: "paused", gone: null, tenth_exhaustion: null, team_deleted: null }
}

/** The state after an event; null if it does not change. */
export const transition = (state: WebhookState, event: WebhookEvent): WebhookState | null => transitions[state][event]

/**
 * Why the service disabled a webhook: its receiver answered 410, too many deliveries in a row were exhausted, its team is deleted, or was
 * imported from another installation, so that the webhook has another secret.
 */
export type DisabledReason = "receiver_gone" | "deliveries_exhausted" | "team_deleted" | "team_imported"

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

/** The status after a rotation of the secret: that of an imported webhook is one that its team knows again, so that it sends. */
export const afterNewSecret = (status: WebhookStatus): WebhookStatus =>
  status.disabledReason === "team_imported" ? afterRequest(status, "active") : status

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

/** The result of a test delivery with this request. */
export const toTestResult = (
  attempt: Attempt,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }
): WebhookTestResult => {
  const success = attempt.outcome === "answered" && isAccepted(attempt.statusCode)
  const error = attempt.outcome === "failed" ? attempt.error : `The receiver answered ${attempt.statusCode}.`
  return {
    success,
    status_code: attempt.statusCode ?? null,
    duration_ms: attempt.durationMs,
    error: success ? null : error,
    request_headers: request.headers,
    request_body: new TextDecoder().decode(request.body),
    response_headers: attempt.responseHeaders ?? null,
    response_body: attempt.responseBody ?? null
  }
}

/** A member of a JSON object; undefined if the value is no object or has no such member. */
export const memberOf = (value: Json, name: string): Json | undefined =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? (value as { readonly [member: string]: Json })[name]
    : undefined

const without = (body: UnvalidatedJson, name: string): UnvalidatedJson => ({
  ...body,
  value: Object.fromEntries(Object.entries(body.value ?? {}).filter(([member]) => member !== name))
})

/** The body without `health`. What a client read may differ by now, although nobody changed it. */
export const withoutHealth = (body: UnvalidatedJson): UnvalidatedJson =>
  memberOf(body.value, "health") === undefined ? body : without(body, "health")

/**
 * The body without `status` if that equals the current one. So a client may send a disabled webhook back as it read it, although
 * it cannot request `disabled`.
 */
export const withoutPresentStatus = (body: UnvalidatedJson, present: string): UnvalidatedJson =>
  memberOf(body.value, "status") === present ? without(body, "status") : body

/** How long attempts and deliveries count, in milliseconds. */
export const recentMillis = 86_400_000

/** An hour, in milliseconds. */
export const hourMillis = 3_600_000

/** The whole hours of UTC that the last 24 hours are counted by, the oldest first: that of `now`, and 23 before it. */
export const recentHours = (now: Date): ReadonlyArray<Date> => {
  const last = Math.floor(now.getTime() / hourMillis)
  return Array.from({ length: 24 }, (_, index) => new Date((last - 23 + index) * hourMillis))
}

/** What became of the deliveries of an hour. Each counts once: delivered, failed so far, or without an attempt. */
export interface WebhookHour {
  readonly hourUtc: string
  readonly delivered: number
  readonly failed: number
  readonly waiting: number
}

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
