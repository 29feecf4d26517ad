/**
 * The SQL of the health of webhooks. Clients and subscribers learn it from counters, never from the deliveries. What the operator
 * asks across teams counts deliveries: it locks nothing, and joins rows of one team only, so that an engine that keeps teams apart
 * can run each statement on each group of teams and put the answers together.
 */
import * as Transaction from "../platform/db/Transaction.ts"
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import { inEach, inTeam } from "../platform/db/Cells.ts"
import { heldCondition } from "./deliveries/rules.ts"
import { waitingSince, type WebhookCounts } from "./rules.ts"

/** What the health of a webhook is decided on. */
export interface HealthRow extends Omit<WebhookCounts, "pending"> {
  readonly id: string
  readonly p95Ms: number | null
  readonly failedAt: Date | null
  readonly failureStatusCode: number | null
  readonly failureError: string | null
}

/** What became of the deliveries of an hour, by that of their first attempt or, before there is one, of their creation. */
export interface HourRow {
  readonly hour: Date
  readonly attempted: number
  readonly delivered: number
  readonly waiting: number
}

/** An active webhook that `watched` lists. */
export interface WatchedWebhook extends Pick<WebhookCounts, "attempted" | "consecutiveExhausted" | "delivered"> {
  readonly id: string
  readonly teamId: string
  /** Whether it was announced as failing and has not been healthy since. */
  readonly isFailing: boolean
}

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

/** Live webhooks in a state. */
interface StateCount {
  readonly status: WebhookCounts["status"]
  readonly live: number
  readonly failing: number
  readonly late: number
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  // They equal the conditions of the indexes deliveries_waiting and deliveries_held, so Postgres reads no other rows.
  const scheduled = sql`next_attempt_at is not null and not claimed`
  const held = sql.literal(heldCondition)
  const isRetry = sql`least(attempt_count + replayed_attempts, 1)`

  // `webhook` names a row with the id and the team of a webhook.
  const isOf = (webhook: string) => sql.literal(`webhook_id = ${webhook}.id and team_id = ${webhook}.team_id`)

  // When the first waiting attempt and the first waiting retry of a webhook are due. Each is the first entry of its index.
  const firstDue = (webhook: string) => sql`
    select first.at from (values (0), (1)) as kinds (retry) cross join lateral (
      select ${sql.literal(waitingSince)} as at from deliveries
      where ${isOf(webhook)} and ${isRetry} = retry and ${scheduled}
      order by next_attempt_at, id limit 1
    ) first`

  const countsOf = (since: Date) => sql`
    select coalesce(sum(first_attempts), 0)::int as attempted, coalesce(sum(delivered), 0)::int as delivered
    from webhook_attempts where webhook_id = w.id and team_id = w.team_id and hour > ${since}::timestamptz`

  /** What the health of these webhooks of a team is decided on, with what was counted since a moment. */
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
      cross join lateral (
        select min(at) as at from (
          ${firstDue("w")}
          union all
          select min(next_attempt_at) from deliveries where ${isOf("w")} and claimed
        ) waits where w.status = 'active' and at <= ${now}::timestamptz
      ) due
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

  /**
   * What became of the deliveries of these webhooks by the hour since a moment: attempted and delivered ones by counters, and those that no
   * attempt was made of by the index of deliveries that have not arrived, the latest `limit` of each webhook.
   */
  const byHour = Effect.fn("WebhookHealthRepo.byHour")(function* (
    teamId: string,
    ids: ReadonlyArray<string>,
    { limit, since }: { readonly since: Date; readonly limit: number }
  ) {
    return yield* orDie(sql<HourRow>`
      select hour, sum(attempted)::int as attempted, sum(delivered)::int as delivered, sum(waiting)::int as waiting from (
        select hour, first_attempts as attempted, delivered, 0 as waiting from webhook_attempts
        where team_id = ${teamId} and webhook_id = any(${ids}::uuid[]) and hour >= ${since}::timestamptz
        union all
        select date_trunc('hour', waits.created_at, 'UTC'), 0, 0, 1
        from webhooks w
        cross join lateral (
          select created_at from deliveries
          where ${isOf("w")} and status = 'pending' and status <> 'delivered' and attempt_count + replayed_attempts = 0
            and created_at >= ${since}::timestamptz
          order by created_at desc, id desc limit ${limit}
        ) waits
        where w.team_id = ${teamId} and w.id = any(${ids}::uuid[])
      ) counted
      group by hour`)
  })

