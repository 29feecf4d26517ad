/** The queries of timelines, and the partitions of their rows (docs/behaviour/timelines-notes-files.md#timelines). */
import { Schema } from "effect"
import type * as Id from "../Id.ts"
import { Flag, pageQuery } from "../usecase/Page.ts"

const typesOf = <const Types extends ReadonlyArray<string>>(...types: Types) =>
  Schema.Literals(types).annotate({
    description: `The rows to list: ${types
      .slice(1)
      .map((type) => `\`${type}\``)
      .join(", ")}, or \`all\` (the default).`
  })

const markQuery = {
  include_archived: Schema.optionalKey(Flag("Include archived notes.")),
  include_superseded: Schema.optionalKey(
    Flag("Include notes that a later revision replaced. An archived one needs both parameters.")
  )
}

const withRollUps = (of: string) => ({
  include_rollups: Schema.optionalKey(
    Flag(`Include the rows of ${of}, which name their record in \`subject\` and \`subjectId\`.`).annotate({
      default: true
    })
  )
})

/** The query of an actions list. */
export const TimelineQuery = Schema.Struct({
  ...pageQuery,
  type: Schema.optionalKey(typesOf("all", "notes", "chat", "audit")),
  ...markQuery
})
export type TimelineQuery = typeof TimelineQuery.Type

/** The query of a list of notes. */
export const NoteListQuery = Schema.Struct({ ...pageQuery, ...markQuery })
export type NoteListQuery = typeof NoteListQuery.Type

/** The query of a project's actions list. */
export const ProjectTimelineQuery = Schema.Struct({
  ...TimelineQuery.fields,
  ...withRollUps("its prospects and rooms")
})
export type ProjectTimelineQuery = typeof ProjectTimelineQuery.Type

/** The query of a prospect's actions list. */
export const ProspectTimelineQuery = Schema.Struct({
  ...pageQuery,
  type: Schema.optionalKey(typesOf("all", "notes", "chat", "audit", "tasks")),
  ...markQuery,
  ...withRollUps("its contact or company, and of the room")
})
export type ProspectTimelineQuery = typeof ProspectTimelineQuery.Type

/** The query of any timeline: that of a prospect has the parameters of all others. */
export type AnyTimelineQuery = ProspectTimelineQuery

/** The partition of an audit row. `comment` is for classifications with a comment, which are listed as notes, too. */
export type AuditPartition = "audit" | "task" | "comment"

/** The partition of a row on a timeline: its type and, for a note, its marks. Lists read a set of partitions, each by an index. */
export type TimelinePartition =
  | AuditPartition
  | "chat"
  | "note"
  | "note_archived"
  | "note_superseded"
  | "note_archived_superseded"

/** The kinds of records whose rows are also on the timeline of the record that they belong to. */
export type RollUp = "prospect" | "room"

/** The stored name of a partition. Rolled-up rows have partitions of their own, apart from the rows of the timeline itself. */
export const partitionKey = (partition: TimelinePartition, rollUp?: RollUp): string =>
  rollUp === undefined ? partition : `${rollUp}:${partition}`

/** The resource that a timeline belongs to. `id` is its UUID. */
export interface Subject {
  readonly teamId: string
  readonly type: Id.Prefix
  readonly id: string
}

/** The rows of other records that a timeline shows, unless the query leaves them out. */
export interface RollUps {
  /** The kinds of records whose rows are written on this timeline, too. */
  readonly rollUps?: ReadonlyArray<RollUp>
  /** Other resources of the team whose own rows are included. `id` is a UUID, `as` the type that their rows show. */
  readonly others?: ReadonlyArray<{ readonly id: string; readonly as: Id.Prefix }>
}

/** The two marks of a note. */
export interface Marks {
  readonly archived: boolean
  readonly superseded: boolean
}

/** The partition of a note with these marks. */
export const notePartition = ({ archived, superseded }: Marks): TimelinePartition =>
  archived ? (superseded ? "note_archived_superseded" : "note_archived") : superseded ? "note_superseded" : "note"

const flags = [false, true]

/** The partitions of the notes that a query selects. */
export const notePartitionsOf = (
  query: Pick<NoteListQuery, "include_archived" | "include_superseded">
): ReadonlyArray<TimelinePartition> =>
  flags
    .filter((archived) => !archived || query.include_archived === true)
    .flatMap((archived) =>
      flags
        .filter((superseded) => !superseded || query.include_superseded === true)
        .map((superseded) => notePartition({ archived, superseded }))
    )

/** The partitions that a query selects. */
export const partitionsOf = (
  query: Pick<AnyTimelineQuery, "type" | "include_archived" | "include_superseded">
): ReadonlyArray<TimelinePartition> => {
  const notes = notePartitionsOf(query)
  switch (query.type ?? "all") {
    case "all":
      return ["audit", "task", "comment", "chat", ...notes]
    case "notes":
      return ["comment", ...notes]
    case "audit":
      return ["audit", "task", "comment"]
    case "tasks":
      return ["task"]
    case "chat":
      return ["chat"]
  }
}
