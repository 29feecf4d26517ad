/**
 * The journal's table: numbers of events.
 *
 * Writers know nothing of it. Numbers are given when somebody reads, to what is settled: nothing can come to stand
 * before it any more, so no reader ever sees a number appear below one that they have seen.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import * as Transaction from "../db/Transaction.ts"
import { settled } from "../changes/Delta.ts"
import type { EventType } from "../changes/Event.ts"
import { maxScanned, type Standing, unread } from "./rules.ts"

/** What part of a journal is wanted. */
export interface Wanted {
  /** The number after which it begins; else with the oldest that is kept. */
  readonly after: number | undefined
  /** All when left out. */
  readonly types: ReadonlyArray<EventType> | undefined
  readonly limit: number
}

/** A numbered event: its payload is text. */
export interface Numbered {
  readonly seq: number
  readonly body: string
}

/** What was found of it, and how far the journal had come at that moment. */
export interface Found {
  readonly after: number
  readonly standing: Standing
  readonly rows: ReadonlyArray<Numbered>
}

/** The place of an event in the order of events: its time, its transaction and its own count, as text. */
export interface JournalPosition {
  readonly at: Date
  readonly transactionId: string
  readonly count: string
}

/** An event as it was stored. */
export interface StoredEvent extends JournalPosition {
  readonly messageId: string
  readonly eventType: EventType
  readonly body: string
}

interface FoundRow {
  readonly last_seq: bigint
  readonly purged_seq: bigint
  readonly after: bigint
  readonly waiting: boolean
  readonly seq: bigint | null
  readonly body: string | null
}

// As many as a transaction writes in a moment: other readers of the team wait for it.
const numberedAtOnce = 2000

