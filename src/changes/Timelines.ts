/** Reads timelines, newest first, at the same cost at any depth; moves them, and clears them. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import * as Transaction from "../db/Transaction.ts"
import { Cursors, defaultPageSize, type Page, type Position, read as readPage, timeAndId } from "../usecase/Page.ts"
import type { InvalidCursor } from "../usecase/Problem.ts"
import type * as Id from "../Id.ts"
import type { Action } from "./Action.ts"
import { actionColumns, type ActionRow, type RowSubject, toAction } from "./ActionRow.ts"
import type { Change } from "./Changes.ts"
import { partitionKey, type ProspectTimelineQuery, type RollUp, partitionsOf } from "./Timeline.ts"

/** What a timeline is of. `id` is its UUID. */
export interface Subject {
  readonly teamId: string
  readonly type: Id.Prefix
  readonly id: string
}

/** Whose rows a timeline shows besides its own, unless the query leaves them out. */
export interface RollUps {
  /** Kinds of records whose rows were written on this timeline too. */
  readonly rollUps?: ReadonlyArray<RollUp>
  /** Others of the team whose own rows are read in. `id` is a UUID, `as` is what their rows call them. */
  readonly others?: ReadonlyArray<{ readonly id: string; readonly as: Id.Prefix }>
}

/** Where rows are looked for: a subject's UUID, a place on its timeline, and what they are rows of, if of another. */
interface Wanted {
  readonly id: string
  readonly partition: string
  readonly of: RowSubject | undefined
}

/** A row with the number of the place where it was found and, where it is rolled up, the UUID of its own record. */
interface PlacedRow extends ActionRow {
  readonly place: number
  readonly own_subject: string | null
}

/** From whose timeline everything moves, and to whose (UUIDs). */
export interface Move {
  readonly from: string
  readonly to: string
}

/** The timelines of all resources. */
export class Timelines extends Context.Service<
  Timelines,
  {
    /**
     * A page of one resource's timeline. Rows of others say in `subject` and `subjectId` whose they are; one that stands on
     * several of the timelines is shown once, as the first one's.
     */
    readonly read: (
      subject: Subject,
      query: ProspectTimelineQuery,
      rollUps?: RollUps
    ) => Effect.Effect<Page<Action>, InvalidCursor>
    /**
     * Until the running transaction ends, nobody moves these timelines (UUIDs). Who adds rows to the timeline of a resource
     * that was read before holds it, and then looks whether the resource is still there: else the row could come to stand
     * where nobody looks any more.
     */
    readonly hold: (subjectIds: ReadonlyArray<string>) => Effect.Effect<void>
    /**
     * Within a running change, moves everything on the timelines of `from` to that of `to` (UUIDs), which may be none or
     * thousands of rows. Waits for those who hold them.
     */
    readonly move: (
      change: Change,
      timelines: { readonly type: Id.Prefix; readonly from: ReadonlyArray<string>; readonly to: string }
    ) => Effect.Effect<void>
    /** As `move`, of several to several others. */
    readonly moveEach: (change: Change, type: Id.Prefix, moves: ReadonlyArray<Move>) => Effect.Effect<void>
    /**
     * Removes rows from the timelines of subjects (UUIDs of any teams) that are gone for good, at most `limit`; what stands
     * on other timelines too stays there. Answers how many there were; 0 when these timelines are empty.
     */
    readonly clear: (subjectIds: ReadonlyArray<string>, limit: number) => Effect.Effect<number>
  }
