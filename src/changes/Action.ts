/** Rows of timelines (specification, Action timeline row; decisions §5). */
import { Schema } from "effect"
import { OpenEnum } from "../fields/OpenEnum.ts"
import { Timestamp } from "../fields/Timestamp.ts"
import { IdOf } from "../Id.ts"
import { eventTypes } from "./Event.ts"

/** Every event that a timeline row may name: a superset of the webhook events. */
export const actionEvents = [
  ...eventTypes,
  "prospect.accepted",
  "prospect.classified",
  "prospect.interest_changed",
  "prospect.stage_overridden",
  "prospect.task_added",
  "prospect.task_completed",
  "prospect.message_sent",
  "prospect.file_shared",
  "prospect.call_logged",
  "room.file_uploaded"
] as const

/** An event of the timeline's vocabulary. */
export type ActionEvent = (typeof actionEvents)[number]

/** Who did it. */
export const ActionActor = Schema.Struct({
  id: Schema.NullOr(IdOf("user")),
  name: Schema.NullOr(Schema.String.annotate({ examples: ["Anna Berg"] }))
}).annotate({ identifier: "ActionActor", description: "Who did it; nulls when the operator or the system did." })

/** What a row says, told apart by `kind`, which mirrors the row's `type`. */
export const ActionDetails = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("audit"),
    changedFields: Schema.optionalKey(Schema.Array(Schema.String.annotate({ examples: ["email"] }))).annotate({
      description: "What an update changed: the members' REST names."
    }),
    message: Schema.optionalKey(Schema.String.annotate({ examples: ["Called back, still interested"] }))
  }).annotate({ identifier: "AuditDetails" }),
  Schema.Struct({
    kind: Schema.Literal("note"),
    message: Schema.String,
    archivedAt: Schema.optionalKey(Schema.NullOr(Timestamp))
  }).annotate({ identifier: "NoteDetails" }),
  Schema.Struct({
    kind: Schema.Literal("chat"),
    file: Schema.optionalKey(Schema.Struct({ id: IdOf("file"), downloadPath: Schema.String }))
  }).annotate({ identifier: "ChatDetails" })
])
export type ActionDetails = typeof ActionDetails.Type

/** A row of a timeline. */
export const Action = Schema.Struct({
  id: IdOf("act"),
  type: OpenEnum(["audit", "note", "chat"], "What kind of row this is."),
  event: Schema.NullOr(OpenEnum(actionEvents, "What happened, on audit and chat rows.")),
  occurredUtc: Timestamp,
  actor: ActionActor,
  details: ActionDetails
}).annotate({ identifier: "Action", description: "Something that happened to a resource." })
export type Action = typeof Action.Type
