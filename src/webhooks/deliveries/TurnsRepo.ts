/** The SQL of turns: which of the deliveries that wait are attempted now, and what was forgotten. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import { type Committed, restingCondition, type Room } from "./rules.ts"

/** A delivery whose turn has come. */
export interface Admitted {
  readonly id: string
  /** Of the attempt that follows. */
  readonly number: number
  /** Whether it was attempted before. */
  readonly again: boolean
  /** Whether its receiver answers slowly. */
  readonly slow: boolean
}

/** What was chosen in a team, and when it has to be chosen again though nothing else happens. */
export interface Choice {
  readonly admitted: ReadonlyArray<Admitted>
  /** When the first of those is due whose time has not come; null when there is none. */
  readonly nextDue: Date | null
  /** When the job `webhooks/due` of the team will be done, if there is one. */
  readonly promisedFor: Date | null
}

type ChosenRow = Omit<Choice, "admitted"> & (Admitted | { readonly [name in keyof Admitted]: null })

/** Whose turn it is. Ids are UUIDs. */
export class TurnsRepo extends Context.Service<TurnsRepo, {
  /**
   * Chooses what is attempted now of what waits in a team, as far as there is room: first attempts before others, the
   * oldest first. Holds back every other choice in the team until the transaction ends, so that none counts what this
   * one takes as free, and none misses what this one leaves.
   */
  readonly admit: (teamId: string, now: Date, room: Room) => Effect.Effect<Choice>
  /** Frees the room of deliveries that need none: of those that have ended, or are not due. Answers their teams. */
  readonly release: (now: Date) => Effect.Effect<ReadonlyArray<string>>
  /** Deliveries whose turn has come, and whose attempt no job makes; a job that was given up makes none. */
  readonly orphans: Effect.Effect<ReadonlyArray<Admitted>>
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

      const admit = Effect.fn("TurnsRepo.admit")(function*(teamId: string, now: Date, room: Room) {
        yield* orDie(sql`select pg_advisory_xact_lock(hashtextextended(${`deliveries ${teamId}`}, 0))`)
        // A statement of its own, so that it sees what the holder of the lock before has committed.
        const rows = yield* orDie(sql<ChosenRow>`
          with receivers as (
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
          select chosen.*, alarm.*
          from (
            select
              (
                select min(next_attempt_at) from receivers cross join lateral (
                  select next_attempt_at from deliveries
                  where webhook_id = receivers.id and not admitted
                    and least(attempt_count + replayed_attempts, 1) = 1 and next_attempt_at > ${now}
                  order by next_attempt_at limit 1
                ) as next
              ) as "nextDue",
              (
                select run_at from graphile_worker.jobs
                where key = ${`due:${teamId}`} and locked_at is null and attempts < max_attempts
              ) as "promisedFor"
          ) as alarm
          left join chosen on true`)
        const [first] = rows
        return {
          admitted: rows.flatMap(({ again, id, number, slow }) => id === null ? [] : [{ again, id, number, slow }]),
          nextDue: first?.nextDue ?? null,
          promisedFor: first?.promisedFor ?? null
        }
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

      const orphans = orDie(sql<Admitted>`
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
        limit 1000`).pipe(Effect.withSpan("TurnsRepo.orphans"))

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
        admit,
        release,
        orphans,
        forgottenFanOuts,
        forgottenResumes,
        teamsWithOverdue
      })
    })
  )
}
