/**
 * The SQL of the journal: each team's events, numbered without gaps.
 *
 * Writers do not touch it. A read numbers the events below the horizon (docs/behaviour/http.md#horizon): no transaction
 * that is still open can commit an event that sorts before them, so no reader sees a number appear below one that they
 * have seen.
 */
import * as Transaction from "../../platform/db/Transaction.ts"
import { Context, Effect, Layer } from "effect"
import { averageTeamId } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { settled } from "../../core/mutation/Delta.ts"
import { type EventType, recordEventTypes } from "../../core/mutation/Event.ts"
import { emptyJournal, maxScanned } from "./rules.ts"

/** The part of a journal to read. */
export interface JournalRead {
  /** Events with greater numbers; undefined begins with the oldest that is kept. */
  readonly after: number | undefined
  /** Undefined means all types. */
  readonly types: ReadonlyArray<EventType> | undefined
  readonly limit: number
}

/** The part of a journal to look back on. */
export interface JournalLook {
  /** Events with smaller numbers; undefined begins with the latest. */
  readonly before: number | undefined
  /** Undefined means all types. */
  readonly types: ReadonlyArray<EventType> | undefined
  /** UUID; undefined means all resources. */
  readonly resourceId: string | undefined
  readonly since: Date | undefined
  readonly limit: number
}

/** An event with its number. `body` is the stored payload, as JSON text. */
export interface NumberedEvent {
  readonly seq: number
  readonly body: string
}

/** The sort key of an event: its time, its transaction and its sequence number, the last two as text. */
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
  readonly has_unnumbered: boolean
  readonly seq: bigint | null
  readonly body: string | null
}

// Other readers of the team wait for the transaction that numbers events, so it must stay short.
const maxNumberedAtOnce = 2000

