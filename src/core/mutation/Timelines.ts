/**
 * Timelines: their rows as they are stored, reads, moves to other resources, and what clears them
 * (docs/behaviour/timelines-notes-files.md#timelines).
 */
import * as Id from "../Id.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../../platform/db/Database.ts"
import { versionEtag } from "../usecase/UseCaseRequest.ts"
import {
  type Action,
  type ActionDetails,
  type AnyTimelineQuery,
  type NoteAction,
  type NoteListQuery,
  notePartitionsOf,
  partitionKey,
  partitionsOf,
  type RollUp,
  type RollUps,
  type Subject
} from "./Timeline.ts"
import { Context, Effect, Layer } from "effect"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { arrayParameter } from "../../platform/db/SetStatements.ts"
import { Cursors, defaultPageSize, type Page, type Position, read as readPage, timeAndId } from "../usecase/Page.ts"
import type { InvalidCursor } from "../usecase/Problem.ts"
import type { Change } from "./Changes.ts"
import type { OfTeam } from "./Delta.ts"

/** A row with the name of its actor. `version` and the columns after it are for notes only. */
export interface ActionRow {
  readonly id: string
  readonly type: string
  readonly event: string | null
  readonly occurred_at: Date
  readonly actor_user_id: string | null
  readonly actor_name: string | null
  readonly details: { readonly kind: string; readonly message?: string | null; readonly erased?: true }
  readonly version: string
  readonly content_format: string | null
  readonly archived_at: Date | null
  readonly supersedes: string | null
  readonly superseded_by: string | null
}

/** The SQL of an {@link ActionRow}'s columns, of `actions a`. `actorName` is that of its actor's name. */
export const actionColumns = (sql: Database["Service"], actorName: Fragment) => sql`
  a.id, a.type, a.event, a.occurred_at, a.actor_user_id, ${actorName} as actor_name, a.details, a.version::text,
  a.content_format, a.archived_at, a.supersedes, a.superseded_by`

const anyRow = (row: ActionRow) => ({
  id: Id.fromUuid("act", row.id),
  occurredUtc: row.occurred_at.toISOString(),
  // An account that was deleted has an empty name.
  actor: { id: Id.fromUuidOrNull("user", row.actor_user_id), name: row.actor_name === "" ? null : row.actor_name }
})

/** The answer for a note. */
export const toNote = (row: ActionRow): NoteAction => {
  const archivedAt = row.archived_at?.toISOString() ?? null
  return {
    ...anyRow(row),
    type: "note",
    event: null,
    details:
      row.details.erased === true
        ? { kind: "note", message: null, archivedAt, erased: true }
        : { kind: "note", message: row.details.message ?? "", archivedAt },
    etag: versionEtag(row.version),
    archivedAt,
    contentFormat: row.content_format,
    ...(row.supersedes === null ? {} : { supersedesActivityId: Id.fromUuid("act", row.supersedes) }),
    ...(row.superseded_by === null ? {} : { supersededByActivityId: Id.fromUuid("act", row.superseded_by) })
  }
}

/** The record that a row belongs to. `id` is a UUID; undefined if it is not known. */
export interface RowSubject {
  readonly type: Id.Prefix
  readonly id: string | undefined
}

/** The answer for a row; with `subject` on the timeline of another record. */
export const toAction = (row: ActionRow, subject?: RowSubject): Action => {
  const action: Action =
    row.type === "note"
      ? toNote(row)
      : { ...anyRow(row), type: row.type, event: row.event, details: row.details as ActionDetails }
  if (subject === undefined) return action
  const { id, type } = subject
  return { ...action, subject: type, ...(id === undefined ? {} : { subjectId: Id.fromUuid(type, id) }) }
}

// The names of the users whom rows of teams refer to. On plain Postgres, the statement that reads the rows reads them. With Citus, users
// are in no cell: joined with a cell, all of them would be sent there. A statement of its own reads the names that are needed.

