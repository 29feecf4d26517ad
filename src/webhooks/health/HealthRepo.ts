/** All SQL about how webhooks are, of all teams: for the operator. It reads, and locks nothing. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import * as Transaction from "../../db/Transaction.ts"
import * as Id from "../../Id.ts"
import { restingCondition } from "../deliveries/rules.ts"
import type { Measured } from "./rules.ts"

/** A live webhook, with what waits for it. */
export interface Standing extends Omit<Measured, "attempted" | "delivered"> {
  readonly id: string
  readonly teamId: string
  readonly name: string | null
  readonly url: string
  readonly disabledReason: string | null
  readonly disabledAt: Date | null
  readonly inFlight: number
}

/** How the recent deliveries of a webhook went. */
export interface Recent extends Pick<Measured, "attempted" | "delivered"> {
  readonly webhookId: string
  /** What 95 % of the attempts took no longer than, in milliseconds. */
  readonly p95Ms: number
}

/** How many deliveries there are of each kind, each counted up to a limit, and since when the oldest is due. */
export interface Queue {
  /** Those that have a time, and no turn yet. */
  readonly scheduled: number
  /** Those of them whose time has come, of webhooks that are active. */
  readonly due: number
  readonly inFlight: number
  /** Those that wait for their webhook to be active again. */
  readonly held: number
  readonly oldestDueAt: Date | null
}

/** What is known of webhooks as a whole. Ids are UUIDs. */
export class HealthRepo extends Context.Service<
  HealthRepo,
  {
    /** All live webhooks, or those of one team. */
    readonly standings: (teamId: string | undefined, now: Date) => Effect.Effect<ReadonlyArray<Standing>>
    /** How the deliveries went that were made after `since` and attempted; of webhooks that had any. */
    readonly recent: (teamId: string | undefined, since: Date) => Effect.Effect<ReadonlyArray<Recent>>
    /** What waits in all teams. It costs a look for each webhook that something waits for, and `limit` for each kind. */
    readonly queue: (now: Date, limit: number) => Effect.Effect<Queue>
  }
>()("webhooks/health/HealthRepo") {
  static readonly layer = Layer.effect(
    HealthRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      // In the words of the indexes deliveries_waiting and deliveries_resting: they are read, and the table is not.
      const scheduled = sql`next_attempt_at is not null and not admitted`
      const held = sql.literal(restingCondition)
      const attemptedBefore = sql`least(attempt_count + replayed_attempts, 1)`

      const live = (teamId: string | undefined) =>
        sql.and([sql`w.deleted_at is null`, ...(teamId === undefined ? [] : [sql`w.team_id = ${teamId}`])])

      // The times of the first attempt and of the first retry that wait for a webhook: each is where its index begins.
      const firsts = (webhook: ReturnType<typeof sql.literal>) => sql`
        select (
          select min(next_attempt_at) from deliveries
          where webhook_id = ${webhook} and ${attemptedBefore} = kind and ${scheduled}
        ) as at from (values (0), (1)) as kinds (kind)`

      const standings = Effect.fn("HealthRepo.standings")(function* (teamId: string | undefined, now: Date) {
        return yield* orDie(sql<Standing>`
          select w.id, w.team_id as "teamId", w.name, w.url, w.status, w.disabled_reason as "disabledReason",
            w.disabled_at as "disabledAt", w.consecutive_exhausted as "consecutiveExhausted",
            waiting.count + resting.count as pending, flying.count as "inFlight", due.at as "oldestDueAt"
          from webhooks w
          cross join lateral (
            select count(*)::int from deliveries where webhook_id = w.id and ${scheduled}
          ) waiting
          cross join lateral (
            select count(*)::int from deliveries where webhook_id = w.id and ${held}
          ) resting
          cross join lateral (
            select count(*)::int, min(next_attempt_at) as first from deliveries
            where team_id = w.team_id and webhook_id = w.id and admitted
          ) flying
          cross join lateral (
            select min(at) as at from (${firsts(sql.literal("w.id"))} union all select flying.first) waits
            where w.status = 'active' and at <= ${now}
          ) due
          where ${live(teamId)}
          order by w.team_id, w.created_at, w.id`)
      })

      const recent = Effect.fn("HealthRepo.recent")(function* (teamId: string | undefined, since: Date) {
        return yield* Transaction.run(
          Effect.gen(function* () {
            // A day's deliveries may be millions. Nobody but the operator waits for them.
            yield* sql`set local statement_timeout = '60s'`
            return yield* sql<Recent>`
            select d.webhook_id as "webhookId",
              count(*) filter (where a.number = 1)::int as attempted,
              count(*) filter (where a.number = 1 and d.status = 'delivered')::int as delivered,
              percentile_disc(0.95) within group (order by a.duration_ms) as "p95Ms"
            from webhooks w
            join deliveries d on d.webhook_id = w.id and d.created_at >= ${since}
            join delivery_attempts a on a.delivery_id = d.id and a.delivery_id >= ${Id.minUuidOf(since)}::uuid
            where ${live(teamId)}
            group by d.webhook_id`
          })
        ).pipe(Effect.provideService(Database, sql))
      })

      // Goes from webhook to webhook by the index, which has those only that something waits for.
      const queue = Effect.fn("HealthRepo.queue")(function* (now: Date, limit: number) {
        const [row] = yield* orDie(sql<Queue>`
          with recursive waited_for as (
            (select webhook_id as id from deliveries where ${scheduled} order by webhook_id limit 1)
            union all
            select (
              select webhook_id from deliveries where ${scheduled} and webhook_id > waited_for.id
              order by webhook_id limit 1
            ) from waited_for where waited_for.id is not null
          ), sending as materialized (
            select w.id from waited_for join webhooks w using (id) where w.status = 'active' and w.deleted_at is null
          )
          select
            (select count(*)::int from (select from deliveries where ${scheduled} limit ${limit}) few) as scheduled,
            (select count(*)::int from (
              select from sending cross join lateral (
                select from deliveries
                where webhook_id = sending.id and ${attemptedBefore} in (0, 1) and next_attempt_at <= ${now} and ${scheduled}
                limit ${limit}
              ) some_of_one limit ${limit}
            ) few) as due,
            (select count(*)::int from (select from deliveries where admitted limit ${limit}) few) as "inFlight",
            (select count(*)::int from (
              select from deliveries
              where ${held} and not exists (select from webhooks w where w.id = webhook_id and w.deleted_at is not null)
              limit ${limit}
            ) few) as held,
            (select min(at) from (
              select first.at from sending cross join lateral (${firsts(sql.literal("sending.id"))}) first
              union all
              select d.next_attempt_at from deliveries d join webhooks w on w.id = d.webhook_id
              where d.admitted and w.status = 'active' and w.deleted_at is null
            ) waits where at <= ${now}) as "oldestDueAt"`)
        return row ?? { scheduled: 0, due: 0, inFlight: 0, held: 0, oldestDueAt: null }
      })

      return HealthRepo.of({ standings, recent, queue })
    })
  )
}
