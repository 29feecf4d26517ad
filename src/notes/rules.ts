/** The pure decisions on notes. */
import { bodyFault } from "../usecase/Input.ts"
import type { Fault } from "../usecase/Problem.ts"
import type { NoteMove, NoteReplacement, NoteRevision, NoteState } from "./Note.ts"

/** What a note says and how: the words that its row has. */
export interface NoteText {
  readonly message: string
  readonly contentFormat: "markdown" | null
}

/**
 * The state that a move leads to (specification, Note revision states). The same state: nothing changes. `refused`: only
 * the head of a chain is revised and unarchived, and an archived note is unarchived before it is revised.
 */
export const transitions: { readonly [from in NoteState]: { readonly [move in NoteMove]: NoteState | "refused" } } = {
  active: { archive: "archived", unarchive: "active", supersede: "superseded" },
  archived: { archive: "archived", unarchive: "active", supersede: "refused" },
  superseded: { archive: "archived_superseded", unarchive: "refused", supersede: "refused" },
  archived_superseded: { archive: "archived_superseded", unarchive: "refused", supersede: "refused" }
}

/** The state of a note with these marks. */
export const stateOf = (marks: { readonly archived: boolean; readonly superseded: boolean }): NoteState =>
  marks.archived ? (marks.superseded ? "archived_superseded" : "archived") : marks.superseded ? "superseded" : "active"

/** The marks of a note in this state. */
export const marksOf = (state: NoteState): { readonly archived: boolean; readonly superseded: boolean } => ({
  archived: state === "archived" || state === "archived_superseded",
  superseded: state === "superseded" || state === "archived_superseded"
})

/**
 * How many notes more there are that count, where notes in these states become notes in those: the ones that are neither
 * archived nor superseded do.
 */
export const activeCountDelta = (before: ReadonlyArray<NoteState>, after: ReadonlyArray<NoteState>): number => {
  const counted = (states: ReadonlyArray<NoteState>) => states.filter((state) => state === "active").length
  return counted(after) - counted(before)
}

/** Why a state does not allow a move, and what does, for people. */
export const rejectionOf = (state: NoteState, move: NoteMove): string =>
  state === "archived"
    ? "An archived note is not revised: unarchive it first."
    : `A later revision replaced this note: ${move} the last one, which supersededByActivityId leads to.`

/** The faults of a revision as a whole: what the note shall say goes with `supersede`, and with nothing else. */
export const faultsOf = ({ action, supersede }: NoteRevision): ReadonlyArray<Fault> => {
  if (action === "supersede" && supersede === undefined) {
    return [bodyFault("/supersede", "required", "Is required with the action supersede.")]
  }
  return action !== "supersede" && supersede !== undefined
    ? [bodyFault("/supersede", "not_allowed", `Goes with the action supersede only, not with ${action}.`)]
    : []
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

/** The text of the revision of a note: what is not replaced is inherited. */
export const replaceText = (text: NoteText, replacement: NoteReplacement): NoteText => ({
  message: replacement.message ?? text.message,
  contentFormat: replacement.contentFormat === undefined ? text.contentFormat : formatOf(replacement.contentFormat)
})