/** Makes the SQL of names, and what completes the rows that it reads. */
export const makeUserNames = Effect.gen(function* () {
  const sql = yield* Database

  /** The SQL of the name of the user in a column (`table.column`). */
  const of = (column: string): Fragment =>
    sql.cells === undefined ? sql`(select name from users where users.id = ${sql.literal(column)})` : sql`null::text`

  /** Rows with the names that {@link of} left out. Each pair is a member with the UUID of a user, and that of the name. */
  const complete = Effect.fnUntraced(function* <Row extends object>(
    rows: ReadonlyArray<Row>,
    members: ReadonlyArray<readonly [user: keyof Row, name: keyof Row]>
  ): Effect.fn.Return<ReadonlyArray<Row>> {
    if (sql.cells === undefined) return rows
    const users = new Set(rows.flatMap((row) => members.map(([user]) => row[user])).filter((user) => user !== null))
    if (users.size === 0) return rows
    const found = yield* orDie(sql<{ readonly id: unknown; readonly name: string }>`
      select id, name from users where id = any(${[...users]}::uuid[])`)
    const names = new Map(found.map(({ id, name }) => [id, name]))
    return rows.map((row) => {
      const named = members.map(([user, name]) => [name, names.get(row[user]) ?? null])
      return Object.assign(Array.isArray(row) ? [...row] : { ...row }, Object.fromEntries(named)) as Row
    })
  })

  return { of, complete }
})

// Reads timelines and the notes on them, newest first, at the same cost at any depth.

/** A partition of the timeline of a subject (UUID) to read from; `of` is the other record that its rows belong to. */
interface Source {
  readonly id: string
  readonly partition: string
  readonly of: RowSubject | undefined
}

/** A row with the index of its source, from 1, and, where it is rolled up, the UUID of its own record. */
interface FoundRow extends ActionRow {
  readonly source: number
  readonly own_subject: string | null
}

const sourcesOf = (
  subject: Subject,
  query: AnyTimelineQuery,
  { others = [], rollUps = [] }: RollUps
): ReadonlyArray<Source> => {
  const partitions = partitionsOf(query)
  const own = partitions.map((partition) => ({ id: subject.id, partition, of: undefined }))
  if (query.include_rollups === false) return own
  return [
    ...own,
    ...rollUps.flatMap((kind) =>
      partitions.map((partition) => ({
        id: subject.id,
        partition: partitionKey(partition, kind),
        of: { type: kind, id: undefined }
      }))
    ),
    ...others.flatMap(({ as, id }) => partitions.map((partition) => ({ id, partition, of: { type: as, id } })))
  ]
}

/** Makes the functions that read a page of the timeline of one resource, or of its notes: see `Timelines`. */
export const makeReadTimeline = Effect.gen(function* () {
  const sql = yield* Database
  const cursors = yield* Cursors
  const names = yield* makeUserNames

  // A rolled-up row is on the timeline of its own record, too.
  const ownSubjectOf = (teamId: string) => sql`
          case when strpos(page.partition, ':') > 0 then (
            select own.subject_id from action_subjects own
            where own.action_id = a.id and own.team_id = ${teamId}
              and own.subject_type = split_part(page.partition, ':', 1) and strpos(own.partition, ':') = 0
            limit 1
          ) end`

  /** The newest rows of all sources. Reads at most `limit` rows of each, in the order of its index. */
  const fetch = (
    teamId: string,
    sources: ReadonlyArray<Source>,
    before: Position | undefined,
    limit: number,
    since?: Date
  ) => {
    const position = timeAndId(before)
    const conditions = [
      sql`s.subject_id = wanted.subject_id`,
      sql`s.partition = wanted.partition`,
      sql`s.team_id = ${teamId}`
    ]
    if (position !== undefined) {
      conditions.push(sql`(s.occurred_at, s.action_id) < (${position.at}::timestamptz, ${position.id}::uuid)`)
    }
    if (since !== undefined) conditions.push(sql`s.occurred_at > ${since}`)
    const hasRollUps = sources.some(({ of }) => of !== undefined && of.id === undefined)
    const found = orDie(sql<FoundRow>`
            select ${actionColumns(sql, names.of("a.actor_user_id"))}, page.source::int, ${hasRollUps ? ownSubjectOf(teamId) : sql`null::uuid`} as own_subject
            from (
              select distinct on (subject.occurred_at, subject.action_id)
                subject.occurred_at, subject.action_id, wanted.source, wanted.partition
              from unnest(
                ${arrayParameter(
                  sql,
                  "uuid",
                  sources.map(({ id }) => id)
                )},
                ${arrayParameter(
                  sql,
                  "text",
                  sources.map(({ partition }) => partition)
                )}
              ) with ordinality as wanted (subject_id, partition, source)
              cross join lateral (
                select s.occurred_at, s.action_id from action_subjects s
                where ${sql.and(conditions)}
                order by s.occurred_at desc, s.action_id desc
                limit ${limit}
              ) as subject
              order by subject.occurred_at desc, subject.action_id desc, wanted.source
              limit ${limit}
            ) as page
            join actions a on a.id = page.action_id and a.team_id = ${teamId}
            order by page.occurred_at desc, page.action_id desc`)
    return Effect.flatMap(found, (rows) => names.complete(rows, [["actor_user_id", "actor_name"]]))
  }

  const positionOf = (row: FoundRow) => [row.occurred_at.toISOString(), row.id]

  const read = Effect.fn("Timelines.read")(function* (
    subject: Subject,
    query: AnyTimelineQuery,
    rollUps: RollUps = {}
  ) {
    const sources = sourcesOf(subject, query, rollUps)
    return yield* readPage({
      cursors,
      binding: {
        list: "actions",
        teamId: subject.teamId,
        filters: {
          subject: subject.id,
          type: query.type ?? "all",
          include_archived: query.include_archived ?? false,
          include_superseded: query.include_superseded ?? false,
          include_rollups: query.include_rollups ?? true
        }
      },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (before, limit) => fetch(subject.teamId, sources, before, limit),
      positionOf,
      toItem: (row) => {
        const of = sources[row.source - 1]?.of
        return toAction(row, of === undefined ? undefined : { ...of, id: row.own_subject ?? of.id })
      }
    })
  })

  const notes = Effect.fn("Timelines.notes")(function* (subject: Subject, query: NoteListQuery) {
    const sources = notePartitionsOf(query).map((partition) => ({ id: subject.id, partition, of: undefined }))
    return yield* readPage({
      cursors,
      binding: {
        list: "notes",
        teamId: subject.teamId,
        filters: {
          subject: subject.id,
          include_archived: query.include_archived ?? false,
          include_superseded: query.include_superseded ?? false
        }
      },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (before, limit) => fetch(subject.teamId, sources, before, limit),
      positionOf,
      toItem: toNote
    })
  })

  const latest = Effect.fn("Timelines.latest")(function* (
    subjects: ReadonlyArray<Subject>,
    { limit, rollUps, since }: Latest
  ) {
    const [first] = subjects
    if (first === undefined) return []
    const sources = subjects.flatMap((subject) =>
      sourcesOf(subject, {}, { rollUps }).map((source) => ({ subject, source }))
    )
    const found = yield* fetch(
      first.teamId,
      sources.map(({ source }) => source),
      undefined,
      limit,
      since
    )
    return found.flatMap((row) => {
      const at = sources[row.source - 1]
      if (at === undefined) return []
      const { of } = at.source
      const action = toAction(row, of === undefined ? undefined : { ...of, id: row.own_subject ?? of.id })
      return [{ subject: at.subject, action }]
    })
  })

  return { read, notes, latest }
})

