/** Rows of timelines as they are stored. */
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "../../platform/db/Database.ts"
import { versionEtag } from "../usecase/Precondition.ts"
import * as Id from "../Id.ts"
import type { Action, ActionDetails, NoteAction } from "./Action.ts"

/** A row with the name of its actor. `version` and the columns after it are for notes only. */
export interface ActionRow {
  readonly id: string
  readonly type: string
  readonly event: string | null
  readonly occurred_at: Date
  readonly actor_user_id: string | null
  readonly actor_name: string | null
  readonly details: { readonly kind: string; readonly message?: string }
  readonly version: string
  readonly content_format: string | null
  readonly archived_at: Date | null
  readonly supersedes: string | null
  readonly superseded_by: string | null
}

/** The SQL of an {@link ActionRow}'s columns, of `actions a`. `actorName` is that of its actor's name. */
export const actionColumns = (sql: Database["Service"], actorName: Fragment) => sql`
  a.id, a.type, a.event, a.occurred_at, a.actor_user_id, ${actorName} as actor_name, a.details, a.version::text,
  a.content_format, a.archived_at, a.supersedes, a.superseded_by`

const anyRow = (row: ActionRow) => ({
  id: Id.fromUuid("act", row.id),
  occurredUtc: row.occurred_at.toISOString(),
  actor: { id: Id.fromUuidOrNull("user", row.actor_user_id), name: row.actor_name }
})

/** The answer for a note. */
export const toNote = (row: ActionRow): NoteAction => {
  const archivedAt = row.archived_at?.toISOString() ?? null
  return {
    ...anyRow(row),
    type: "note",
    event: null,
    details: { kind: "note", message: row.details.message ?? "", archivedAt },
    etag: versionEtag(row.version),
    archivedAt,
    contentFormat: row.content_format,
    ...(row.supersedes === null ? {} : { supersedesActivityId: Id.fromUuid("act", row.supersedes) }),
    ...(row.superseded_by === null ? {} : { supersededByActivityId: Id.fromUuid("act", row.superseded_by) })
  }
}

/** The record that a row belongs to. `id` is a UUID; undefined if it is not known. */
export interface RowSubject {
  readonly type: Id.Prefix
  readonly id: string | undefined
}

/** The answer for a row; with `subject` on the timeline of another record. */
export const toAction = (row: ActionRow, subject?: RowSubject): Action => {
  const action: Action =
    row.type === "note"
      ? toNote(row)
      : { ...anyRow(row), type: row.type, event: row.event, details: row.details as ActionDetails }
  if (subject === undefined) return action
  const { id, type } = subject
  return { ...action, subject: type, ...(id === undefined ? {} : { subjectId: Id.fromUuid(type, id) }) }
}
