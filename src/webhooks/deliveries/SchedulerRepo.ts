/** The SQL of the scheduler: claims, and their release; wake-ups. */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as Id from "../../core/Id.ts"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { averageTeamId } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { type ConcurrencyLimits, type DueDelivery, schedulerLock } from "./rules.ts"
import { inEach } from "../../platform/db/Cells.ts"

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

/** A delivery that a worker has claimed. */
export interface Claim {
  readonly id: string
  readonly teamId: string
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

  /**
   * Claims the deliveries of a locked team that a worker may attempt now, up to the limits: first attempts before retries,
   * webhooks round-robin, the oldest first. If no other worker has claims in the team, the worker may prefetch more than
   * the limits allow in flight; its `LocalQueue` enforces them.
   *
   * One statement, because it runs for every few deliveries. It reads each part once, by an index.
   *
   *   claims          the claimed deliveries of the team, and whether they are the caller's (index deliveries_claimed)
   *   other_workers   whether another worker has claims: then the caller may not prefetch
   *   active_webhooks the team's active webhooks with their free slots: `capacity` in total, of which `guaranteed` are
   *                   available even when the team is at its limit
   *   candidates      the oldest due first attempts and the oldest due retries of each webhook, at most `capacity` of
   *                   each (index deliveries_waiting), with their `queue_position` in the webhook
   *   ranked          the candidates of all webhooks in the order in which they get the free slots of the team:
   *                   guaranteed ones, then first attempts before retries, then round-robin. Webhooks are compared by
   *                   the number of claims that each would have, so that a long queue does not precede a short one
   *   chosen          the guaranteed ones, and others up to the free slots of the team; locks their rows
   *   claimed         the same, marked as claimed
   *   due             the same, with the body, URL and secrets that an attempt needs
   *
   * Invariants: after the commit, a webhook has at most `capacity` claims and the team at most `perTeam` beyond the
   * guaranteed ones, unless one worker has all claims. A delivery has at most one claim.
   *
   * Locks: the caller holds the team's lock (`lockTeam`), so the counts do not change until it commits. `chosen` skips rows
   * that another transaction has locked, such as a replay or a finished attempt; that transaction schedules the team next.
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
      ), active_webhooks as materialized (
        select id, slow, claimed,
          greatest(0, ${limits.guaranteed}::int - claimed) as guaranteed, greatest(0, max_claimed - claimed) as capacity
        from (
          select w.id, w.slow, (select count(*) from claims where webhook_id = w.id) as claimed,
            case
              when w.slow then ${limits.guaranteed}::int
              when other_workers.present then ${limits.perWebhook}::int
              else coalesce(prefetch."limit", ${limits.perWebhook}::int)
            end as max_claimed
          from webhooks w
          cross join other_workers
          left join jsonb_to_recordset(${sql.json(prefetchLimits)}::jsonb) as prefetch (id uuid, "limit" int)
            on prefetch.id = w.id
          where w.team_id = ${teamId} and w.status = 'active' and w.deleted_at is null
        ) as active
      ), candidates as (
        select next.id, next.next_attempt_at, kinds.retry, active_webhooks.slow, active_webhooks.claimed, active_webhooks.guaranteed,
          active_webhooks.capacity,
          row_number() over (partition by active_webhooks.id order by kinds.retry, next.next_attempt_at, next.id) as queue_position
        from active_webhooks
        -- A first attempt is due at once, a retry at its time.
        cross join (values (0, 'infinity'), (1, ${now}::timestamptz)) as kinds (retry, until)
        cross join lateral (
          select id, next_attempt_at from deliveries
          where team_id = ${teamId} and webhook_id = active_webhooks.id and not claimed
            and least(attempt_count + replayed_attempts, 1) = kinds.retry and next_attempt_at <= kinds.until
          order by next_attempt_at, id limit active_webhooks.capacity
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
        cross join lateral (select * from events where id = c.event_id and team_id = ${averageTeamId(sql, teamId)}) e
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
            select min(next_attempt_at) from active_webhooks cross join lateral (
              select next_attempt_at from deliveries
              where team_id = ${teamId} and webhook_id = active_webhooks.id and not claimed
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

  /** The teams in which a release, made team by team, changed a delivery. One that fails is logged, and stops no other. */
  const teamsWhere = Effect.fnUntraced(function* (
    teams: ReadonlyArray<string>,
    release: (teamId: string) => Effect.Effect<ReadonlyArray<unknown>>
  ) {
    const released: Array<string> = []
    for (const teamId of teams) {
      const exit = yield* Effect.exit(release(teamId))
      if (Exit.isSuccess(exit)) {
        if (exit.value.length > 0) released.push(teamId)
        continue
      }
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
      const team = Id.fromUuid("team", teamId)
      yield* Effect.annotateLogs(Effect.logError("The claims of a team were not released.", exit.cause), { team })
    }
    return released
  })

