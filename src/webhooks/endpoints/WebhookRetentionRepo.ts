/** The SQL that purges webhooks and subscriptions past their retention. */
import { Context, Effect, Layer } from "effect"
import type { DueRows } from "../../core/mutation/purgeListed.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** The retention of webhooks and subscriptions. */
export class WebhookRetentionRepo extends Context.Service<
  WebhookRetentionRepo,
  {
    /** The teams of the `limit` subscriptions that ended first, before `until`. */
    readonly teamsWithEnded: (until: Date, which: DueRows) => Effect.Effect<ReadonlyArray<string>>
    /** Purges up to `limit` subscriptions of a team that ended before `until`. Returns how many. */
    readonly purgeSubscriptions: (teamId: string, until: Date, limit: number) => Effect.Effect<number>
    /** Webhooks that were deleted before `until` and have no deliveries and subscriptions, at most `limit`. */
    readonly findPurgeable: (
      until: Date,
      which: DueRows
    ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly teamId: string }>>
    /** Purges those of a team's webhooks (UUIDs) to which this still applies. Returns how many. */
    readonly purgeWebhooks: (teamId: string, uuids: ReadonlyArray<string>, until: Date) => Effect.Effect<number>
  }
>()("webhooks/endpoints/WebhookRetentionRepo") {
  static readonly layer = Layer.effect(
    WebhookRetentionRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const isOver = (until: Date) => sql`
        deleted_at < ${until}
        and not exists (select from deliveries where webhook_id = w.id and deliveries.team_id = w.team_id)
        and not exists (select from webhook_subscriptions s where s.webhook_id = w.id and s.team_id = w.team_id)`

      const teamsWithEnded = Effect.fn("WebhookRetentionRepo.teamsWithEnded")(function* (
        until: Date,
        { failed, limit }: DueRows
      ) {
        const rows = yield* orDie(sql<{ team_id: string }>`
          select distinct team_id from (
            select team_id from webhook_subscriptions
            where until_at < ${until} and team_id <> all(${failed}::uuid[])
            order by until_at limit ${limit}
          ) ended`)
        return rows.map(({ team_id }) => team_id)
      })

      const purgeSubscriptions = Effect.fn("WebhookRetentionRepo.purgeSubscriptions")(function* (
        teamId: string,
        until: Date,
        limit: number
      ) {
        const purged = yield* orDie(sql`
          delete from webhook_subscriptions
          where team_id = ${teamId} and (webhook_id, event_type, from_at, from_transaction) in (
            select webhook_id, event_type, from_at, from_transaction from webhook_subscriptions
            where team_id = ${teamId} and until_at < ${until} order by until_at limit ${limit}
          ) returning webhook_id`)
        return purged.length
      })

      const findPurgeable = Effect.fn("WebhookRetentionRepo.findPurgeable")(function* (
        until: Date,
        { failed, limit }: DueRows
      ) {
        return yield* orDie(sql<{ id: string; teamId: string }>`
          select id, team_id as "teamId" from webhooks w
          where ${isOver(until)} and team_id <> all(${failed}::uuid[])
          order by deleted_at limit ${limit}`)
      })

      // Checked again: a late fan-out may have added a delivery.
      const purgeWebhooks = Effect.fn("WebhookRetentionRepo.purgeWebhooks")(function* (
        teamId: string,
        uuids: ReadonlyArray<string>,
        until: Date
      ) {
        const purged = yield* orDie(sql`
          with purged as (
            delete from webhooks w
            where team_id = ${teamId} and id = any(${uuids}::uuid[]) and ${isOver(until)}
            returning id
          ), failures as (
            delete from webhook_failures where team_id = ${teamId} and webhook_id in (select id from purged)
          )
          select id from purged`)
        return purged.length
      })

      return WebhookRetentionRepo.of({ teamsWithEnded, purgeSubscriptions, findPurgeable, purgeWebhooks })
    })
  )
}
