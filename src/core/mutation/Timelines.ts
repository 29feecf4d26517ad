/** Reads timelines (ReadTimeline.ts), moves them to other resources, and clears them (docs/behaviour/timelines-notes-files.md#timelines). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import type * as Id from "../Id.ts"
import type { Page } from "../usecase/Page.ts"
import type { InvalidCursor } from "../usecase/Problem.ts"
import type { Action, NoteAction } from "./Action.ts"
import type { Change } from "./Changes.ts"
import type { OfTeam } from "./purgeListed.ts"
import * as ReadTimeline from "./ReadTimeline.ts"
import { type AnyTimelineQuery, type NoteListQuery, notePartitionsOf, type RollUps, type Subject } from "./Timeline.ts"

/** All rows of one timeline, to transfer to that of another resource (UUIDs). Not a move of a state machine. */
export interface TimelineMove {
  readonly from: string
  readonly to: string
}

/** The timelines of all resources. */
export class Timelines extends Context.Service<
  Timelines,
  {
    /**
     * A page of the timeline of one resource. A row that belongs to another record (`rollUps`) names that record in `subject`
     * and `subjectId`. A row found in several ways is shown once: as the resource's own, else as rolled up.
     */
    readonly read: (
      subject: Subject,
      query: AnyTimelineQuery,
      rollUps?: RollUps
    ) => Effect.Effect<Page<Action>, InvalidCursor>
    /** A page of the notes of one resource itself, newest first. */
    readonly notes: (subject: Subject, query: NoteListQuery) => Effect.Effect<Page<NoteAction>, InvalidCursor>
    /**
     * Locks these timelines (UUIDs) for share, so that they are not moved until the transaction ends. A writer that adds rows for a
     * resource that it read earlier locks its timeline, and then checks that the resource still exists: otherwise the rows could end
     * up on the timeline of a merged resource, which nobody reads.
     */
    readonly lockForShare: (subjectIds: ReadonlyArray<string>) => Effect.Effect<void>
    /** The number of notes of a subject's own timeline, in any state, up to `atMost`. */
    readonly countNotes: (subject: Subject, atMost: number) => Effect.Effect<number>
    /**
     * Moves at most `limit` rows from the timelines of `from` to that of `to` (UUIDs), and returns how many there were. Waits for shared
     * locks.
     */
    readonly move: (
      change: Change,
      timelines: { readonly type: Id.Prefix; readonly from: ReadonlyArray<string>; readonly to: string },
      limit: number
    ) => Effect.Effect<number>
    /** Moves all rows between several pairs of resources. Waits for shared locks. */
    readonly moveEach: (change: Change, type: Id.Prefix, moves: ReadonlyArray<TimelineMove>) => Effect.Effect<void>
    /**
     * Removes at most `limit` rows from the timelines of purged resources of a team; rows stay on other timelines. Returns the number of
     * rows; 0 when the timelines are empty.
     */
    readonly clear: (purged: OfTeam, limit: number) => Effect.Effect<number>
  }
