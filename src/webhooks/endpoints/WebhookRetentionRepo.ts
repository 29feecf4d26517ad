/** The SQL that purges webhooks and subscriptions past their retention. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"

/** The retention of webhooks and subscriptions. */
export class WebhookRetentionRepo extends Context.Service<
  WebhookRetentionRepo,
  {
    /** Purges up to `limit` subscriptions that ended before `until`. Returns how many. */
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
        const purged = yield* orDie(sql`
          delete from webhook_subscriptions where (webhook_id, event_type, from_at, from_transaction) in (
            select webhook_id, event_type, from_at, from_transaction from webhook_subscriptions
            where until_at < ${until} order by until_at limit ${limit}
          ) returning webhook_id`)
        return purged.length
      })

      const purgeWebhooks = Effect.fn("WebhookRetentionRepo.purgeWebhooks")(function* (until: Date, limit: number) {
        const purged = yield* orDie(sql`
          with purged as (
            delete from webhooks where id in (
              select id from webhooks w
              where deleted_at < ${until}
                and not exists (select from deliveries where webhook_id = w.id and deliveries.team_id = w.team_id)
                and not exists (
                  select from webhook_subscriptions s where s.webhook_id = w.id and s.team_id = w.team_id
                )
              order by deleted_at limit ${limit}
            ) returning id
          ), failures as (
            delete from webhook_failures where webhook_id in (select id from purged)
          )
          select id from purged`)
        return purged.length
      })

      return WebhookRetentionRepo.of({ purgeSubscriptions, purgeWebhooks })
    })
  )
}
