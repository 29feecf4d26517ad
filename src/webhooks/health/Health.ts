/** The use-cases of those who run the service: how each webhook is, and what waits in all. */
import { Clock, Context, Effect, Layer } from "effect"
import { onlyOperator } from "../../auth/Operator.ts"
import * as Id from "../../Id.ts"
import { Teams } from "../../identity/teams/Teams.ts"
import { HealthRepo } from "./HealthRepo.ts"
import { bySickness, healthOf, successRate } from "./rules.ts"

const day = 86_400_000

// No kind of delivery is counted further: what the numbers are for is to see that there are too many.
const maxCounted = 100_000

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

const secondsBefore = (at: Date | null, now: Date): number | null =>
  at === null ? null : Math.max(0, (now.getTime() - at.getTime()) / 1000)

const make = Effect.gen(function* () {
  const repo = yield* HealthRepo
  const teams = yield* Teams

  /** The operator's: how all webhooks are, or those of the team with this id; the sickest first. */
  const status = Effect.fn("Health.status")(function* (teamId: string | undefined) {
    yield* onlyOperator
    const team = teamId === undefined ? undefined : yield* teams.resolve(teamId)
    const at = yield* now
    const standings = yield* repo.standings(team, at)
    const recent = new Map(
      (yield* repo.recent(team, new Date(at.getTime() - day))).map((one) => [one.webhookId, one] as const)
    )
    return standings
      .map((standing) => ({ p95Ms: null, attempted: 0, delivered: 0, ...standing, ...recent.get(standing.id) }))
      .toSorted(bySickness(at))
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
   * What waits in all teams, each kind counted up to 100,000: `waiting` for its time, or for a webhook that is not active;
   * `due` now; `inFlight`, its turn come; `held` until its webhook is active again. And how long the oldest is due, in
   * seconds.
   */
  const queue = Effect.fn("Health.queue")(function* () {
    const at = yield* now
    const { due, held, inFlight, oldestDueAt, scheduled } = yield* repo.queue(at, maxCounted)
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

/** How webhooks are, as one of the operator's answers tells it. */
export type EndpointHealth = Effect.Success<ReturnType<Health["Service"]["status"]>>[number]

/** What can be asked about webhooks as a whole. `status` is the operator's; `queue` is the service's own. */
export class Health extends Context.Service<Health, Effect.Success<typeof make>>()("webhooks/health/Health") {
  static readonly layer = Layer.effect(Health, make)
}
