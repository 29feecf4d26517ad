/** The health of webhooks, for their clients and for subscribers of the team. See docs/behaviour/webhooks.md#health. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { systemOf } from "../../core/auth/CurrentActor.ts"
import { Changes } from "../../core/mutation/Changes.ts"
import { now } from "../../platform/Time.ts"
import { Sending } from "../../core/outbound/Sending.ts"
import type { WebhookMembers } from "./WebhooksRepo.ts"
import type { Webhook } from "./Webhook.ts"
import { dueIfSending, failureReason, healthOf, recentMillis } from "./healthRules.ts"
import { type HealthRow, type WatchedWebhook, WebhookHealthRepo } from "./WebhookHealthRepo.ts"

const toHealth = (row: HealthRow, at: Date): Webhook["health"] => ({
  status: healthOf(row, at),
  delivered24h: row.delivered,
  p95Ms: row.p95Ms,
  lastFailure:
    row.failedAt === null
      ? null
      : { utc: row.failedAt.toISOString(), statusCode: row.failureStatusCode, error: row.failureError }
})

const make = Effect.gen(function* () {
  const repo = yield* WebhookHealthRepo
  const changes = yield* Changes
  const isSending = yield* Sending

  const recently = (at: Date) => new Date(at.getTime() - recentMillis)

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

  return { withHealth, watch, purge }
})

/** The health of a new webhook. */
export const newHealth: Webhook["health"] = { status: "healthy", delivered24h: 0, p95Ms: null, lastFailure: null }

/** Reads and watches the health of webhooks. */
export class WebhookHealth extends Context.Service<WebhookHealth, Effect.Success<typeof make>>()(
  "webhooks/endpoints/WebhookHealth"
) {
  static readonly layer = Layer.effect(WebhookHealth, make)
}
