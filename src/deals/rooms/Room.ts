/** Data rooms of projects (docs/behaviour/rooms.md). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields } from "../../core/mutation/Audit.ts"
import { Name, OpenEnum } from "../../core/fields/Text.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { IdOf } from "../../core/Id.ts"
import { AccessPeriod, roomStatuses, usualAccess, windingDownDays } from "../access/Access.ts"
import { stages } from "../teasers/Teaser.ts"
import { pageQuery } from "../../core/usecase/Page.ts"
import { declare, members } from "../../core/usecase/Problem.ts"

/** What opens a room. */
export const RoomOpen = Schema.Struct({
  name: Name.annotate({ description: "The name of the room.", examples: ["Due diligence"] }),
  ndaRequired: Schema.optionalKey(Schema.Boolean),
  defaultAccess: Schema.optionalKey(Schema.NullOr(AccessPeriod))
})
export type RoomOpen = typeof RoomOpen.Type

const momentOf = (what: string) => Schema.NullOr(Timestamp).annotate({ description: what, examples: [null] })

const count = (what: string, example: number) => Schema.Int.annotate({ description: what, examples: [example] })

/** A room in a list. */
export const Room = Schema.Struct({
  id: IdOf("room"),
  projectId: IdOf("project"),
  name: Schema.String.annotate({ examples: ["Due diligence"] }),
  status: OpenEnum(
    roomStatuses,
    `The state of the room. When its project is closed, an open room is \`winding_down\`: its members can read it for ${windingDownDays} days, and then it is closed.`
  ),
  openedUtc: Schema.NullOr(Timestamp).annotate({ description: "When it was opened." }),
  closedUtc: momentOf("When it was closed; null while it is not."),
  ndaRequired: Schema.Boolean.annotate({
    description: "Whether investors need a non-disclosure agreement for it.",
    examples: [false]
  }),
  defaultAccess: Schema.NullOr(Schema.String.annotate({ examples: [usualAccess] })).annotate({
    description: "For how long access is granted, unless the grant says otherwise; null: without an end."
  }),
  memberCount: count("The number of prospects that have access now.", 3),
  documentCount: count("The number of documents; versions of one count once.", 12),
  openQuestionCount: count("The number of questions that are open or have a drafted answer.", 2),
  teaserStage: OpenEnum(
    stages,
    "The stage of the room's teaser, which is that of the project until the room has one of its own."
  ),
  ...auditFields
}).annotate({ identifier: "Room", description: "A data room of a project." })
export type Room = typeof Room.Type

/** What a question is about. */
export const questionCategories = [
  "legal",
  "financial",
  "technical",
  "environmental",
  "tax",
  "leases",
  "planning",
  "other"
] as const

/** The questions of a room in short. */
export const RoomQa = Schema.Struct({
  enabled: Schema.Boolean.annotate({
    description: "Whether the room takes questions while it is open.",
    examples: [true]
  }),
  open: count("The number of open questions without a draft.", 1),
  drafted: count("The number of questions whose answer is drafted.", 1),
  answered: count("The number of answered questions.", 1),
  overdue: count("The number of open and drafted questions whose `dueUtc` has passed.", 1),
  limitPerProspect: Schema.NullOr(Schema.Int).annotate({
    description: "How many questions each prospect may ask; null for any number.",
    examples: [null]
  }),
  deadlineUtc: Schema.NullOr(Timestamp).annotate({
    description: "Until when questions are taken; null while the room is open.",
    examples: [null]
  }),
  categories: Schema.Array(OpenEnum(questionCategories, "A category that questions may have."))
}).annotate({ identifier: "RoomQa", description: "The questions of a room: how many there are, and which it takes." })
export type RoomQa = typeof RoomQa.Type

/** A prospect that has access to a room. */
export const RoomMember = Schema.Struct({
  prospectId: IdOf("prospect"),
  name: Schema.NullOr(Schema.String.annotate({ examples: ["Maria Rossi"] })),
  grantedUtc: Timestamp,
  accessExpiryUtc: momentOf("When the access ends; null: never.")
}).annotate({ identifier: "RoomMember", description: "A prospect that has access to a data room." })
export type RoomMember = typeof RoomMember.Type

/** A document: its latest version (docs/behaviour/rooms.md#documents). */
export const Document = Schema.Struct({
  id: IdOf("file").annotate({
    description: "The id of the file that is this version. Its content is at `/api/v1/files/{id}/content`."
  }),
  name: Schema.String.annotate({ description: "The last part of its path.", examples: ["rent-roll.pdf"] }),
  path: Schema.String.annotate({
    description: "Its folders and its name. Uploading to the same path makes another version.",
    examples: ["Leases/rent-roll.pdf"]
  }),
  version: Schema.Int.annotate({
    description: "The number of the version, from 1. That of a deleted version is not used again.",
    examples: [1]
  }),
  contentType: Schema.String.annotate({ examples: ["application/pdf"] }),
  size: Schema.Int.annotate({ description: "The length of the content, in bytes.", examples: [48_213] }),
  sha256: Schema.String.annotate({
    description: "The SHA-256 of the content, in lower-case hexadecimal.",
    examples: ["77f2562d5340c7d17dc4f73b8ba2a17e811ec5fe1c975389f1620747ec6e706a"]
  }),
  uploadedUtc: Timestamp
}).annotate({ identifier: "RoomDocument", description: "A document of a data room, in its latest version." })
export type Document = typeof Document.Type

/** A room by itself. */
export const RoomDetails = Schema.Struct({
  ...Room.fields,
  qa: RoomQa,
  members: Schema.Array(RoomMember).annotate({
    description: "The prospects that have access now, by the time of the grant."
  }),
  documents: Schema.Array(Document).annotate({ description: "The documents in their latest versions, by path." })
}).annotate({ identifier: "RoomDetails", description: "A data room of a project, with what is in it." })
export type RoomDetails = typeof RoomDetails.Type

/** A room without its documents, of which there may be many. */
export type RoomSummary = Omit<RoomDetails, "documents">

/** The query of a list of documents. */
export const DocumentListQuery = Schema.Struct(pageQuery)
export type DocumentListQuery = typeof DocumentListQuery.Type

/** The query of a list of rooms. */
export const RoomListQuery = Schema.Struct(pageQuery)
export type RoomListQuery = typeof RoomListQuery.Type

/** 409: the state of the room or of its project does not allow this. */
export class RoomRefused extends HttpApiError.Problem<RoomRefused>()(
  "RoomRefused",
  declare("room_refused", 409, "The state of the room or of its project does not allow this."),
  members("room_refused")
) {}
