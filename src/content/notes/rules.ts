/** Decisions on notes, as pure functions: docs/behaviour/timelines-notes-files.md#note-states. */
import type { EventExtras, EventType } from "../../core/mutation/Event.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import type { NoteMove, NoteReplacement, NoteRevision, NoteState } from "./Note.ts"

/** The text of a note and its format. */
export interface NoteText {
  readonly message: string
  readonly contentFormat: "markdown" | null
}

/**
 * The state that an action leads to; the same state if it changes nothing. Only the latest revision can be superseded or
 * unarchived, and an archived note must be unarchived before it is superseded.
 */
export const transitions: { readonly [from in NoteState]: { readonly [move in NoteMove]: NoteState | "refused" } } = {
  active: { archive: "archived", unarchive: "active", supersede: "superseded" },
  archived: { archive: "archived", unarchive: "active", supersede: "refused" },
  superseded: { archive: "archived_superseded", unarchive: "refused", supersede: "refused" },
  archived_superseded: { archive: "archived_superseded", unarchive: "refused", supersede: "refused" }
}

/** The state of a note with these marks. Inverse of {@link marksOf}. */
export const stateOf = (marks: { readonly archived: boolean; readonly superseded: boolean }): NoteState =>
  marks.archived ? (marks.superseded ? "archived_superseded" : "archived") : marks.superseded ? "superseded" : "active"

/** The marks of a note in this state. */
export const marksOf = (state: NoteState): { readonly archived: boolean; readonly superseded: boolean } => ({
  archived: state === "archived" || state === "archived_superseded",
  superseded: state === "superseded" || state === "archived_superseded"
})

/** The change of the number of active notes when notes in the states `before` become notes in the states `after`. */
export const activeCountDelta = (before: ReadonlyArray<NoteState>, after: ReadonlyArray<NoteState>): number => {
  const activeIn = (states: ReadonlyArray<NoteState>) => states.filter((state) => state === "active").length
  return activeIn(after) - activeIn(before)
}

/** The `detail` of a refused action: why the state does not allow it, and what to do instead. */
export const rejectionOf = (state: NoteState, move: NoteMove): string =>
  state === "archived"
    ? "An archived note cannot be superseded. Unarchive it first."
    : `A later revision replaced this note. Follow supersededByActivityId to the latest revision, and ${move} that one.`

/** The faults of a revision as a whole: the action `supersede` needs the member `supersede`, and others refuse it. */
export const faultsOf = ({ action, supersede }: NoteRevision): ReadonlyArray<Fault> => {
  if (action === "supersede" && supersede === undefined) {
    return [bodyFault("/supersede", "required", "Required with the action supersede.")]
  }
  return action !== "supersede" && supersede !== undefined
    ? [bodyFault("/supersede", "not_allowed", `Allowed with the action supersede only, not with ${action}.`)]
    : []
}

/** The event of a move that changes a note; `successor` is the id of the revision that replaces it. */
export const eventOfMove = (
  move: NoteMove,
  successor: string
): { readonly type: EventType; readonly extras: EventExtras } => {
  switch (move) {
    case "archive":
      return { type: "note.archived", extras: {} }
    case "unarchive":
      return { type: "note.unarchived", extras: {} }
    case "supersede":
      return { type: "note.superseded", extras: { action: { type: "superseded", to: successor } } }
  }
}

const formatOf = (sent: "plaintext" | "markdown"): "markdown" | null => (sent === "markdown" ? "markdown" : null)

/** The text of a new note. */
export const textOf = (sent: {
  readonly message: string
  readonly contentFormat?: "plaintext" | "markdown"
}): NoteText => ({
  message: sent.message,
  contentFormat: formatOf(sent.contentFormat ?? "plaintext")
})

/** The text of a new revision, which inherits what `replacement` leaves out. */
export const replaceText = (text: NoteText, replacement: NoteReplacement): NoteText => ({
  message: replacement.message ?? text.message,
  contentFormat: replacement.contentFormat === undefined ? text.contentFormat : formatOf(replacement.contentFormat)
})
