/**
 * The health of webhooks: for their clients, for subscribers of the team, and for the operator, who also sees the queue of all
 * teams. See docs/behaviour/webhooks.md#health.
 */
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { onlyOperator, systemOf } from "../core/auth/CurrentActor.ts"
import { Changes } from "../core/mutation/Changes.ts"
import { Sending } from "../core/outbound/Outbound.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { now } from "../platform/Time.ts"
import {
  dueIfSending,
  failureReason,
  type Health,
  healthOf,
  maxDueAge,
  recentHours,
  recentMillis,
  successRate,
  type WebhookHour,
  worstFirst
} from "./rules.ts"
import type { Webhook } from "./Webhook.ts"
import { type HealthRow, type HourRow, type WatchedWebhook, WebhookHealthRepo } from "./WebhookHealthRepo.ts"
import type { WebhookMembers } from "./WebhooksRepo.ts"

/** The health of a new webhook. */
export const newHealth: Webhook["health"] = { status: "healthy", delivered24h: 0, p95Ms: null, lastFailure: null }

// The operator's counts of deliveries go up to this number.
const maxCounted = 100_000

const toHealth = (row: HealthRow, at: Date): Webhook["health"] => ({
  status: healthOf(row, at),
  delivered24h: row.delivered,
  p95Ms: row.p95Ms,
  lastFailure:
    row.failedAt === null
      ? null
      : { utc: row.failedAt.toISOString(), statusCode: row.failureStatusCode, error: row.failureError }
})

// Deliveries without an attempt are counted by the hour up to this number of each webhook.
const maxWaiting = 10_000

const toHour = (hour: Date, row: HourRow | undefined): WebhookHour => ({
  hourUtc: hour.toISOString(),
  delivered: row?.delivered ?? 0,
  failed: Math.max(0, (row?.attempted ?? 0) - (row?.delivered ?? 0)),
  waiting: row?.waiting ?? 0
})

const recently = (at: Date) => new Date(at.getTime() - recentMillis)

const secondsBefore = (at: Date | null, now: Date): number | null =>
  at === null ? null : Math.max(0, (now.getTime() - at.getTime()) / 1000)

