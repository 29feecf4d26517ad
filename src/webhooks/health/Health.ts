/** The use-cases of the operator: the health of each webhook, and the queue of all teams. See docs/behaviour/webhooks.md#health. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { onlyOperator } from "../../core/auth/CurrentActor.ts"
import { Teams } from "../../identity/teams/Teams.ts"
import { Sending } from "../../core/outbound/Sending.ts"
import { HealthRepo } from "./HealthRepo.ts"
import { dueIfSending, healthOf, successRate, worstFirst } from "../endpoints/healthRules.ts"
import { now } from "../../platform/Time.ts"

const day = 86_400_000

// Deliveries are counted up to this number.
const maxCounted = 100_000

const secondsBefore = (at: Date | null, now: Date): number | null =>
  at === null ? null : Math.max(0, (now.getTime() - at.getTime()) / 1000)

const make = Effect.gen(function* () {
  const repo = yield* HealthRepo
  const teams = yield* Teams
  const isSending = yield* Sending

  /** The health of all webhooks, or of those of one team, the worst first. For the operator only. */
  const status = Effect.fn("Health.status")(function* (teamId: string | undefined) {
    yield* onlyOperator
    const team = teamId === undefined ? undefined : yield* teams.resolve(teamId)
    const at = yield* now
    const webhooks = (yield* repo.webhooks(team, at)).map((one) => dueIfSending(one, isSending))
    const recent = new Map(
      (yield* repo.recentDeliveries(team, new Date(at.getTime() - day))).map((one) => [one.webhookId, one] as const)
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
  const queue = Effect.fn("Health.queue")(function* () {
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

  return { status, queue }
})

/** A webhook with its health, as the operator sees it. */
export type WebhookHealth = Effect.Success<ReturnType<Health["Service"]["status"]>>[number]

/** The health of webhooks: `status` for the operator, `queue` for the metrics. */
export class Health extends Context.Service<Health, Effect.Success<typeof make>>()("webhooks/health/Health") {
  static readonly layer = Layer.effect(Health, make)
}
