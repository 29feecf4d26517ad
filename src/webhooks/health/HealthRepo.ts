/**
 * The SQL of the health of webhooks, across teams. It locks nothing. Joins are between rows of one team, so that an engine that keeps
 * teams apart can run each statement on each group of teams and put the answers together.
 */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { inEach, inTeam } from "../../platform/db/CurrentCell.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { heldCondition } from "../deliveries/rules.ts"
import { waitingSince, type WebhookCounts } from "../endpoints/healthRules.ts"

/** A live webhook with the counts of its open deliveries. */
export interface WebhookRow extends Omit<WebhookCounts, "attempted" | "delivered"> {
  readonly id: string
  readonly teamId: string
  readonly name: string | null
  readonly url: string
  readonly disabledReason: string | null
  readonly disabledAt: Date | null
  readonly inFlight: number
}

/** The recent deliveries of a webhook. */
export interface RecentDeliveries extends Pick<WebhookCounts, "attempted" | "delivered"> {
  readonly webhookId: string
  /** The 95th percentile of the durations of the attempts, in milliseconds. */
  readonly p95Ms: number
}

/** The number of open deliveries of each kind, counted up to a limit, and when the oldest became due. */
export interface QueueDepth {
  /** Those that have a time for the next attempt and are not claimed. */
  readonly scheduled: number
  /** The scheduled ones of active webhooks that are due. */
  readonly due: number
  readonly inFlight: number
  /** Those that wait until their webhook is active again. */
  readonly held: number
  readonly oldestDueAt: Date | null
}

/** The health of webhooks. Ids are UUIDs. */
export class HealthRepo extends Context.Service<
  HealthRepo,
  {
    /** All live webhooks, or those of one team. */
    readonly webhooks: (teamId: string | undefined, now: Date) => Effect.Effect<ReadonlyArray<WebhookRow>>
    /** Counts of the attempted deliveries that were created after `since`, for webhooks, live or not, that have any. */
    readonly recentDeliveries: (
      teamId: string | undefined,
      since: Date
    ) => Effect.Effect<ReadonlyArray<RecentDeliveries>>
    /** The queue of all teams. It costs one index lookup for each webhook with waiting deliveries, and at most `limit` rows for each kind. */
    readonly queue: (now: Date, limit: number) => Effect.Effect<QueueDepth>
  }
