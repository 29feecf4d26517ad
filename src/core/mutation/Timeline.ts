/** Rows of timelines (docs/behaviour/timelines-notes-files.md#rows), their queries and partitions. */
import type * as Id from "../Id.ts"
import { Schema } from "effect"
import { OpenEnum } from "../fields/Text.ts"
import { Timestamp } from "../fields/Timestamp.ts"
import { IdOf } from "../Id.ts"
import { Flag, PageOf, pageQuery } from "../usecase/Page.ts"
import { eventTypes } from "./Event.ts"

/** The actor of a row. */
export const ActionActor = Schema.Struct({
  id: Schema.NullOr(IdOf("user")),
  name: Schema.NullOr(Schema.String.annotate({ examples: ["Anna Berg"] }))
}).annotate({
  identifier: "ActionActor",
  description: "The user who made the change; null members when the operator or the system made it."
})

const erased = Schema.Literal(true).annotate({
  description: "On a row about a person who was erased: its texts are gone."
})

/** The details of a note. */
const NoteDetails = Schema.Struct({
  kind: Schema.Literal("note"),
  message: Schema.NullOr(Schema.String).annotate({
    description: "The note's text; null once the person was erased whom it is about.",
    examples: ["Looks for logistics in Milan."]
  }),
  erased: Schema.optionalKey(erased),
  archivedAt: Schema.NullOr(Timestamp).annotate({
    description: "When the note was archived; null if it is not archived.",
    examples: [null]
  })
}).annotate({ identifier: "NoteDetails" })

/** A file that a row is about. */
const ActionFile = Schema.Struct({
  id: IdOf("file"),
  name: Schema.String.annotate({ examples: ["rent-roll.pdf"] }),
  downloadPath: Schema.String.annotate({
    description: "The path of its content.",
    examples: ["/api/v1/files/file_01kb3n7x2ferwt5z8q4j6m9d0c/content"]
  })
}).annotate({ identifier: "ActionFile", description: "A file that was shared or uploaded." })

/** The details of a row. `kind` equals the `type` of the row. */
export const ActionDetails = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("audit"),
    changedFields: Schema.optionalKey(Schema.Array(Schema.String.annotate({ examples: ["email"] }))).annotate({
      description: "The members that an update changed, by their names in the REST API."
    }),
    message: Schema.optionalKey(
      Schema.NullOr(Schema.String).annotate({
        description:
          "A text: the reason for a stage override, the note of a task, the name of a file, the amount of a bid, when access to a data room ends (ISO 8601), the question that was asked, the answer that was published. Null once the person was erased whom it is about.",
        examples: ["Called back, still interested"]
      })
    ),
    erased: Schema.optionalKey(erased),
    noteId: Schema.optionalKey(IdOf("act")).annotate({
      description: "On a classification with a comment: the id of the note with the comment."
    }),
    from: Schema.optionalKey(
      Schema.String.annotate({
        description: "The previous classification, interest or stage; left out if there was none.",
        examples: ["contacted"]
      })
    ),
    to: Schema.optionalKey(
      Schema.String.annotate({
        description: "The new classification, interest or stage; left out if it was cleared.",
        examples: ["interested"]
      })
    ),
    taskId: Schema.optionalKey(IdOf("task")).annotate({ description: "The id of the follow-up task." }),
    questionId: Schema.optionalKey(IdOf("question")).annotate({
      description: "On the rows of a question, except on timelines of offers: its id."
    }),
    question: Schema.optionalKey(
      Schema.Struct({
        number: Schema.Int.annotate({ examples: [12] }),
        text: Schema.String.annotate({ examples: ["Which tenants may terminate before 2028?"] }),
        answer: Schema.String.annotate({ examples: ["Only the one on the ground floor."] })
      })
    ).annotate({
      description:
        "On `room.question_answered` of an offer: the question, by its number in the room, and the published answer."
    }),
    file: Schema.optionalKey(ActionFile)
  }).annotate({ identifier: "AuditDetails" }),
  NoteDetails,
  Schema.Struct({
    kind: Schema.Literal("chat"),
    sender: Schema.optionalKey(OpenEnum(["broker", "investor"], "Who sent it.")).annotate({
      description: "On timelines of the broker's team: who sent it, `broker` or `investor`."
    }),
    erased: Schema.optionalKey(erased),
    file: Schema.optionalKey(ActionFile)
  }).annotate({ identifier: "ChatDetails" })
])
export type ActionDetails = typeof ActionDetails.Type