const make = Effect.gen(function* () {
  const sql = yield* Database
  const columns = sql`
    e.id, e.occurred_at, e.transaction_id, e.seq, ${settled(sql, undefined)} as settled`

  // The events of the journal `j` that have no number yet, in two parts, each at most `limit`. The second part finds
  // events with the time of the last number and a lower transaction id. They exist after a restore, which starts
  // transaction ids again, on a server whose clock is behind.
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
        and not exists (select from journal n where n.event_id = e.id and n.team_id = e.team_id)
      order by e.occurred_at, e.transaction_id, e.seq
      limit ${limit}::int
    )`

  // `offset 0` keeps Postgres from evaluating `has_unnumbered` for each row of the page, and `limit 1` from reading all events of the team
  // for types that it believes to be rare.
  const read = Effect.fn("EntriesRepo.read")(function* (teamId: string, { after, limit, types }: JournalRead) {
    const ofTypes = types === undefined ? sql`` : sql`and e.type = any(${types}::text[])`
    const found = yield* orDie(sql<FoundRow>`
      select state.*, page.seq, page.body
      from (
        select j.last_seq, j.purged_seq, coalesce(${after ?? null}::bigint, j.purged_seq) as after, coalesce((
          select first.settled from (${unnumbered(1)}) as first
          order by first.occurred_at, first.transaction_id, first.seq
          limit 1
        ), false) as has_unnumbered
        from journals j
        where j.team_id = ${teamId}
        offset 0
      ) as state
      left join lateral (
        select n.seq, e.body
        from journal n cross join lateral (
          select type, body from events where id = n.event_id and team_id = ${averageTeamId(sql, teamId)} limit 1
        ) as e
        where n.team_id = ${teamId} and n.seq > state.after and n.seq <= state.after + ${maxScanned}::bigint ${ofTypes}
        order by n.seq
        limit ${limit}::int
      ) as page on true
      order by page.seq`)
    const [first] = found
    if (first === undefined) return { after: after ?? 0, state: emptyJournal, rows: [] }
    return {
      after: Number(first.after),
      state: {
        lastSeq: Number(first.last_seq),
        purgedSeq: Number(first.purged_seq),
        hasUnnumbered: first.has_unnumbered
      },
      rows: found.flatMap(({ body, seq }) => (seq === null || body === null ? [] : [{ seq: Number(seq), body }]))
    }
  })

  /** The events of a team that have numbers, the latest first, among the next 5,000 before a number. */
  const lookBack = Effect.fn("EntriesRepo.lookBack")(function* (
    teamId: string,
    { before, limit, resourceId, since, types }: JournalLook
  ) {
    const rows = yield* orDie(sql<{ readonly seq: bigint; readonly body: string }>`
      select n.seq, e.body
      from journals j
      join journal n on n.team_id = j.team_id
      join events e on e.id = n.event_id and e.team_id = n.team_id
      where j.team_id = ${averageTeamId(sql, teamId)}
        and n.seq < coalesce(${before ?? null}::bigint, j.last_seq + 1)
        and n.seq >= coalesce(${before ?? null}::bigint, j.last_seq + 1) - ${maxScanned}::bigint
        ${types === undefined ? sql`` : sql`and e.type = any(${types}::text[])`}
        ${resourceId === undefined ? sql`` : sql`and e.resource_id = ${resourceId}`}
        ${since === undefined ? sql`` : sql`and e.occurred_at >= ${since}`}
      order by n.seq desc
      limit ${limit}::int`)
    return rows.map(({ body, seq }) => ({ seq: Number(seq), body }))
  })

  /**
   * Numbers the next events below the horizon, at most 2,000, under a lock of the team's journal.
   *
   * A separate statement locks the team's row, so that the next one sees what other readers numbered before.
   */
  const number = Effect.fn("EntriesRepo.number")(function* (teamId: string) {
    yield* Effect.gen(function* () {
      yield* sql`
        insert into journals (team_id, transaction_id) values (${teamId}, '0'::xid8)
        on conflict (team_id) do update set team_id = excluded.team_id`
      yield* sql`
        with unnumbered as (
          select w.id, w.occurred_at, w.transaction_id, w.seq, row_number() over line as place,
            bool_and(w.settled) over line as ready
          from journals j
          cross join lateral (${unnumbered(maxNumberedAtOnce)}) as w
          where j.team_id = ${teamId}
          window line as (order by w.occurred_at, w.transaction_id, w.seq)
        ), numbered as (
          insert into journal (team_id, seq, event_id)
          select j.team_id, j.last_seq + w.place, w.id
          from journals j, unnumbered w
          where j.team_id = ${teamId} and w.ready
          returning seq
        ), last as (
          select at, transaction_id, event_seq from journals where team_id = ${teamId}
          union all
          select occurred_at, transaction_id, seq from unnumbered where ready
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

  /** The events of records after a position, oldest first, numbered or not. */
  const events = Effect.fn("EntriesRepo.events")(function* (teamId: string, after: JournalPosition, limit: number) {
    return yield* orDie(sql<StoredEvent>`
      select message_id as "messageId", type as "eventType", body, occurred_at as at,
        transaction_id::text as "transactionId", seq::text as count
      from events
      where team_id = ${teamId} and type = any(${recordEventTypes}::text[])
        and (occurred_at, transaction_id, seq)
          > (${after.at}::timestamptz, ${after.transactionId}::xid8, ${after.count}::bigint)
      order by occurred_at, transaction_id, seq
      limit ${limit}`)
  })

  /** Deletes events of a team, with their numbers. */
  const purgeOfTeam = Effect.fnUntraced(function* (teamId: string, ids: ReadonlyArray<string>) {
    yield* sql`
      insert into journals (team_id, transaction_id) values (${teamId}, '0'::xid8)
      on conflict (team_id) do update set team_id = excluded.team_id`
    yield* sql`
      with gone as (
        delete from events e
        where e.team_id = ${teamId} and e.id = any(${ids}::uuid[])
          and not exists (select from deliveries d where d.event_id = e.id and d.team_id = e.team_id)
        returning e.id, e.team_id, e.occurred_at, e.transaction_id, e.seq
      ), crossed_out as (
        delete from journal n using gone where n.team_id = ${teamId} and n.event_id = gone.id returning n.event_id, n.seq
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
      where j.team_id = ${teamId} and counted.team_id = j.team_id`
  })

  /**
   * Deletes events from before `until` that have no delivery, with their numbers. Returns how many it looked at, at most
   * `limit`: fewer means that none is left.
   *
   * The locks keep fan-out from adding deliveries, and readers from numbering. An event that is deleted before it was
   * numbered uses up a number, so that a reader who got that far learns that an event is missing.
   */
  const purge = Effect.fn("EntriesRepo.purge")(function* (until: Date, limit: number) {
    return yield* Effect.gen(function* () {
      const old = yield* sql<{ id: string; team_id: string }>`
        select old.id, t.id as team_id
        from teams t
        cross join lateral (
          select e.id from events e
          where e.team_id = t.id and e.occurred_at < ${until}
            and not exists (select from deliveries d where d.event_id = e.id and d.team_id = e.team_id)
          order by e.occurred_at, e.transaction_id, e.seq
          limit ${limit}::int
          for update skip locked
        ) as old
        limit ${limit}::int`
      if (old.length === 0) return 0
      const byTeam = Map.groupBy(old, ({ team_id }) => team_id)
      // In one order, so that concurrent purges cannot deadlock.
      for (const teamId of [...byTeam.keys()].sort()) {
        yield* purgeOfTeam(
          teamId,
          (byTeam.get(teamId) ?? []).map(({ id }) => id)
        )
      }
      return old.length
    }).pipe(Transaction.run, Effect.provideService(Database, sql))
  })

  return { read, lookBack, number, events, purge }
})

/** Reads, numbers and purges the journals of teams. Ids are UUIDs. */
export class EntriesRepo extends Context.Service<EntriesRepo, Effect.Success<typeof make>>()(
  "webhooks/changes/EntriesRepo"
) {
  static readonly layer = Layer.effect(EntriesRepo, make)
}
