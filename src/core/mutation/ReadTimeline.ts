/** Reads timelines and the notes on them, newest first, at the same cost at any depth. */
import { Effect } from "effect"
import { arrayParameter } from "../../platform/db/arrayParameter.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { Cursors, defaultPageSize, type Position, read as readPage, timeAndId } from "../usecase/Page.ts"
import { actionColumns, type ActionRow, type RowSubject, toAction, toNote } from "./ActionRow.ts"
import {
  type AnyTimelineQuery,
  type NoteListQuery,
  notePartitionsOf,
  partitionKey,
  partitionsOf,
  type RollUps,
  type Subject
} from "./Timeline.ts"
import * as UserNames from "./UserNames.ts"

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
export const make = Effect.gen(function* () {
  const sql = yield* Database
  const cursors = yield* Cursors
  const names = yield* UserNames.make

  // A rolled-up row is on the timeline of its own record, too.
  const ownSubjectOf = (teamId: string) => sql`
          case when strpos(page.partition, ':') > 0 then (
            select own.subject_id from action_subjects own
            where own.action_id = a.id and own.team_id = ${teamId}
              and own.subject_type = split_part(page.partition, ':', 1) and strpos(own.partition, ':') = 0
            limit 1
          ) end`

  /** The newest rows of all sources. Reads at most `limit` rows of each, in the order of its index. */
  const fetch = (teamId: string, sources: ReadonlyArray<Source>, before: Position | undefined, limit: number) => {
    const position = timeAndId(before)
    const conditions = [
      sql`s.subject_id = wanted.subject_id`,
      sql`s.partition = wanted.partition`,
      sql`s.team_id = ${teamId}`
    ]
    if (position !== undefined) {
      conditions.push(sql`(s.occurred_at, s.action_id) < (${position.at}::timestamptz, ${position.id}::uuid)`)
    }
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

  return { read, notes }
})
