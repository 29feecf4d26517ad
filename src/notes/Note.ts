/** Notes on records of the network, and what is done with them (specification, Note revision states; decisions §5). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { LongText } from "../fields/Text.ts"
import { declare, members } from "../usecase/Problem.ts"

const fields = {
  message: LongText.annotate({
    description: "The note's text: 1 to 20,000 characters, without white space around it.",
    examples: ["Looks for logistics in Milan, **10–25 M EUR**."]
  }),
  contentFormat: Schema.Literals(["plaintext", "markdown"]).annotate({
    description: "How the text is written.",
    examples: ["markdown"]
  })
}

/** What a note is created with. */
export const NoteCreate = Schema.Struct({
  message: fields.message,
  contentFormat: Schema.optionalKey(fields.contentFormat).annotate({ description: "`plaintext` unless told." })
}).annotate({
  identifier: "NoteCreate",
  description: "A new note.",
  examples: [{ message: "Looks for logistics in Milan, **10–25 M EUR**.", contentFormat: "markdown" }]
})
export type NoteCreate = typeof NoteCreate.Type

/** What a revision of a note says anew. */
export const NoteReplacement = Schema.Struct({
  message: Schema.optionalKey(fields.message).annotate({ description: "As before unless told." }),
  contentFormat: Schema.optionalKey(fields.contentFormat).annotate({ description: "As before unless told." })
}).annotate({
  identifier: "NoteReplacement",
  description:
    "What the new revision says anew; what is left out is as before. It may be empty: then the note is said again, now and by the caller."
})
export type NoteReplacement = typeof NoteReplacement.Type

/** What can be done with a note. */
export const NoteMove = Schema.Literals(["archive", "unarchive", "supersede"])
export type NoteMove = typeof NoteMove.Type

/** A change of a note. */
export const NoteRevision = Schema.Struct({
  action: NoteMove.annotate({ description: "What to do with the note.", examples: ["archive"] }),
  supersede: Schema.optionalKey(NoteReplacement).annotate({
    description: "What the new revision says: with the action `supersede` required, with others refused."
  })
}).annotate({
  identifier: "NoteRevision",
  description: "What to do with a note.",
  examples: [{ action: "supersede", supersede: { message: "Looks for logistics in Milan and Turin." } }]
})
export type NoteRevision = typeof NoteRevision.Type

/** The states that the two marks of a note, archived and superseded, make. */
export const NoteState = Schema.Literals(["active", "archived", "superseded", "archived_superseded"])
export type NoteState = typeof NoteState.Type

/** 400: the note's state does not allow the move. */
export class NoteMoveRefused extends HttpApiError.Problem<NoteMoveRefused>()(
  "NoteMoveRefused",
  declare("note_move_refused", 400, "The note's state does not allow this."),
  {
    ...members("note_move_refused"),
    state: NoteState.annotate({ description: "The note's present state." }),
    action: NoteMove.annotate({ description: "What was to be done with it." })
  }
) {}