  // Each transaction takes the lock of each dead lease, so that a worker that reconnects under the lease waits for it. The statement
  // reads no table: with Citus, those of teams are on other servers than the locks of workers.
  const deadOf = (leases: Iterable<string>, lockSeed: number) => sql<{ id: string }>`
    select id from unnest(${[...new Set(leases)]}::text[]) as lease (id)
    where pg_try_advisory_xact_lock(hashtextextended(id, ${lockSeed}::bigint))`

  /**
   * Releases the claims of dead workers: those under leases whose advisory lock nobody holds. `lockSeed` is part of the key
   * of that lock. Returns the affected teams.
   */
  const releaseFromDeadWorkers = Effect.fn("SchedulerRepo.releaseFromDeadWorkers")(function* (
    ownLease: string,
    lockSeed: number
  ) {
    const claims = yield* orDie(sql<{ team_id: string; lease: string }>`
      select distinct team_id, claimed_by as lease from deliveries
      where claimed and claimed_by like 'pool-%' and claimed_by <> ${ownLease}`)
    if (claims.length === 0) return []
    const leases = claims.map(({ lease }) => lease)
    const dead = (yield* orDie(deadOf(leases, lockSeed))).map(({ id }) => id)
    const teams = new Set(claims.filter(({ lease }) => dead.includes(lease)).map(({ team_id }) => team_id))
    return yield* teamsWhere([...teams], (teamId) =>
      Effect.gen(function* () {
        const stillDead = (yield* deadOf(dead, lockSeed)).map(({ id }) => id)
        return yield* sql`
          update deliveries set claimed = false, claimed_by = null
          where team_id = ${teamId} and claimed and claimed_by = any(${stillDead}::text[])
          returning id`
      }).pipe(Transaction.run, Effect.provideService(Database, sql))
    )
  })

  /** The claims under a lease, in all cells. */
  const claimsOf = Effect.fn("SchedulerRepo.claimsOf")((lease: string) =>
    inEach(
      sql,
      orDie(sql<Claim>`select id, team_id as "teamId" from deliveries where claimed and claimed_by = ${lease}`)
    )
  )

  /** Releases the claims of deliveries that have ended or are not due. Returns the affected teams. */
  const releaseNotDue = Effect.fn("SchedulerRepo.releaseNotDue")(function* (now: Date) {
    const until = new Date(now.getTime() + 60_000)
    const isUnneeded = sql`
      claimed and (status not in ('pending', 'failed') or next_attempt_at is null or next_attempt_at > ${until})`
    const teams = yield* orDie(sql<{ team_id: string }>`select distinct team_id from deliveries where ${isUnneeded}`)
    return yield* teamsWhere(
      teams.map(({ team_id }) => team_id),
      (teamId) =>
        orDie(sql`
          update deliveries set claimed = false, claimed_by = null where team_id = ${teamId} and ${isUnneeded}
          returning id`)
    )
  })

  return { lockTeam, claim, setWakeUp, release, claimsOf, releaseFromDeadWorkers, releaseNotDue }
})

/** Claims, and wake-ups of teams. What names no team is of the current cell, where there are cells. Ids are UUIDs. */
export class SchedulerRepo extends Context.Service<SchedulerRepo, Effect.Success<typeof make>>()(
  "webhooks/deliveries/SchedulerRepo"
) {
  static readonly layer = Layer.effect(SchedulerRepo, make)
}