>()("changes/Timelines") {
  static readonly layer = Layer.effect(
    Timelines,
    Effect.gen(function* () {
      const sql = yield* Database
      const cursors = yield* Cursors

      const read = Effect.fn("Timelines.read")(function* (
        subject: Subject,
        query: ProspectTimelineQuery,
        { others = [], rollUps = [] }: RollUps = {}
      ) {
        const partitions = partitionsOf(query)
        const withRollUps = query.include_rollups ?? true
        const wanted: ReadonlyArray<Wanted> = [
          ...partitions.map((partition) => ({ id: subject.id, partition, of: undefined })),
          ...(withRollUps ? rollUps : []).flatMap((kind) =>
            partitions.map((partition) => ({
              id: subject.id,
              partition: partitionKey(partition, kind),
              of: { type: kind, id: undefined }
            }))
          ),
          ...(withRollUps ? others : []).flatMap(({ as, id }) =>
            partitions.map((partition) => ({ id, partition, of: { type: as, id } }))
          )
        ]
        // A row that is rolled up stands on the timeline of its own record, too.
        const ownSubject =
          !withRollUps || rollUps.length === 0
            ? sql`null::uuid`
            : sql`
          case when strpos(page.partition, ':') > 0 then (
            select own.subject_id from action_subjects own
            where own.action_id = a.id and own.team_id = ${subject.teamId}
              and own.subject_type = split_part(page.partition, ':', 1) and strpos(own.partition, ':') = 0
            limit 1
          ) end`
        const subjectOf = ({ own_subject, place }: PlacedRow): RowSubject | undefined => {
          const of = wanted[place - 1]?.of
          return of === undefined ? undefined : { ...of, id: own_subject ?? of.id }
        }
        const binding = {
          list: "actions",
          teamId: subject.teamId,
          filters: {
            subject: subject.id,
            type: query.type ?? "all",
            include_archived: query.include_archived ?? false,
            include_superseded: query.include_superseded ?? false,
            include_rollups: withRollUps
          }
        }
        // A page's worth of each place is read in the order of its index; the page is the newest of these.
        const fetch = (before: Position | undefined, limit: number) => {
          const place = timeAndId(before)
          const conditions = [
            sql`s.subject_id = wanted.subject_id`,
            sql`s.partition = wanted.partition`,
            sql`s.team_id = ${subject.teamId}`
          ]
          if (place !== undefined) {
            conditions.push(sql`(s.occurred_at, s.action_id) < (${place.at}::timestamptz, ${place.id}::uuid)`)
          }
          return orDie(sql<PlacedRow>`
            select ${actionColumns(sql)}, page.place::int, ${ownSubject} as own_subject
            from (
              select distinct on (subject.occurred_at, subject.action_id)
                subject.occurred_at, subject.action_id, wanted.place, wanted.partition
              from unnest(${wanted.map(({ id }) => id)}::uuid[], ${wanted.map(({ partition }) => partition)}::text[])
                with ordinality as wanted (subject_id, partition, place)
              cross join lateral (
                select s.occurred_at, s.action_id from action_subjects s
                where ${sql.and(conditions)}
                order by s.occurred_at desc, s.action_id desc
                limit ${limit}
              ) as subject
              order by subject.occurred_at desc, subject.action_id desc, wanted.place
              limit ${limit}
            ) as page
            join actions a on a.id = page.action_id
            left join users u on u.id = a.actor_user_id
            order by page.occurred_at desc, page.action_id desc`)
        }
        return yield* readPage({
          cursors,
          binding,
          cursor: query.cursor,
          pageSize: query.page_size ?? defaultPageSize,
          fetch,
          positionOf: (row) => [row.occurred_at.toISOString(), row.id],
          toItem: (row) => toAction(row, subjectOf(row))
        })
      })

      // In one order, so that those who want several do not wait for each other.
      const locked = (subjectIds: ReadonlyArray<string>) => sql`
        (select distinct id from unnest(${subjectIds}::uuid[]) as wanted (id) order by id) as subject`

      const hold = Effect.fn("Timelines.hold")(function* (subjectIds: ReadonlyArray<string>) {
        yield* orDie(sql`
          select pg_advisory_xact_lock_shared(hashtextextended('timeline ' || id, 0)) from ${locked(subjectIds)}`)
      })

      const moveEach = Effect.fn("Timelines.moveEach")(function* (
        change: Change,
        type: Id.Prefix,
        all: ReadonlyArray<Move>
      ) {
        const moves = all.filter(({ from, to }) => from !== to)
        if (moves.length === 0) return
        const { teamId } = change.actor
        const [from, to] = [moves.map((one) => one.from), moves.map((one) => one.to)]
        const moving = sql`unnest(${from}::uuid[], ${to}::uuid[]) as moving (origin, goal)`
        yield* orDie(sql`
          select pg_advisory_xact_lock(hashtextextended('timeline ' || id, 0)) from ${locked([...from, ...to])}`)
        // A row that stands on several that become one stays where it is best: there, else on one of the others.
        yield* orDie(sql`
          delete from action_subjects where (subject_id, action_id) in (
            select subject_id, action_id from (
              select subject_id, action_id, row_number() over (
                partition by action_id, coalesce(goal, subject_id) order by goal is not null, subject_id
              ) as place
              from action_subjects left join ${moving} on origin = subject_id
              where team_id = ${teamId} and subject_type = ${type} and subject_id = any(${[...from, ...to]}::uuid[])
            ) as standing
            where place > 1
          )`)
        // Updated in place: whoever archives one of these notes meanwhile finds it wherever it stands.
        yield* orDie(sql`
          update action_subjects set subject_id = goal from ${moving}
          where team_id = ${teamId} and subject_type = ${type} and subject_id = origin`)
      })

      const move = (
        change: Change,
        { from, to, type }: { readonly type: Id.Prefix; readonly from: ReadonlyArray<string>; readonly to: string }
      ) =>
        moveEach(
          change,
          type,
          from.map((one) => ({ from: one, to }))
        )

      const clear = Effect.fn("Timelines.clear")(
        function* (subjectIds: ReadonlyArray<string>, limit: number) {
          // One timeline after another, in the order of its index: with a limit alone, a plan may read the whole table.
          const rows = yield* orDie(sql<{ readonly subject_id: string; readonly action_id: string }>`
            select standing.subject_id, standing.action_id
            from unnest(${subjectIds}::uuid[]) as gone (id)
            cross join lateral (
              select s.subject_id, s.action_id from action_subjects s
              where s.subject_id = gone.id
              order by s.occurred_at, s.action_id limit ${limit}
            ) as standing
            limit ${limit}`)
          if (rows.length === 0) return 0
          const [subjects, actions] = [rows.map((row) => row.subject_id), rows.map((row) => row.action_id)]
          // Who clears another timeline of the same rows comes before or after: else each would leave them to the other.
          yield* orDie(sql`select id from actions where id = any(${actions}::uuid[]) order by id for update`)
          yield* orDie(sql`
            delete from action_subjects
            using unnest(${subjects}::uuid[], ${actions}::uuid[]) as cleared (subject_id, action_id)
            where action_subjects.subject_id = cleared.subject_id and action_subjects.action_id = cleared.action_id`)
          yield* orDie(sql`
            delete from actions where id = any(${actions}::uuid[])
              and not exists (select from action_subjects where action_id = actions.id)`)
          return rows.length
        },
        Transaction.run,
        Effect.provideService(Database, sql)
      )

      return Timelines.of({ read, hold, move, moveEach, clear })
    })
  )
}