>()("webhooks/health/HealthRepo") {
  static readonly layer = Layer.effect(
    HealthRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      // They equal the conditions of the indexes deliveries_waiting and deliveries_held, so Postgres reads no other rows.
      const scheduled = sql`next_attempt_at is not null and not claimed`
      const held = sql.literal(heldCondition)
      const isRetry = sql`least(attempt_count + replayed_attempts, 1)`

      // `webhook` names a row with the id and the team of a webhook.
      const isOf = (webhook: string) => sql.literal(`webhook_id = ${webhook}.id and team_id = ${webhook}.team_id`)

      const of = <A>(teamId: string | undefined, found: Effect.Effect<ReadonlyArray<A>>) =>
        teamId === undefined ? inEach(sql, found) : inTeam(teamId)(found)

      const live = (teamId: string | undefined) =>
        sql.and([sql`w.deleted_at is null`, ...(teamId === undefined ? [] : [sql`w.team_id = ${teamId}`])])

      // When the first waiting attempt and the first waiting retry of a webhook are due. Each is the first entry of its index.
      const firstDue = (webhook: string) => sql`
        select first.at from (values (0), (1)) as kinds (retry) cross join lateral (
          select ${sql.literal(waitingSince)} as at from deliveries
          where ${isOf(webhook)} and ${isRetry} = retry and ${scheduled}
          order by next_attempt_at, id limit 1
        ) first`

      const webhooks = Effect.fn("HealthRepo.webhooks")(function* (teamId: string | undefined, now: Date) {
        const found = orDie(sql<WebhookRow>`
          select w.id, w.team_id as "teamId", w.name, w.url, w.status, w.disabled_reason as "disabledReason",
            w.disabled_at as "disabledAt", w.consecutive_exhausted as "consecutiveExhausted",
            waiting.count + held.count as pending, claims.count as "inFlight", due.at as "oldestDueAt"
          from webhooks w
          cross join lateral (
            select count(*)::int from deliveries where ${isOf("w")} and ${scheduled}
          ) waiting
          cross join lateral (
            select count(*)::int from deliveries where ${isOf("w")} and ${held}
          ) held
          cross join lateral (
            select count(*)::int, min(next_attempt_at) as first from deliveries
            where ${isOf("w")} and claimed
          ) claims
          cross join lateral (
            select min(at) as at from (${firstDue("w")} union all select claims.first) waits
            where w.status = 'active' and at <= ${now}
          ) due
          where ${live(teamId)}
          order by w.team_id, w.created_at, w.id`)
        return yield* of(teamId, found)
      })

      const recentDeliveries = Effect.fn("HealthRepo.recentDeliveries")(function* (
        teamId: string | undefined,
        since: Date
      ) {
        const ofTeam =
          teamId === undefined
            ? sql``
            : sql`and d.team_id = ${teamId} and d.webhook_id in (select w.id from webhooks w where ${live(teamId)})`
        const counted = Transaction.run(
          Effect.gen(function* () {
            // A day may have millions of deliveries. Only the operator runs this.
            yield* sql`set local statement_timeout = '60s'`
            return yield* sql<RecentDeliveries>`
            select d.webhook_id as "webhookId",
              count(distinct d.id)::int as attempted,
              count(distinct d.id) filter (where d.status = 'delivered')::int as delivered,
              percentile_disc(0.95) within group (order by a.duration_ms) as "p95Ms"
            from deliveries d
            join delivery_attempts a on a.delivery_id = d.id and (a.team_id = d.team_id or a.team_id is null)
            where d.created_at >= ${since} and a.delivery_id >= ${Id.minUuidOf(since)}::uuid ${ofTeam}
            group by d.webhook_id`
          })
        ).pipe(Effect.provideService(Database, sql))
        return yield* of(teamId, counted)
      })

      // The recursive query skips from webhook to webhook in the index, which contains only webhooks with waiting deliveries.
      const queue = Effect.fn("HealthRepo.queue")(function* (now: Date, limit: number) {
        const found = orDie(sql<QueueDepth>`
          with recursive with_waiting as (
            (select webhook_id as id, team_id from deliveries where ${scheduled} order by webhook_id limit 1)
            union all
            select next.* from with_waiting cross join lateral (
              select webhook_id, team_id from deliveries where ${scheduled} and webhook_id > with_waiting.id
              order by webhook_id limit 1
            ) next
          ), sending as materialized (
            select w.id, w.team_id from with_waiting join webhooks w using (id, team_id)
            where w.status = 'active' and w.deleted_at is null
          )
          select
            (select count(*)::int from (select from deliveries where ${scheduled} limit ${limit}) counted) as scheduled,
            (select count(*)::int from (
              select from sending cross join lateral (
                select from deliveries
                where ${isOf("sending")} and ${isRetry} in (0, 1) and next_attempt_at <= ${now} and ${scheduled}
                limit ${limit}
              ) of_webhook limit ${limit}
            ) counted) as due,
            (select count(*)::int from (select from deliveries where claimed limit ${limit}) counted) as "inFlight",
            (select count(*)::int from (
              select from deliveries
              where ${held} and not exists (
                select from webhooks w where w.id = webhook_id and w.team_id = deliveries.team_id and w.deleted_at is not null
              )
              limit ${limit}
            ) counted) as held,
            (select min(at) from (
              select first.at from sending cross join lateral (${firstDue("sending")}) first
              union all
              select d.next_attempt_at from deliveries d join webhooks w on w.id = d.webhook_id and w.team_id = d.team_id
              where d.claimed and w.status = 'active' and w.deleted_at is null
            ) waits where at <= ${now}) as "oldestDueAt"`)
        const depths = yield* inEach(sql, found)
        const sum = (kind: "due" | "held" | "inFlight" | "scheduled") =>
          Math.min(
            limit,
            depths.reduce((total, depth) => total + depth[kind], 0)
          )
        const [oldestDueAt = null] = depths
          .flatMap((depth) => depth.oldestDueAt ?? [])
          .toSorted((a, b) => a.getTime() - b.getTime())
        return {
          scheduled: sum("scheduled"),
          due: sum("due"),
          inFlight: sum("inFlight"),
          held: sum("held"),
          oldestDueAt
        }
      })

      return HealthRepo.of({ webhooks, recentDeliveries, queue })
    })
  )
}