const anyRow = {
  id: IdOf("act"),
  occurredUtc: Timestamp,
  actor: ActionActor
}

const noteMembers = {
  etag: Schema.String.annotate({
    description: "The ETag of a note, with its quotes, for `If-Match` when you archive or supersede it.",
    examples: ['"v1"']
  }),
  archivedAt: Schema.NullOr(Timestamp).annotate({
    description: "When the note was archived; null if it is not archived.",
    examples: [null]
  }),
  contentFormat: Schema.NullOr(OpenEnum(["markdown"], "The format of the note; null for plain text.")),
  supersedesActivityId: Schema.optionalKey(IdOf("act")).annotate({
    description: "The id of the note that this one replaced."
  }),
  supersededByActivityId: Schema.optionalKey(IdOf("act")).annotate({
    description: "The id of the note that replaced this one."
  })
}

/** A row of a timeline. */
export const Action = Schema.Struct({
  ...anyRow,
  type: OpenEnum(["audit", "note", "chat"], "The type of the row."),
  event: Schema.NullOr(OpenEnum(eventTypes, "The event, on audit and chat rows.")),
  details: ActionDetails,
  subject: Schema.optionalKey(
    OpenEnum(
      ["prospect", "room", "contact", "company"],
      "On a row that belongs to another record: the type of that record."
    )
  ),
  subjectId: Schema.optionalKey(
    Schema.String.annotate({
      description: "With `subject`: the id of that record; left out once it was purged.",
      examples: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  ),
  etag: Schema.optionalKey(noteMembers.etag).annotate({ description: "The ETag of a note, with its quotes." }),
  archivedAt: Schema.optionalKey(noteMembers.archivedAt).annotate({
    description: "When the note was archived; null if it is not archived."
  }),
  contentFormat: Schema.optionalKey(noteMembers.contentFormat).annotate({
    description: "The format of a note: `markdown`, or null for plain text."
  }),
  supersedesActivityId: noteMembers.supersedesActivityId,
  supersededByActivityId: noteMembers.supersededByActivityId
}).annotate({
  identifier: "Action",
  description: "A row of a timeline: an event of a resource, or a note on it.",
  examples: [
    {
      id: "act_01kb3n7x2ferwt5z8q4j6m9d0c",
      type: "audit",
      event: "contact.updated",
      occurredUtc: "2026-11-21T09:30:00.000Z",
      actor: { id: "user_01kb3n7x2ferwt5z8q4j6m9d0c", name: "Anna Berg" },
      details: { kind: "audit", changedFields: ["email"] }
    }
  ]
})
export type Action = typeof Action.Type

/** A page of a timeline. */
export const ActionPage = PageOf(Action, "ActionPage")

/** A note, as a row of a timeline. */
export const NoteAction = Schema.Struct({
  ...anyRow,
  type: Schema.Literal("note"),
  event: Schema.Null.annotate({ description: "Always null on notes." }),
  details: NoteDetails,
  ...noteMembers
}).annotate({
  identifier: "Note",
  description: "A note: a row of the timelines of its subjects.",
  examples: [
    {
      id: "act_01kb3n7x2ferwt5z8q4j6m9d0c",
      type: "note",
      event: null,
      occurredUtc: "2026-11-21T09:30:00.000Z",
      actor: { id: "user_01kb3n7x2ferwt5z8q4j6m9d0c", name: "Anna Berg" },
      details: { kind: "note", message: "Looks for logistics in Milan.", archivedAt: null },
      etag: '"v1"',
      archivedAt: null,
      contentFormat: null
    }
  ]
})
export type NoteAction = typeof NoteAction.Type

// The queries of timelines, and the partitions of their rows (docs/behaviour/timelines-notes-files.md#timelines).

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