/** The journals of teams. Ids are UUIDs. */
export class EntriesRepo extends Context.Service<
  EntriesRepo,
  {
    readonly read: (teamId: string, wanted: Wanted) => Effect.Effect<Found>
    /** Gives numbers to events that can have them, some thousand at the most. Whoever else reads meanwhile waits. */
    readonly number: (teamId: string) => Effect.Effect<void>
    /** Events after a place in their order, whether they have a number yet or not. */
    readonly events: (
      teamId: string,
      after: JournalPosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredEvent>>
    /**
     * Removes events of before `until` that no delivery is of, with their numbers, at most `limit`; answers how many it
     * looked at: when fewer, there is nothing else.
     */
    readonly purge: (until: Date, limit: number) => Effect.Effect<number>
  }
>()("journal/EntriesRepo") {
  static readonly layer = Layer.effect(
    EntriesRepo,
    Effect.gen(function* () {
      const sql = yield* Database
      const columns = sql`
        e.id, e.occurred_at, e.transaction_id, e.seq, ${settled(sql, undefined)} as settled`

      // The events of the journal `j` that have no number yet, in two parts, each at most `limit`. In the second are
      // those of the very time of the last number that its transaction's id would hide: there are some when the database
      // was restored, and counts its transactions anew, on a server whose clock is behind.
      const unnumbered = (limit: number) => sql`
        (
          select ${columns} from events e
          where e.team_id = j.team_id
            and (e.occurred_at, e.transaction_id, e.seq) > (j.at, j.transaction_id, j.event_seq)
          order by e.occurred_at, e.transaction_id, e.seq
          limit ${limit}::int
        ) union all (
          select ${columns} from events e
          where e.team_id = j.team_id and e.occurred_at = j.at and e.transaction_id < j.transaction_id
            and not exists (select from journal n where n.event_id = e.id)
          order by e.occurred_at, e.transaction_id, e.seq
          limit ${limit}::int
        )`

      // `offset 0`: whether something waits is asked once, not for each row of the page.
      const read = Effect.fn("EntriesRepo.read")(function* (teamId: string, { after, limit, types }: Wanted) {
        const ofTypes = types === undefined ? sql`` : sql`and e.type = any(${types}::text[])`
        const found = yield* orDie(sql<FoundRow>`
          select standing.*, page.seq, page.body
          from (
            select j.last_seq, j.purged_seq, coalesce(${after ?? null}::bigint, j.purged_seq) as after, coalesce((
              select first.settled from (${unnumbered(1)}) as first
              order by first.occurred_at, first.transaction_id, first.seq
              limit 1
            ), false) as waiting
            from journals j
            where j.team_id = ${teamId}
            offset 0
          ) as standing
          left join lateral (
            select n.seq, e.body
            from journal n
            join events e on e.id = n.event_id
            where n.team_id = ${teamId} and n.seq > standing.after and n.seq <= standing.after + ${maxScanned}::bigint
              and e.team_id = ${teamId} ${ofTypes}
            order by n.seq
            limit ${limit}::int
          ) as page on true
          order by page.seq`)
        const [first] = found
        if (first === undefined) return { after: after ?? 0, standing: unread, rows: [] }
        return {
          after: Number(first.after),
          standing: {
            lastSeq: Number(first.last_seq),
            purgedSeq: Number(first.purged_seq),
            waiting: first.waiting
          },
          rows: found.flatMap(({ body, seq }) => (seq === null || body === null ? [] : [{ seq: Number(seq), body }]))
        }
      })

      // The team's row is locked by a statement of its own: the next one sees what others have numbered until then.
      const number = Effect.fn("EntriesRepo.number")(function* (teamId: string) {
        yield* Effect.gen(function* () {
          yield* sql`
            insert into journals (team_id) values (${teamId})
            on conflict (team_id) do update set team_id = excluded.team_id`
          yield* sql`
            with waiting as (
              select w.id, w.occurred_at, w.transaction_id, w.seq, row_number() over line as place,
                bool_and(w.settled) over line as ready
              from journals j
              cross join lateral (${unnumbered(numberedAtOnce)}) as w
              where j.team_id = ${teamId}
              window line as (order by w.occurred_at, w.transaction_id, w.seq)
            ), numbered as (
              insert into journal (team_id, seq, event_id)
              select j.team_id, j.last_seq + w.place, w.id
              from journals j, waiting w
              where j.team_id = ${teamId} and w.ready
              returning seq
            ), last as (
              select at, transaction_id, event_seq from journals where team_id = ${teamId}
              union all
              select occurred_at, transaction_id, seq from waiting where ready
              order by at desc, transaction_id desc, event_seq desc
              limit 1
            )
            update journals j
            set last_seq = numbered.last_seq, at = last.at, transaction_id = last.transaction_id,
              event_seq = last.event_seq
            from last, (select max(seq) as last_seq from numbered) as numbered
            where j.team_id = ${teamId} and numbered.last_seq is not null`
        }).pipe(Transaction.run, Effect.provideService(Database, sql))
      })

      const events = Effect.fn("EntriesRepo.events")(function* (teamId: string, after: JournalPosition, limit: number) {
        return yield* orDie(sql<StoredEvent>`
          select message_id as "messageId", type as "eventType", body, occurred_at as at,
            transaction_id::text as "transactionId", seq::text as count
          from events
          where team_id = ${teamId}
            and (occurred_at, transaction_id, seq)
              > (${after.at}::timestamptz, ${after.transactionId}::xid8, ${after.count}::bigint)
          order by occurred_at, transaction_id, seq
          limit ${limit}`)
      })

      // Locked, the events get no delivery any more, and the journals no number. An event that goes without a number
      // takes one with it: a reader who has come up to there must learn that something is missing.
      const purge = Effect.fn("EntriesRepo.purge")(function* (until: Date, limit: number) {
        return yield* Effect.gen(function* () {
          const old = yield* sql<{ id: string; team_id: string }>`
            select old.id, t.id as team_id
            from teams t
            cross join lateral (
              select e.id from events e
              where e.team_id = t.id and e.occurred_at < ${until}
                and not exists (select from deliveries d where d.event_id = e.id)
              order by e.occurred_at, e.transaction_id, e.seq
              limit ${limit}::int
              for update skip locked
            ) as old
            limit ${limit}::int`
          if (old.length === 0) return 0
          const ids = old.map(({ id }) => id)
          const teams = [...new Set(old.map(({ team_id }) => team_id))]
          yield* sql`
            insert into journals (team_id) select id from unnest(${teams}::uuid[]) as team (id) order by id
            on conflict (team_id) do update set team_id = excluded.team_id`
          yield* sql`
            with gone as (
              delete from events e
              where e.id = any(${ids}::uuid[]) and not exists (select from deliveries d where d.event_id = e.id)
              returning e.id, e.team_id, e.occurred_at, e.transaction_id, e.seq
            ), crossed_out as (
              delete from journal n using gone where n.event_id = gone.id returning n.event_id, n.seq
            ), placed as (
              select gone.*, n.seq as number, n.seq is null
                and (gone.occurred_at, gone.transaction_id, gone.seq) > (j.at, j.transaction_id, j.event_seq) as passed
              from gone
              join journals j on j.team_id = gone.team_id
              left join crossed_out n on n.event_id = gone.id
            ), counted as (
              select team_id, max(number) as number, count(*) filter (where passed) as passed from placed group by team_id
            ), last as (
              select distinct on (team_id) team_id, occurred_at, transaction_id, seq from placed
              where passed
              order by team_id, occurred_at desc, transaction_id desc, seq desc
            )
            update journals j
            set last_seq = j.last_seq + counted.passed,
              purged_seq = greatest(
                j.purged_seq, counted.number, case when counted.passed > 0 then j.last_seq + counted.passed end
              ),
              at = coalesce(last.occurred_at, j.at),
              transaction_id = coalesce(last.transaction_id, j.transaction_id),
              event_seq = coalesce(last.seq, j.event_seq)
            from counted left join last on last.team_id = counted.team_id
            where j.team_id = counted.team_id`
          return old.length
        }).pipe(Transaction.run, Effect.provideService(Database, sql))
      })

      return EntriesRepo.of({ read, number, events, purge })
    })
  )
}
