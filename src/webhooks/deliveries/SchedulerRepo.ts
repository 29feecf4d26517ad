/** The SQL of the scheduler: claims and wake-ups. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { type ConcurrencyLimits, type DueDelivery, schedulerLock } from "./rules.ts"

/** Which worker claims deliveries, and how many it may prefetch. */
export interface ClaimRequest {
  /** The id of the worker's lease, under which the deliveries are claimed. */
  readonly claimedBy: string
  /** How many deliveries of a webhook the worker may claim in total, if no other worker has claims in the team. */
  readonly prefetchLimits: ReadonlyArray<{ readonly id: string; readonly limit: number }>
}

/** The deliveries that a worker has claimed in a team, and when the team must be scheduled again at the latest. */
export interface ClaimResult {
  /** In the order in which to attempt them. */
  readonly deliveries: ReadonlyArray<DueDelivery>
  /** When the next retry is due; null if there is none. */
  readonly nextDue: Date | null
  /** The time of the team's wake-up, possibly in the past; null if none is set. */
  readonly wakeUp: Date | null
}

// Every row has both times. A result without deliveries is one row with the times only.
type Row = Pick<ClaimResult, "nextDue" | "wakeUp"> & (DueDelivery | { readonly id: null })

// How many deliveries of a team one worker may claim.
const maxClaimedPerTeam = 1000

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Locks the scheduling of a team until the transaction ends, so that two transactions never fill the same free slot. */
  const lockTeam = Effect.fn("SchedulerRepo.lockTeam")(function* (teamId: string) {
    yield* orDie(sql`select pg_advisory_xact_lock(hashtextextended(${schedulerLock(teamId)}, 0))`)
  })

  /*
   * One statement, because it runs for every few deliveries. It reads each part once, by an index.
   *
   *   claims          the claimed deliveries of the team, and whether they are the caller's (index deliveries_claimed)
   *   other_workers   whether another worker has claims: then the caller may not prefetch
   *   endpoints       the team's active webhooks with their free slots: `capacity` in total, of which `guaranteed` are
   *                   available even when the team is at its limit
   *   candidates      the oldest due first attempts and the oldest due retries of each endpoint, at most `capacity` of
   *                   each (index deliveries_waiting), with their `queue_position` in the endpoint
   *   ranked          the candidates of all endpoints in the order in which they get the free slots of the team:
   *                   guaranteed ones, then first attempts before retries, then round-robin. Endpoints are compared by
   *                   the number of claims that each would have, so that a long queue does not precede a short one
   *   chosen          the guaranteed ones, and others up to the free slots of the team; locks their rows
   *   claimed         the same, marked as claimed
   *   due             the same, with the body, URL and secrets that an attempt needs
   *
   * Invariants: after the commit, an endpoint has at most `capacity` claims and the team at most `perTeam` beyond the
   * guaranteed ones, unless one worker has all claims. A delivery has at most one claim.
   *
   * Locks: the caller holds the team's lock (`lockTeam`), so the counts do not change until it commits. `chosen` skips rows
   * that another transaction has locked, such as a replay or a finished attempt; that transaction schedules the team next.
   */
  /**
   * Claims the deliveries of a locked team that a worker may attempt now, up to the limits: first attempts before retries,
   * endpoints round-robin, the oldest first. If no other worker has claims in the team, the worker may prefetch more than
   * the limits allow in flight; its `LocalQueue` enforces them.
   */
  const claim = Effect.fn("SchedulerRepo.claim")(function* (
    teamId: string,
    now: Date,
    limits: ConcurrencyLimits,
    { claimedBy, prefetchLimits }: ClaimRequest
  ) {
    const rows = yield* orDie(sql<Row>`
      with claims as materialized (
        select webhook_id, claimed_by is not distinct from ${claimedBy}::text as own from deliveries
        where team_id = ${teamId} and claimed
      ), other_workers as materialized (
        select exists (select from claims where not own) as present
      ), endpoints as materialized (
        select id, slow, claimed,
          greatest(0, ${limits.guaranteed}::int - claimed) as guaranteed, greatest(0, max_claimed - claimed) as capacity
        from (
          select w.id, w.slow, (select count(*) from claims where webhook_id = w.id) as claimed,
            case
              when w.slow then ${limits.guaranteed}::int
              when other_workers.present then ${limits.perEndpoint}::int
              else coalesce(prefetch."limit", ${limits.perEndpoint}::int)
            end as max_claimed
          from webhooks w
          cross join other_workers
          left join jsonb_to_recordset(${sql.json(prefetchLimits)}::jsonb) as prefetch (id uuid, "limit" int)
            on prefetch.id = w.id
          where w.team_id = ${teamId} and w.status = 'active' and w.deleted_at is null
        ) as active
      ), candidates as (
        select next.id, next.next_attempt_at, kinds.retry, endpoints.slow, endpoints.claimed, endpoints.guaranteed,
          endpoints.capacity,
          row_number() over (partition by endpoints.id order by kinds.retry, next.next_attempt_at, next.id) as queue_position
        from endpoints
        -- A first attempt is due at once, a retry at its time.
        cross join (values (0, 'infinity'), (1, ${now}::timestamptz)) as kinds (retry, until)
        cross join lateral (
          select id, next_attempt_at from deliveries
          where team_id = ${teamId} and webhook_id = endpoints.id and not claimed
            and least(attempt_count + replayed_attempts, 1) = kinds.retry and next_attempt_at <= kinds.until
          order by next_attempt_at, id limit endpoints.capacity
        ) as next
      ), ranked as (
        select id, slow, retry, queue_position <= guaranteed as is_guaranteed,
          row_number() over (
            order by queue_position > guaranteed, retry, claimed + queue_position, next_attempt_at, id
          ) as rank
        from candidates where queue_position <= capacity
      ), chosen as (
        select d.id, ranked.slow, ranked.retry from ranked join deliveries d on d.id = ranked.id and d.team_id = ${teamId}
        where is_guaranteed or rank <= (
          select case when present then ${limits.perTeam}::int else ${maxClaimedPerTeam}::int end from other_workers
        ) - (select count(*) from claims)
        for update of d skip locked
      ), claimed as (
        update deliveries set claimed = true, claimed_by = ${claimedBy}::text
        from chosen
        -- "claimed is not true" keeps Postgres from using deliveries_waiting here. With statistics from a time when little
        -- waited, it would scan that whole index for the chosen rows.
        where deliveries.id = chosen.id and team_id = ${teamId} and claimed is not true and next_attempt_at is not null
        returning deliveries.id, deliveries.team_id, deliveries.webhook_id, deliveries.event_id, status, attempt_count,
          replayed_attempts, next_attempt_at, chosen.slow, chosen.retry
      ), due as (
        select c.*, e.occurred_at, e.message_id, e.type, e.body, w.url, w.secret_sealed, w.previous_secrets
        from claimed c
        cross join lateral (select * from events where id = c.event_id and team_id = ${teamId}) e
        cross join lateral (select * from webhooks where id = c.webhook_id and team_id = ${teamId}) w
      )
      select due.id, due.team_id as "teamId", due.webhook_id as "webhookId", due.status,
        due.attempt_count as "attemptCount", due.replayed_attempts as "replayedAttempts",
        due.occurred_at as "occurredAt", due.message_id as "messageId", due.type as "eventType", due.body, due.url,
        due.secret_sealed as "secretSealed", due.previous_secrets as "previousSecrets", due.slow,
        times."nextDue", times."wakeUp"
      from (
        select
          (
            select min(next_attempt_at) from endpoints cross join lateral (
              select next_attempt_at from deliveries
              where team_id = ${teamId} and webhook_id = endpoints.id and not claimed
                and least(attempt_count + replayed_attempts, 1) = 1 and next_attempt_at > ${now}
              order by next_attempt_at limit 1
            ) as next
          ) as "nextDue",
          (select at from delivery_wake_ups where team_id = ${teamId}) as "wakeUp"
      ) as times
      left join due on true
      order by due.retry, due.next_attempt_at, due.id`)
    const [first] = rows
    return {
      deliveries: rows.flatMap((row) => (row.id === null ? [] : [row])),
      nextDue: first?.nextDue ?? null,
      wakeUp: first?.wakeUp ?? null
    }
  })

  /** Ends claims of a worker whose deliveries, of a team, it has not attempted. */
  const release = Effect.fn("SchedulerRepo.release")(function* (
    teamId: string,
    claimedBy: string,
    ids: ReadonlyArray<string>
  ) {
    yield* orDie(sql`
      update deliveries set claimed = false, claimed_by = null
      where team_id = ${teamId} and id = any(${ids}::uuid[]) and claimed and claimed_by = ${claimedBy}`)
  })

  /** Sets the wake-up of a team that is locked; null removes it. */
  const setWakeUp = Effect.fn("SchedulerRepo.setWakeUp")(function* (teamId: string, at: Date | null) {
    yield* orDie(
      at === null
        ? sql`delete from delivery_wake_ups where team_id = ${teamId}`
        : sql`
      insert into delivery_wake_ups (team_id, at) values (${teamId}, ${at})
      on conflict (team_id) do update set at = excluded.at`
    )
  })

  return { lockTeam, claim, release, setWakeUp }
})

/** Claims, and wake-ups of teams. Ids are UUIDs. */
export class SchedulerRepo extends Context.Service<SchedulerRepo, Effect.Success<typeof make>>()(
  "webhooks/deliveries/SchedulerRepo"
) {
  static readonly layer = Layer.effect(SchedulerRepo, make)
}
