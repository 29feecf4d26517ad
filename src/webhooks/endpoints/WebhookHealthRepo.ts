/** The SQL of the health of webhooks as clients and subscribers learn it: read from counters, never from the deliveries. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { waitingSince, type WebhookCounts } from "./healthRules.ts"

/** What the health of a webhook is decided on. */
export interface HealthRow extends Omit<WebhookCounts, "pending"> {
  readonly id: string
  readonly p95Ms: number | null
  readonly failedAt: Date | null
  readonly failureStatusCode: number | null
  readonly failureError: string | null
}

/** An active webhook that `watched` lists. */
export interface WatchedWebhook extends Pick<WebhookCounts, "attempted" | "consecutiveExhausted" | "delivered"> {
  readonly id: string
  readonly teamId: string
  /** Whether it was announced as failing and has not been healthy since. */
  readonly isFailing: boolean
}

/** The health of webhooks. Ids are UUIDs. */
export class WebhookHealthRepo extends Context.Service<
  WebhookHealthRepo,
  {
    /** What the health of these webhooks of a team is decided on, with what was counted since a moment. */
    readonly ofWebhooks: (
      teamId: string,
      ids: ReadonlyArray<string>,
      since: Date,
      now: Date
    ) => Effect.Effect<ReadonlyArray<HealthRow>>
    /** All active webhooks that were attempted since a moment, are failing, or were. */
    readonly watched: (since: Date) => Effect.Effect<ReadonlyArray<WatchedWebhook>>
    /** Writes whether a webhook of a team is failing. Returns false if that was written before. */
    readonly setFailing: (teamId: string, id: string, isFailing: boolean) => Effect.Effect<boolean>
    /** Deletes the counters of hours before a moment. */
    readonly purge: (until: Date) => Effect.Effect<void>
  }
>()("webhooks/endpoints/WebhookHealthRepo") {
  static readonly layer = Layer.effect(
    WebhookHealthRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const countsOf = (since: Date) => sql`
        select coalesce(sum(first_attempts), 0)::int as attempted, coalesce(sum(delivered), 0)::int as delivered
        from webhook_attempts where webhook_id = w.id and team_id = w.team_id and hour > ${since}::timestamptz`

      // The first entry of each index: a first attempt, a retry, and what a worker holds.
      const dueBefore = (now: Date) => sql`
        select min(at) as at from (
          select first.at from (values (0), (1)) as kinds (retry) cross join lateral (
            select ${sql.literal(waitingSince)} as at from deliveries
            where team_id = w.team_id and webhook_id = w.id and least(attempt_count + replayed_attempts, 1) = retry
              and next_attempt_at is not null and not claimed
            order by next_attempt_at, id limit 1
          ) first
          union all
          select min(next_attempt_at) from deliveries where team_id = w.team_id and webhook_id = w.id and claimed
        ) waits where w.status = 'active' and at <= ${now}::timestamptz`

      const ofWebhooks = Effect.fn("WebhookHealthRepo.ofWebhooks")(function* (
        teamId: string,
        ids: ReadonlyArray<string>,
        since: Date,
        now: Date
      ) {
        return yield* orDie(sql<HealthRow>`
          select w.id, w.status, w.consecutive_exhausted as "consecutiveExhausted", due.at as "oldestDueAt",
            counts.attempted, counts.delivered, slow.duration_ms as "p95Ms",
            f.at as "failedAt", f.status_code as "failureStatusCode", f.error as "failureError"
          from webhooks w
          cross join lateral (${countsOf(since)}) counts
          cross join lateral (${dueBefore(now)}) due
          left join lateral (
            select duration_ms from (
              select duration_ms, sum(sum(attempts)) over (order by duration_ms) as upto, sum(sum(attempts)) over () as total
              from webhook_attempts where webhook_id = w.id and team_id = w.team_id and hour > ${since}::timestamptz
              group by duration_ms
            ) by_duration
            where upto >= 0.95 * total order by duration_ms limit 1
          ) slow on true
          left join webhook_failures f on f.webhook_id = w.id and f.team_id = w.team_id
          where w.team_id = ${teamId} and w.id = any(${ids}::uuid[])`)
      })

      const watched = Effect.fn("WebhookHealthRepo.watched")(function* (since: Date) {
        return yield* orDie(sql<WatchedWebhook>`
          select w.id, w.team_id as "teamId", w.consecutive_exhausted as "consecutiveExhausted", counts.attempted,
            counts.delivered, coalesce(f.is_failing, false) as "isFailing"
          from webhooks w
          cross join lateral (${countsOf(since)}) counts
          left join webhook_failures f on f.webhook_id = w.id and f.team_id = w.team_id
          where w.deleted_at is null and w.status = 'active'
            and (counts.attempted > 0 or w.consecutive_exhausted > 0 or f.is_failing)`)
      })

      const setFailing = Effect.fn("WebhookHealthRepo.setFailing")(function* (
        teamId: string,
        id: string,
        isFailing: boolean
      ) {
        const rows = yield* orDie(sql`
          insert into webhook_failures as f (team_id, webhook_id, is_failing) values (${teamId}, ${id}, ${isFailing})
          on conflict (webhook_id) do update set is_failing = excluded.is_failing where f.is_failing <> excluded.is_failing
          returning webhook_id`)
        return rows.length > 0
      })

      const purge = Effect.fn("WebhookHealthRepo.purge")(function* (until: Date) {
        const old = yield* orDie(sql<{ team_id: string; webhook_id: string }>`
          select distinct team_id, webhook_id from webhook_attempts where hour < ${until}`)
        for (const [teamId, some] of Map.groupBy(old, ({ team_id }) => team_id)) {
          yield* orDie(sql`
            delete from webhook_attempts
            where team_id = ${teamId}
              and webhook_id = any(${some.map(({ webhook_id }) => webhook_id)}::uuid[]) and hour < ${until}`)
        }
      })

      return WebhookHealthRepo.of({ ofWebhooks, watched, setFailing, purge })
    })
  )
}