  /** All active webhooks that were attempted since a moment, are failing, or were. */
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

  /** Writes whether a webhook of a team is failing. Returns false if that was written before. */
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

  /** Deletes the counters of hours before a moment. */
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

  const of = <A>(teamId: string | undefined, found: Effect.Effect<ReadonlyArray<A>>) =>
    teamId === undefined ? inEach(sql, found) : inTeam(teamId)(found)

  const isLive = (teamId: string | undefined) =>
    sql.and([sql`w.deleted_at is null`, ...(teamId === undefined ? [] : [sql`w.team_id = ${teamId}`])])

  /** All live webhooks, or those of one team. */
  const live = Effect.fn("WebhookHealthRepo.live")(function* (teamId: string | undefined, now: Date) {
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
      where ${isLive(teamId)}
      order by w.team_id, w.created_at, w.id`)
    return yield* of(teamId, found)
  })

  /** Counts of the attempted deliveries that were created after `since`, for webhooks, live or not, that have any. */
  const recentDeliveries = Effect.fn("WebhookHealthRepo.recentDeliveries")(function* (
    teamId: string | undefined,
    since: Date
  ) {
    const ofTeam =
      teamId === undefined
        ? sql``
        : sql`and d.team_id = ${teamId} and d.webhook_id in (select w.id from webhooks w where ${isLive(teamId)})`
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

  // The live webhooks that deliveries wait for. It skips from webhook to webhook in the index, which contains only those.
  const sending = sql`
    with_waiting as (
      (select webhook_id as id, team_id from deliveries where ${scheduled} order by webhook_id limit 1)
      union all
      select next.* from with_waiting cross join lateral (
        select webhook_id, team_id from deliveries where ${scheduled} and webhook_id > with_waiting.id
        order by webhook_id limit 1
      ) next
    ), sending as materialized (
      select w.id, w.team_id from with_waiting join webhooks w using (id, team_id)
      where w.status = 'active' and w.deleted_at is null
    )`

  /**
   * The live webhooks of all teams by state, and of each how many were found to be failing, and how many others have an attempt that is
   * due since before a moment. It costs a scan of the webhooks, and one index lookup for each with waiting deliveries.
   */
  const countByState = Effect.fn("WebhookHealthRepo.countByState")(function* (dueBefore: Date) {
    const found = orDie(sql<StateCount>`
      with recursive ${sending}, late as materialized (
        select sending.id from sending cross join lateral (${firstDue("sending")}) first where first.at < ${dueBefore}::timestamptz
        union
        select webhook_id from deliveries where claimed and next_attempt_at < ${dueBefore}::timestamptz
      )
      select w.status, count(*)::int as live, (count(*) filter (where f.is_failing))::int as failing,
        (count(*) filter (where f.is_failing is not true and w.id in (select id from late)))::int as late
      from webhooks w
      left join webhook_failures f on f.webhook_id = w.id and f.team_id = w.team_id
      where w.deleted_at is null
      group by w.status`)
    return yield* inEach(sql, found)
  })

  /**
   * The queue of all teams. It costs one index lookup for each webhook with waiting deliveries, and at most `limit` rows for each kind.
   */
  const queue = Effect.fn("WebhookHealthRepo.queue")(function* (now: Date, limit: number) {
    const found = orDie(sql<QueueDepth>`
      with recursive ${sending}
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

  return { ofWebhooks, byHour, watched, setFailing, purge, live, recentDeliveries, countByState, queue }
})

/** The health of webhooks. Ids are UUIDs. */
export class WebhookHealthRepo extends Context.Service<WebhookHealthRepo, Effect.Success<typeof make>>()(
  "webhooks/WebhookHealthRepo"
) {
  static readonly layer = Layer.effect(WebhookHealthRepo, make)
}