const make = Effect.gen(function* () {
  const repo = yield* WebhookHealthRepo
  const teams = yield* Teams
  const changes = yield* Changes
  const isSending = yield* Sending

  /** Adds their health to webhooks of a team, with one statement. */
  const withHealth = Effect.fn("WebhookHealth.withHealth")(function* <Members extends WebhookMembers>(
    teamId: string,
    webhooks: ReadonlyArray<Members>
  ) {
    const at = yield* now
    const uuids = webhooks.flatMap(({ id }) => Id.toUuid("webhook", id) ?? [])
    const rows = uuids.length === 0 ? [] : yield* repo.ofWebhooks(teamId, uuids, recently(at), at)
    const health = new Map(
      rows.map((row) => [Id.fromUuid("webhook", row.id) as string, toHealth(dueIfSending(row, isSending), at)])
    )
    return webhooks.map((webhook) => ({ ...webhook, health: health.get(webhook.id) ?? newHealth }))
  })

  /** What became of the deliveries of these webhooks (UUIDs) of a team in each of the last 24 hours, the oldest first. */
  const byHour = Effect.fn("WebhookHealth.byHour")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    const hours = recentHours(yield* now)
    const [since = new Date(0)] = hours
    const rows = uuids.length === 0 ? [] : yield* repo.byHour(teamId, uuids, { since, limit: maxWaiting })
    const found = new Map(rows.map((row) => [row.hour.getTime(), row]))
    return hours.map((hour) => toHour(hour, found.get(hour.getTime())))
  })

  /** Tells the other webhooks of the team, and the operator, that one became failing. */
  const announce = Effect.fnUntraced(function* (webhook: WatchedWebhook) {
    const isNew = yield* changes.commit(systemOf(webhook.teamId), (change) =>
      Effect.tap(repo.setFailing(webhook.teamId, webhook.id, true), (isNew) =>
        Effect.sync(() => {
          if (!isNew) return
          change.record({
            change: "updated",
            resource: { type: "webhook", id: webhook.id },
            subjects: [],
            event: { type: "webhook.failing", extras: { action: { type: "failing" } } }
          })
        })
      )
    )
    if (!isNew) return
    yield* Effect.logWarning(
      `The webhook ${Id.fromUuid("webhook", webhook.id)} of ${Id.fromUuid("team", webhook.teamId)} is failing. ${failureReason(webhook)}`
    )
  })

  /**
   * Announces each active webhook that became failing, and notes those that are no longer. It is for a job.
   * Does nothing while the installation sends nothing: what a copy has counted are the deliveries of its original.
   */
  const watch = Effect.fn("WebhookHealth.watch")(function* () {
    if (!isSending) return
    const at = yield* now
    for (const webhook of yield* repo.watched(recently(at))) {
      const isFailing = healthOf({ ...webhook, status: "active", oldestDueAt: null }, at) === "failing"
      if (isFailing && !webhook.isFailing) yield* announce(webhook)
      if (!isFailing && webhook.isFailing) yield* repo.setFailing(webhook.teamId, webhook.id, false)
    }
  })

  /** Deletes counters that no health is read from any more. It is for a job. */
  const purge = Effect.fn("WebhookHealth.purge")(function* () {
    yield* repo.purge(new Date((yield* now).getTime() - 2 * recentMillis))
  })

  /** The health of all webhooks, or of those of one team, the worst first. For the operator only. */
  const status = Effect.fn("WebhookHealth.status")(function* (teamId: string | undefined) {
    yield* onlyOperator
    const team = teamId === undefined ? undefined : yield* teams.resolveAny(teamId)
    const at = yield* now
    const webhooks = (yield* repo.live(team, at)).map((one) => dueIfSending(one, isSending))
    const recent = new Map(
      (yield* repo.recentDeliveries(team, recently(at))).map((one) => [one.webhookId, one] as const)
    )
    return webhooks
      .map((webhook) => ({ p95Ms: null, attempted: 0, delivered: 0, ...webhook, ...recent.get(webhook.id) }))
      .toSorted(worstFirst(at))
      .map((one) => ({
        id: Id.fromUuid("webhook", one.id),
        teamId: Id.fromUuid("team", one.teamId),
        name: one.name,
        url: one.url,
        health: healthOf(one, at),
        status: one.status,
        disabledReason: one.disabledReason,
        disabledUtc: one.disabledAt?.toISOString() ?? null,
        consecutiveExhausted: one.consecutiveExhausted,
        pending: one.pending,
        inFlight: one.inFlight,
        oldestDueUtc: one.oldestDueAt?.toISOString() ?? null,
        oldestDueSeconds: secondsBefore(one.oldestDueAt, at),
        attempted: one.attempted,
        delivered: one.delivered,
        successRate: successRate(one),
        p95Ms: one.p95Ms
      }))
  })

  /**
   * The open deliveries of all teams, each kind counted up to 100,000: `waiting` for a later attempt, `due` now, `inFlight` in a
   * worker, and `held` until their webhook is active again. `oldestDueSeconds` is the age of the oldest due one.
   * While the installation sends nothing, none is due.
   */
  const queue = Effect.fn("WebhookHealth.queue")(function* () {
    const at = yield* now
    const { due, held, inFlight, oldestDueAt, scheduled } = yield* repo.queue(at, maxCounted)
    if (!isSending) return { waiting: scheduled, due: 0, inFlight, held, oldestDueSeconds: 0 }
    return {
      waiting: Math.max(0, scheduled - due),
      due,
      inFlight,
      held,
      oldestDueSeconds: secondsBefore(oldestDueAt, at) ?? 0
    }
  })

  /** How many webhooks of all teams have each health. That of `failing` is as of the last `watch`. */
  const countByHealth = Effect.fn("WebhookHealth.countByHealth")(function* () {
    const counts: Record<Health, number> = { healthy: 0, late: 0, failing: 0, paused: 0, disabled: 0 }
    for (const { failing, late, live, status } of yield* repo.countByState(
      new Date((yield* now).getTime() - maxDueAge)
    )) {
      if (status !== "active") {
        counts[status] += live
        continue
      }
      const ofThese = isSending ? late : 0
      counts.failing += failing
      counts.late += ofThese
      counts.healthy += live - failing - ofThese
    }
    return counts
  })

  return { withHealth, byHour, watch, purge, status, countByHealth, queue }
})

/** A webhook with its health, as the operator sees it. */
export type ReportedWebhook = Effect.Success<ReturnType<WebhookHealth["Service"]["status"]>>[number]

/** Reads, watches and reports the health of webhooks. */
export class WebhookHealth extends Context.Service<WebhookHealth, Effect.Success<typeof make>>()(
  "webhooks/WebhookHealth"
) {
  static readonly layer = Layer.effect(WebhookHealth, make).pipe(Layer.provide([Teams.layer, WebhookHealthRepo.layer]))
}