/** Which rows of several timelines are read: those after a moment, the newest ones, with those of the records that belong to them. */
interface Latest {
  readonly since: Date
  readonly limit: number
  readonly rollUps: ReadonlyArray<RollUp>
}

// Reads timelines, moves them to other resources, and clears them (docs/behaviour/timelines-notes-files.md#timelines).

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
    /** The newest rows of the timelines of several resources of one team since a moment, in one statement, each with its resource. */
    readonly latest: (
      subjects: ReadonlyArray<Subject>,
      which: Latest
    ) => Effect.Effect<ReadonlyArray<{ readonly subject: Subject; readonly action: Action }>>
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
      const { latest, notes, read } = yield* makeReadTimeline

      // In one order, so that transactions that lock several timelines cannot deadlock.
      const inLockOrder = (subjectIds: ReadonlyArray<string>) => sql`
        (select distinct id from unnest(${subjectIds}::uuid[]) as wanted (id) order by id) as subject`

      const lockForShare = Effect.fn("Timelines.lockForShare")(function* (subjectIds: ReadonlyArray<string>) {
        yield* orDie(sql`
          select pg_advisory_xact_lock_shared(hashtextextended('timeline ' || id, 0)) from ${inLockOrder(subjectIds)}`)
      })

      const countNotes = Effect.fn("Timelines.countNotes")(function* (subject: Subject, atMost: number) {
        // One partition after the other: a plan for several at once reads the whole timeline of most subjects, which is short.
        const partitions = notePartitionsOf({ include_archived: true, include_superseded: true })
        const [row] = yield* orDie(sql<{ readonly count: number }>`
          select count(*)::int as count from (
            select from unnest(${partitions}::text[]) as wanted (partition)
            cross join lateral (
              select from action_subjects s
              where s.subject_id = ${subject.id} and s.partition = wanted.partition and s.team_id = ${subject.teamId}
              limit ${atMost}
            ) as found
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

      return Timelines.of({ read, notes, latest, lockForShare, countNotes, move, moveEach, clear })
    })
  )
}
