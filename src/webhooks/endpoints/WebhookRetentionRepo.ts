/** The SQL that purges webhooks and subscriptions past their retention. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"

/** The retention of webhooks and subscriptions. */
export class WebhookRetentionRepo extends Context.Service<
  WebhookRetentionRepo,
  {
    /** Purges up to `limit` subscriptions of each team that ended before `until`, of the teams of the `limit` oldest. Returns how many. */
    readonly purgeSubscriptions: (until: Date, limit: number) => Effect.Effect<number>
    /** Purges up to `limit` webhooks that were deleted before `until` and have no deliveries and subscriptions. Returns how many. */
    readonly purgeWebhooks: (until: Date, limit: number) => Effect.Effect<number>
  }
>()("webhooks/endpoints/WebhookRetentionRepo") {
  static readonly layer = Layer.effect(
    WebhookRetentionRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const purgeSubscriptions = Effect.fn("WebhookRetentionRepo.purgeSubscriptions")(function* (
        until: Date,
        limit: number
      ) {
        const teams = yield* orDie(sql<{ team_id: string }>`
          select distinct team_id from (
            select team_id from webhook_subscriptions where until_at < ${until} order by until_at limit ${limit}
          ) ended`)
        const purged = yield* Effect.forEach(teams, ({ team_id: teamId }) =>
          orDie(sql`
            delete from webhook_subscriptions
            where team_id = ${teamId} and (webhook_id, event_type, from_at, from_transaction) in (
              select webhook_id, event_type, from_at, from_transaction from webhook_subscriptions
              where team_id = ${teamId} and until_at < ${until} order by until_at limit ${limit}
            ) returning webhook_id`)
        )
        return purged.flat().length
      })

      const purgeWebhooks = Effect.fn("WebhookRetentionRepo.purgeWebhooks")(function* (until: Date, limit: number) {
        const isOver = sql`
          deleted_at < ${until}
          and not exists (select from deliveries where webhook_id = w.id and deliveries.team_id = w.team_id)
          and not exists (select from webhook_subscriptions s where s.webhook_id = w.id and s.team_id = w.team_id)`
        const found = yield* orDie(sql<{ id: string; team_id: string }>`
          select id, team_id from webhooks w where ${isOver} order by deleted_at limit ${limit}`)
        // Checked again: a late fan-out may have added a delivery.
        const purged = yield* Effect.forEach(
          Map.groupBy(found, ({ team_id }) => team_id),
          ([teamId, some]) =>
            orDie(sql`
            with purged as (
              delete from webhooks w
              where team_id = ${teamId} and id = any(${some.map(({ id }) => id)}::uuid[]) and ${isOver}
              returning id
            ), failures as (
              delete from webhook_failures where team_id = ${teamId} and webhook_id in (select id from purged)
            )
            select id from purged`)
        )
        return purged.flat().length
      })

      return WebhookRetentionRepo.of({ purgeSubscriptions, purgeWebhooks })
    })
  )
}
