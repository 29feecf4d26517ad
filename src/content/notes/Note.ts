/** The requests and states of notes: docs/behaviour/timelines-notes-files.md#notes. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { LongText } from "../../core/fields/Text.ts"
import { declare, members } from "../../core/usecase/Problem.ts"

const fields = {
  message: LongText.annotate({
    description: "The text of the note: 1 to 20,000 characters, without surrounding white space.",
    examples: ["Looks for logistics in Milan, **10–25 M EUR**."]
  }),
  contentFormat: Schema.Literals(["plaintext", "markdown"]).annotate({
    description: "The format of the text.",
    examples: ["markdown"]
  })
}

/** The body of a create. */
export const NoteCreate = Schema.Struct({
  message: fields.message,
  contentFormat: Schema.optionalKey(fields.contentFormat).annotate({ description: "Defaults to `plaintext`." })
}).annotate({
  identifier: "NoteCreate",
  description: "A new note.",
  examples: [{ message: "Looks for logistics in Milan, **10–25 M EUR**.", contentFormat: "markdown" }]
})
export type NoteCreate = typeof NoteCreate.Type

/** The text of a new revision. */
export const NoteReplacement = Schema.Struct({
  message: Schema.optionalKey(fields.message).annotate({
    description: "Defaults to the value of the note that it replaces."
  }),
  contentFormat: Schema.optionalKey(fields.contentFormat).annotate({
    description: "Defaults to the value of the note that it replaces."
  })
}).annotate({
  identifier: "NoteReplacement",
  description:
    "The text of the new revision. Members that are left out are inherited; an empty object repeats the note, now and in the name of the caller."
})
export type NoteReplacement = typeof NoteReplacement.Type

/** The actions on a note. */
export const NoteMove = Schema.Literals(["archive", "unarchive", "supersede"])
export type NoteMove = typeof NoteMove.Type

/** The body of a revision. */
export const NoteRevision = Schema.Struct({
  action: NoteMove.annotate({ description: "The action.", examples: ["archive"] }),
  supersede: Schema.optionalKey(NoteReplacement).annotate({
    description: "The text of the new revision. Required with the action `supersede`, and refused with others."
  })
}).annotate({
  identifier: "NoteRevision",
  description: "A change of a note's state, or its replacement by a new revision.",
  examples: [{ action: "supersede", supersede: { message: "Looks for logistics in Milan and Turin." } }]
})
export type NoteRevision = typeof NoteRevision.Type

/** The states of a note: combinations of its two marks, archived and superseded. */
export const NoteState = Schema.Literals(["active", "archived", "superseded", "archived_superseded"])
export type NoteState = typeof NoteState.Type

/** 400: the note's state does not allow the move. */
export class NoteMoveRefused extends HttpApiError.Problem<NoteMoveRefused>()(
  "NoteMoveRefused",
  declare("note_move_refused", 400, "The note's state does not allow this."),
  {
    ...members("note_move_refused"),
    state: NoteState.annotate({ description: "The current state of the note." }),
    action: NoteMove.annotate({ description: "The action of the request." })
  }
) {}