>()("core/mutation/Timelines") {
  static readonly layer = Layer.effect(
    Timelines,
    Effect.gen(function* () {
      const sql = yield* Database
      const { notes, read } = yield* ReadTimeline.make

      // In one order, so that transactions that lock several timelines cannot deadlock.
      const inLockOrder = (subjectIds: ReadonlyArray<string>) => sql`
        (select distinct id from unnest(${subjectIds}::uuid[]) as wanted (id) order by id) as subject`

      const lockForShare = Effect.fn("Timelines.lockForShare")(function* (subjectIds: ReadonlyArray<string>) {
        yield* orDie(sql`
          select pg_advisory_xact_lock_shared(hashtextextended('timeline ' || id, 0)) from ${inLockOrder(subjectIds)}`)
      })

      const countNotes = Effect.fn("Timelines.countNotes")(function* (subject: Subject, atMost: number) {
        const partitions = notePartitionsOf({ include_archived: true, include_superseded: true })
        const [row] = yield* orDie(sql<{ readonly count: number }>`
          select count(*)::int as count from (
            select from action_subjects
            where subject_id = ${subject.id} and partition = any(${partitions}::text[]) and team_id = ${subject.teamId}
            limit ${atMost}
          ) counted`)
        return row?.count ?? 0
      })

      const moveEach = Effect.fn("Timelines.moveEach")(function* (
        change: Change,
        type: Id.Prefix,
        all: ReadonlyArray<TimelineMove>
      ) {
        const moves = all.filter(({ from, to }) => from !== to)
        if (moves.length === 0) return
        const { teamId } = change.actor
        const [from, to] = [moves.map((one) => one.from), moves.map((one) => one.to)]
        const moving = sql`unnest(${from}::uuid[], ${to}::uuid[]) as moving (origin, goal)`
        yield* orDie(sql`
          select pg_advisory_xact_lock(hashtextextended('timeline ' || id, 0)) from ${inLockOrder([...from, ...to])}`)
        // A row that is on several timelines that become one is kept once: on the target, or else on the first of the others.
        yield* orDie(sql`
          delete from action_subjects where team_id = ${teamId} and (subject_id, action_id) in (
            select subject_id, action_id from (
              select subject_id, action_id, row_number() over (
                partition by action_id, coalesce(goal, subject_id) order by goal is not null, subject_id
              ) as rank
              from action_subjects left join ${moving} on origin = subject_id
              where team_id = ${teamId} and subject_type = ${type} and subject_id = any(${[...from, ...to]}::uuid[])
            ) as duplicates
            where rank > 1
          )`)
        // Updated in place, so that a concurrent archiving of one of these notes still finds it.
        yield* orDie(sql`
          update action_subjects set subject_id = goal from ${moving}
          where team_id = ${teamId} and subject_type = ${type} and subject_id = origin`)
      })

      const move: Timelines["Service"]["move"] = Effect.fn("Timelines.move")(function* (
        change,
        { from: all, to, type },
        limit
      ) {
        const from = all.filter((one) => one !== to)
        const { teamId } = change.actor
        yield* orDie(sql`
          select pg_advisory_xact_lock(hashtextextended('timeline ' || id, 0)) from ${inLockOrder([...from, to])}`)
        const [row] = yield* orDie(sql<{ readonly count: number }>`
          with taken as materialized (
            select subject_id, occurred_at, action_id from action_subjects
            where team_id = ${teamId} and subject_type = ${type} and subject_id = any(${from}::uuid[])
            order by subject_id, occurred_at, action_id limit ${limit}
          ), ranked as materialized (
            select taken.*, row_number() over (partition by action_id order by subject_id) > 1 or exists (
              select from action_subjects present
              where present.team_id = ${teamId} and present.action_id = taken.action_id
                and present.subject_id = ${to}::uuid
            ) as is_duplicate
            from taken
          ), dropped as (
            delete from action_subjects s using ranked r
            where r.is_duplicate and s.team_id = ${teamId}
              and (s.subject_id, s.occurred_at, s.action_id) = (r.subject_id, r.occurred_at, r.action_id)
          ), moved as (
            update action_subjects s set subject_id = ${to}::uuid from ranked r
            where not r.is_duplicate and s.team_id = ${teamId}
              and (s.subject_id, s.occurred_at, s.action_id) = (r.subject_id, r.occurred_at, r.action_id)
          )
          select count(*)::int as count from taken`)
        return row?.count ?? 0
      })

      const clear = Effect.fn("Timelines.clear")(
        function* ({ teamId, uuids }: OfTeam, limit: number) {
          // One timeline after another, in the order of its index: with only a limit, the planner may scan the whole table.
          const rows = yield* orDie(sql<{ readonly subject_id: string; readonly action_id: string }>`
            select cleared.subject_id, cleared.action_id
            from unnest(${uuids}::uuid[]) as gone (id)
            cross join lateral (
              select s.subject_id, s.action_id from action_subjects s
              where s.subject_id = gone.id and s.team_id = ${teamId}
              order by s.occurred_at, s.action_id limit ${limit}
            ) as cleared
            limit ${limit}`)
          if (rows.length === 0) return 0
          const [subjects, actions] = [rows.map((row) => row.subject_id), rows.map((row) => row.action_id)]
          // Locked against a concurrent clearing of another timeline of the same rows: each would leave the rows to the other.
          yield* orDie(sql`
            select id from actions where team_id = ${teamId} and id = any(${actions}::uuid[]) order by id for update`)
          yield* orDie(sql`
            delete from action_subjects
            using unnest(${subjects}::uuid[], ${actions}::uuid[]) as cleared (subject_id, action_id)
            where action_subjects.team_id = ${teamId} and action_subjects.subject_id = cleared.subject_id
              and action_subjects.action_id = cleared.action_id`)
          yield* orDie(sql`
            delete from actions where team_id = ${teamId} and id = any(${actions}::uuid[])
              and not exists (
                select from action_subjects where action_id = actions.id and action_subjects.team_id = actions.team_id
              )`)
          return rows.length
        },
        Transaction.run,
        Effect.provideService(Database, sql)
      )

      return Timelines.of({ read, notes, lockForShare, countNotes, move, moveEach, clear })
    })
  )
}
