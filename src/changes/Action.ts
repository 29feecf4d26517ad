/** Rows of timelines (specification, Action timeline row; decisions §5). */
import { Schema } from "effect"
import { OpenEnum } from "../fields/OpenEnum.ts"
import { Timestamp } from "../fields/Timestamp.ts"
import { IdOf } from "../Id.ts"
import { PageOf } from "../usecase/Page.ts"
import { eventTypes } from "./Event.ts"

/** Every event that a timeline row may name: a superset of the webhook events. */
export const actionEvents = [
  ...eventTypes,
  "project.closed",
  "project.reopened",
  "project.communicated",
  "prospect.removed",
  "prospect.restored",
  "prospect.teaser_communicated",
  "prospect.im_shared",
  "prospect.room_access_granted",
  "prospect.bid_recorded",
  "prospect.accepted",
  "prospect.classified",
  "prospect.interest_changed",
  "prospect.stage_overridden",
  "prospect.stage_override_withdrawn",
  "prospect.project_tags_changed",
  "prospect.external_refs_changed",
  "prospect.owner_changed",
  "prospect.access_expiry_changed",
  "prospect.task_added",
  "prospect.task_completed",
  "prospect.task_canceled",
  "prospect.task_reopened",
  "prospect.message_sent",
  "prospect.file_shared",
  "prospect.call_logged",
  "room.file_uploaded",
  "file.uploaded",
  "file.deleted"
] as const

/** An event of the timeline's vocabulary. */
export type ActionEvent = (typeof actionEvents)[number]

/** Who did it. */
export const ActionActor = Schema.Struct({
  id: Schema.NullOr(IdOf("user")),
  name: Schema.NullOr(Schema.String.annotate({ examples: ["Anna Berg"] }))
}).annotate({ identifier: "ActionActor", description: "Who did it; nulls when the operator or the system did." })

/** What a note says. */
const NoteDetails = Schema.Struct({
  kind: Schema.Literal("note"),
  message: Schema.String.annotate({ description: "The note's text.", examples: ["Looks for logistics in Milan."] }),
  archivedAt: Schema.NullOr(Timestamp).annotate({
    description: "When the note was archived; null when it is not.",
    examples: [null]
  })
}).annotate({ identifier: "NoteDetails" })

/** What a row says, told apart by `kind`, which mirrors the row's `type`. */
export const ActionDetails = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("audit"),
    changedFields: Schema.optionalKey(Schema.Array(Schema.String.annotate({ examples: ["email"] }))).annotate({
      description: "What an update changed: the members' REST names."
    }),
    message: Schema.optionalKey(
      Schema.String.annotate({
        description: "The words that go with it: the reason for a corrected stage, a task's note, a file's name.",
        examples: ["Called back, still interested"]
      })
    ),
    noteId: Schema.optionalKey(IdOf("act")).annotate({
      description: "Of a classification with a comment: the note row that says it."
    }),
    from: Schema.optionalKey(
      Schema.String.annotate({
        description: "What it was: the classification, interest or stage. Absent when there was none.",
        examples: ["contacted"]
      })
    ),
    to: Schema.optionalKey(
      Schema.String.annotate({
        description: "What it became: the classification, interest or stage. Absent when it was cleared.",
        examples: ["interested"]
      })
    ),
    taskId: Schema.optionalKey(IdOf("task")).annotate({ description: "The follow-up task that the row is about." })
  }).annotate({ identifier: "AuditDetails" }),
  NoteDetails,
  Schema.Struct({
    kind: Schema.Literal("chat"),
    file: Schema.optionalKey(Schema.Struct({ id: IdOf("file"), downloadPath: Schema.String }))
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
    description: "A note's ETag, quotes included: what `If-Match` names to archive or supersede it.",
    examples: ['"v1"']
  }),
  archivedAt: Schema.NullOr(Timestamp).annotate({
    description: "When the note was archived; null when it is not.",
    examples: [null]
  }),
  contentFormat: Schema.NullOr(OpenEnum(["markdown"], "How the note is written; null for plain text.")),
  supersedesActivityId: Schema.optionalKey(IdOf("act")).annotate({
    description: "The note that this one replaced, if it did."
  }),
  supersededByActivityId: Schema.optionalKey(IdOf("act")).annotate({
    description: "The note that replaced this one, if one did."
  })
}

/** A row of a timeline. */
export const Action = Schema.Struct({
  ...anyRow,
  type: OpenEnum(["audit", "note", "chat"], "What kind of row this is."),
  event: Schema.NullOr(OpenEnum(actionEvents, "What happened, on audit and chat rows.")),
  details: ActionDetails,
  subject: Schema.optionalKey(
    OpenEnum(
      ["prospect", "room", "contact", "company"],
      "On a row of another record that is shown here too: what that record is."
    )
  ),
  subjectId: Schema.optionalKey(
    Schema.String.annotate({
      description: "With `subject`: the id of that record. Absent once that record is gone for good.",
      examples: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  ),
  etag: Schema.optionalKey(noteMembers.etag).annotate({ description: "Of a note: its ETag, quotes included." }),
  archivedAt: Schema.optionalKey(noteMembers.archivedAt).annotate({
    description: "Of a note: when it was archived; null when it is not."
  }),
  contentFormat: Schema.optionalKey(noteMembers.contentFormat).annotate({
    description: "Of a note: `markdown`, or null for plain text."
  }),
  supersedesActivityId: noteMembers.supersedesActivityId,
  supersededByActivityId: noteMembers.supersededByActivityId
}).annotate({
  identifier: "Action",
  description: "Something that happened to a resource, or a note on it.",
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

/** A row that is a note. */
export const NoteAction = Schema.Struct({
  ...anyRow,
  type: Schema.Literal("note"),
  event: Schema.Null.annotate({ description: "Null: a note is no event." }),
  details: NoteDetails,
  ...noteMembers
}).annotate({
  identifier: "Note",
  description: "A note: a row of the timelines of what it is about.",
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
