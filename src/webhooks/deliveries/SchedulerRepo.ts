/** The SQL of turns: which of the deliveries that wait are attempted now, and by which worker. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import { type DueDelivery, type Room, turnsLock } from "./rules.ts"

/** Who takes deliveries, and how many it may. */
export interface Taker {
  /** The id under which they are held. */
  readonly holder: string
  /** For webhooks of which more than their room may be held, while no other holds anything of the team: how many. */
  readonly stocks: ReadonlyArray<{ readonly id: string; readonly most: number }>
}

/** What was taken in a team, and when it has to be looked at again though nothing else happens. */
export interface Taken {
  /** In the order in which they are to be attempted. */
  readonly deliveries: ReadonlyArray<DueDelivery>
  /** When the first of those is due whose time has not come; null when there is none. */
  readonly nextDue: Date | null
  /** When the team's alarm rings, or rang; null when none is set. */
  readonly alarm: Date | null
}

type Row = Pick<Taken, "nextDue" | "alarm"> & (DueDelivery | { readonly id: null })

// How many deliveries of a team one process may hold.
const maxPerTeam = 1000

/** Whose turn it is. Ids are UUIDs. */
export class TurnsRepo extends Context.Service<
  TurnsRepo,
  {
    /**
     * Holds back every other choice in a team until the transaction ends, so that none counts what this one takes as free,
     * and none misses what this one leaves.
     */
    readonly hold: (teamId: string) => Effect.Effect<void>
    /**
     * Takes what is attempted now of what waits in a team that is held, as far as there is room: first attempts before
     * others, endpoints in turn, the oldest first. Who alone holds something of the team may hold more than there is room
     * for, and sees to it that no more is in flight.
     */
    readonly take: (teamId: string, now: Date, room: Room, taker: Taker) => Effect.Effect<Taken>
    /** Gives back what a holder has not attempted. */
    readonly giveBack: (holder: string, ids: ReadonlyArray<string>) => Effect.Effect<void>
    /** Notes when the alarm rings of a team that is held, if it does. */
    readonly setAlarm: (teamId: string, at: Date | null) => Effect.Effect<void>
  }
>()("webhooks/deliveries/TurnsRepo") {
  static readonly layer = Layer.effect(
    TurnsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const hold = Effect.fn("TurnsRepo.hold")(function* (teamId: string) {
        yield* orDie(sql`select pg_advisory_xact_lock(hashtextextended(${turnsLock(teamId)}, 0))`)
      })

      const take = Effect.fn("TurnsRepo.take")(function* (teamId: string, now: Date, room: Room, taker: Taker) {
        const rows = yield* orDie(sql<Row>`
          with held as materialized (
            select webhook_id, held_by is not distinct from ${taker.holder}::text as mine from deliveries
            where team_id = ${teamId} and admitted
          ), others as materialized (
            select exists (select from held where not mine) as hold
          ), receivers as materialized (
            select id, slow, admitted,
              greatest(0, ${room.least}::int - admitted) as assured, greatest(0, most - admitted) as room
            from (
              select w.id, w.slow, (select count(*) from held where webhook_id = w.id) as admitted,
                case
                  when w.slow then ${room.least}::int
                  when others.hold then ${room.endpoint}::int
                  else coalesce(stocks.most, ${room.endpoint}::int)
                end as most
              from webhooks w
              cross join others
              left join jsonb_to_recordset(${sql.json(taker.stocks)}::jsonb) as stocks (id uuid, most int) on stocks.id = w.id
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
            select id, slow, again, place <= assured as is_assured,
              row_number() over (order by place > assured, again, admitted + place, next_attempt_at, id) as rank
            from candidates where place <= room
          ), chosen as (
            -- What somebody else holds at this moment is seen to by them.
            select d.id, ranked.slow, ranked.again from ranked join deliveries d on d.id = ranked.id
            where is_assured or rank <= (
              select case when hold then ${room.team}::int else ${maxPerTeam}::int end from others
            ) - (select count(*) from held)
            for update of d skip locked
          ), taken as (
            update deliveries set admitted = true, held_by = ${taker.holder}::text
            from chosen
            -- Not in the words of deliveries_waiting, or all that waits would be looked through for those that were chosen,
            -- whenever the statistics are of a time when little did.
            where deliveries.id = chosen.id and admitted is not true and next_attempt_at is not null
            returning deliveries.id, deliveries.team_id, deliveries.webhook_id, deliveries.event_id, status, attempt_count,
              replayed_attempts, next_attempt_at, chosen.slow, chosen.again
          ), due as (
            select t.*, e.occurred_at, e.message_id, e.type, e.body, w.url, w.secret_sealed, w.previous_secrets
            from taken t
            cross join lateral (select * from events where id = t.event_id) e
            cross join lateral (select * from webhooks where id = t.webhook_id) w
          )
          select due.id, due.team_id as "teamId", due.webhook_id as "webhookId", due.status,
            due.attempt_count as "attemptCount", due.replayed_attempts as "replayedAttempts",
            due.occurred_at as "occurredAt", due.message_id as "messageId", due.type as "eventType", due.body, due.url,
            due.secret_sealed as "secretSealed", due.previous_secrets as "previousSecrets", due.slow,
            always."nextDue", always.alarm
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
              (select at from delivery_alarms where team_id = ${teamId}) as alarm
          ) as always
          left join due on true
          order by due.again, due.next_attempt_at, due.id`)
        const [first] = rows
        return {
          deliveries: rows.flatMap((row) => (row.id === null ? [] : [row])),
          nextDue: first?.nextDue ?? null,
          alarm: first?.alarm ?? null
        }
      })

      const giveBack = Effect.fn("TurnsRepo.giveBack")(function* (holder: string, ids: ReadonlyArray<string>) {
        yield* orDie(sql`
          update deliveries set admitted = false, held_by = null
          where id = any(${ids}::uuid[]) and admitted and held_by = ${holder}`)
      })

      const setAlarm = Effect.fn("TurnsRepo.setAlarm")(function* (teamId: string, at: Date | null) {
        yield* orDie(
          at === null
            ? sql`delete from delivery_alarms where team_id = ${teamId}`
            : sql`
          insert into delivery_alarms (team_id, at) values (${teamId}, ${at})
          on conflict (team_id) do update set at = excluded.at`
        )
      })

      return TurnsRepo.of({ hold, take, giveBack, setAlarm })
    })
  )
}
