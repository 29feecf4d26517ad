/** What timelines are asked for, and the shelves that their rows stand on (specification, Network; decisions §4, §5). */
import { Schema } from "effect"
import { Flag, pageQuery } from "../usecase/Page.ts"

const typesOf = <const Types extends ReadonlyArray<string>>(...types: Types) =>
  Schema.Literals(types).annotate({
    description: `Which rows: ${types
      .slice(1)
      .map((type) => `\`${type}\``)
      .join(", ")}, or \`all\` (the default).`
  })

const markQuery = {
  include_archived: Schema.optionalKey(Flag("Add archived notes.")),
  include_superseded: Schema.optionalKey(
    Flag("Add notes that a later revision replaced. One that is archived too needs both parameters.")
  )
}

const withRollUps = (of: string) => ({
  include_rollups: Schema.optionalKey(
    Flag(`Add the rows of ${of}: each says in \`subject\` and \`subjectId\` what it is a row of.`).annotate({
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

/** The part of a timeline that an audit row stands in. `comment`: classifications with a comment, which are read as notes too. */
export type AuditPartition = "audit" | "task" | "comment"

/** The part of a timeline that a row stands in: what its type is and, of a note, how it is marked. */
export type TimelinePartition =
  | AuditPartition
  | "chat"
  | "note"
  | "note_archived"
  | "note_superseded"
  | "note_archived_superseded"

/** Kinds of records whose rows stand on the timeline of the record above them as well. */
export type RollUp = "prospect" | "room"

/** The place of a row on a timeline: its partition there, apart from the timeline's own rows where it is rolled up. */
export const partitionKey = (partition: TimelinePartition, rollUp?: RollUp): string =>
  rollUp === undefined ? partition : `${rollUp}:${partition}`

/** The two marks of a note. */
export interface Marks {
  readonly archived: boolean
  readonly superseded: boolean
}

/** The partition of a note with these marks. */
export const notePartition = ({ archived, superseded }: Marks): TimelinePartition =>
  archived ? (superseded ? "note_archived_superseded" : "note_archived") : superseded ? "note_superseded" : "note"

const flags = [false, true]

/** The shelves that a query asks for. */
export const partitionsOf = (
  query: Pick<ProspectTimelineQuery, "type" | "include_archived" | "include_superseded">
): ReadonlyArray<TimelinePartition> => {
  const notes = flags
    .filter((archived) => !archived || query.include_archived === true)
    .flatMap((archived) =>
      flags
        .filter((superseded) => !superseded || query.include_superseded === true)
        .map((superseded) => notePartition({ archived, superseded }))
    )
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
