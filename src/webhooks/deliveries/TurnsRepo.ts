/** The SQL of turns: which of the deliveries that wait are attempted now, and what was forgotten. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import { slow } from "../../jobs/Job.ts"
import { attempt } from "./jobs.ts"
import { type Committed, restingCondition, type Room, turnsLock } from "./rules.ts"

/** What was chosen in a team, and when it has to be chosen again though nothing else happens. */
export interface Choice {
  /** How many attempts jobs are to make now. */
  readonly admitted: number
  /** When the first of those is due whose time has not come; null when there is none. */
  readonly nextDue: Date | null
  /** When the team's alarm rings, or rang; null when none is set. */
  readonly alarm: Date | null
}

/** Whose turn it is. Ids are UUIDs. */
export class TurnsRepo extends Context.Service<TurnsRepo, {
  /**
   * Holds back every other choice in a team until the transaction ends, so that none counts what this one takes as free,
   * and none misses what this one leaves.
   */
  readonly hold: (teamId: string) => Effect.Effect<void>
  /**
   * Chooses what is attempted now of what waits in a team that is held, as far as there is room, and enqueues its jobs,
   * due at `runAt` (null: now, by the database's clock): first attempts before others, endpoints in turn, the oldest
   * first.
   */
  readonly admit: (teamId: string, now: Date, room: Room, runAt: Date | null) => Effect.Effect<Choice>
  /** Notes when the alarm rings of a team that is held, if it does. */
  readonly setAlarm: (teamId: string, at: Date | null) => Effect.Effect<void>
  /** Frees the room of deliveries that need none: of those that have ended, or are not due. Answers their teams. */
  readonly release: (now: Date) => Effect.Effect<ReadonlyArray<string>>
  /**
   * Enqueues jobs for deliveries whose turn has come, and whose attempt no job makes: one that was given up makes none.
   * Answers how many.
   */
  readonly revive: (runAt: Date | null) => Effect.Effect<number>
  /** Some of the transactions of before `until` whose events are still to be fanned out, the oldest first. */
  readonly forgottenFanOuts: (
    until: Date
  ) => Effect.Effect<ReadonlyArray<Committed & { readonly teamId: string }>>
  /** Webhooks that send since before `until`, and of which something rests all the same. */
  readonly forgottenResumes: (until: Date) => Effect.Effect<ReadonlyArray<string>>
  /** Teams in which something is due since before `until`, though its webhook sends. */
  readonly teamsWithOverdue: (until: Date) => Effect.Effect<ReadonlyArray<string>>
}>()("webhooks/deliveries/TurnsRepo") {
  static readonly layer = Layer.effect(
    TurnsRepo,
    Effect.gen(function*() {
      const sql = yield* Database
      const resting = sql.literal(restingCondition)

      // The jobs of attempts. First attempts go before others, and slow receivers last, among those whose turn has come
      // too. A key for each: however often it is asked for, it waits once.
      const attempts = (chosen: string, runAt: Date | null) => sql`
        select count(*)::int from graphile_worker.add_jobs(array(
          select row(
            ${attempt.name}::text, json_build_object('deliveryId', id, 'number', number), null, ${runAt}::timestamptz, null,
            'attempt:' || id || ':' || number, case when slow then 2 when again then 1 else 0 end,
            case when slow then array[${slow}] end
          )::graphile_worker.job_spec
          from ${sql.literal(chosen)}
        ))`

      const hold = Effect.fn("TurnsRepo.hold")(function*(teamId: string) {
        yield* orDie(sql`select pg_advisory_xact_lock(hashtextextended(${turnsLock(teamId)}, 0))`)
      })

      const admit = Effect.fn("TurnsRepo.admit")(function*(teamId: string, now: Date, room: Room, runAt: Date | null) {
        const [choice] = yield* orDie(sql<Choice>`
          with receivers as materialized (
            select id, slow, admitted,
              greatest(0, ${room.least}::int - admitted) as assured,
              greatest(0, case when slow then ${room.least}::int else ${room.endpoint}::int end - admitted) as room
            from (
              select w.id, w.slow, (
                select count(*) from deliveries where team_id = ${teamId} and webhook_id = w.id and admitted
              ) as admitted
              from webhooks w
              where w.team_id = ${teamId} and w.status = 'active' and w.deleted_at is null
            ) as active
          ), candidates as (
            select next.id, next.next_attempt_at, tried.again, receivers.slow, receivers.admitted, receivers.assured,
              receivers.room,
              row_number() over (partition by receivers.id order by tried.again, next.next_attempt_at, next.id) as place
            from receivers
            -- A first attempt is due when it is there, another at its time.
            cross join (values (0, 'infinity'), (1, ${now}::timestamptz)) as tried (again, until)
            cross join lateral (
              select id, next_attempt_at from deliveries
              where webhook_id = receivers.id and not admitted
                and least(attempt_count + replayed_attempts, 1) = tried.again and next_attempt_at <= tried.until
              order by next_attempt_at, id limit receivers.room
            ) as next
          ), ranked as (
            -- In turn: an endpoint with a long queue does not go before one with a short one.
            select id, slow, place <= assured as is_assured,
              row_number() over (order by place > assured, again, admitted + place, next_attempt_at, id) as rank
            from candidates where place <= room
          ), taken as (
            -- What somebody else holds at this moment is seen to by them.
            select d.id, ranked.slow from ranked join deliveries d on d.id = ranked.id
            where is_assured or rank <= ${room.team}::int - (
              select count(*) from deliveries where team_id = ${teamId} and admitted
            )
            for update of d skip locked
          ), chosen as (
            update deliveries set admitted = true
            from taken
            where deliveries.id = taken.id and not admitted and next_attempt_at is not null
            returning deliveries.id, attempt_count + replayed_attempts + 1 as number,
              attempt_count + replayed_attempts > 0 as again, taken.slow
          )
          select
            (${attempts("chosen", runAt)}) as admitted,
            (
              select min(next_attempt_at) from receivers cross join lateral (
                select next_attempt_at from deliveries
                where webhook_id = receivers.id and not admitted
                  and least(attempt_count + replayed_attempts, 1) = 1 and next_attempt_at > ${now}
                order by next_attempt_at limit 1
              ) as next
            ) as "nextDue",
            (select at from delivery_alarms where team_id = ${teamId}) as alarm`)
        return choice ?? { admitted: 0, nextDue: null, alarm: null }
      })

      const setAlarm = Effect.fn("TurnsRepo.setAlarm")(function*(teamId: string, at: Date | null) {
        yield* orDie(at === null ? sql`delete from delivery_alarms where team_id = ${teamId}` : sql`
          insert into delivery_alarms (team_id, at) values (${teamId}, ${at})
          on conflict (team_id) do update set at = excluded.at`)
      })

      const release = Effect.fn("TurnsRepo.release")(function*(now: Date) {
        const rows = yield* orDie(sql<{ team_id: string }>`
          update deliveries set admitted = false
          where admitted and (
            status not in ('pending', 'failed') or next_attempt_at is null
            or next_attempt_at > ${now}::timestamptz + interval '1 minute'
          )
          returning team_id`)
        return rows.map((row) => row.team_id)
      })

      const revive = Effect.fn("TurnsRepo.revive")(function*(runAt: Date | null) {
        const [row] = yield* orDie(sql<{ count: number }>`
          with orphans as (
            select d.id, d.attempt_count + d.replayed_attempts + 1 as number,
              d.attempt_count + d.replayed_attempts > 0 as again, w.slow
            from deliveries d
            join webhooks w on w.id = d.webhook_id
            where d.admitted and not exists (
              select from graphile_worker.jobs
              where key = 'attempt:' || d.id || ':' || (d.attempt_count + d.replayed_attempts + 1)
                and (attempts < max_attempts or locked_at is not null)
            )
            order by d.next_attempt_at
            limit 1000
          )
          select (${attempts("orphans", runAt)}) as count`)
        return row?.count ?? 0
      })

      const forgottenFanOuts = Effect.fn("TurnsRepo.forgottenFanOuts")(function*(until: Date) {
        return yield* orDie(sql<Committed & { readonly teamId: string }>`
          select team_id as "teamId", transaction_id::text as "transactionId",
            to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
          from fan_outs where at < ${until} order by at limit 1000`)
      })

      const forgottenResumes = Effect.fn("TurnsRepo.forgottenResumes")(function*(until: Date) {
        const rows = yield* orDie(sql<{ id: string }>`
          select w.id
          from webhooks w
          cross join lateral (
            select from deliveries where webhook_id = w.id and created_at < ${until} and ${resting} limit 1
          ) as rests
          where w.status = 'active' and w.deleted_at is null and (w.activated_at is null or w.activated_at < ${until})`)
        return rows.map((row) => row.id)
      })

      const teamsWithOverdue = Effect.fn("TurnsRepo.teamsWithOverdue")(function*(until: Date) {
        const rows = yield* orDie(sql<{ team_id: string }>`
          select distinct w.team_id
          from webhooks w
          cross join (values (0), (1)) as tried (again)
          cross join lateral (
            select from deliveries
            where webhook_id = w.id and not admitted and next_attempt_at < ${until}
              and least(attempt_count + replayed_attempts, 1) = tried.again
            limit 1
          ) as overdue
          where w.status = 'active' and w.deleted_at is null`)
        return rows.map((row) => row.team_id)
      })

      return TurnsRepo.of({
        hold,
        admit,
        setAlarm,
        release,
        revive,
        forgottenFanOuts,
        forgottenResumes,
        teamsWithOverdue
      })
    })
  )
}
