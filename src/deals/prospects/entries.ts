/** Audit entries of prospects: their timeline rows and events (docs/behaviour/projects-and-prospects.md#updating-prospects). */
import type { ActionDetails } from "../../core/mutation/Action.ts"
import type { ChangeRecord, ChatTimelineRow } from "../../core/mutation/ChangeRecord.ts"
import type { EventExtras, EventNames, EventType } from "../../core/mutation/Event.ts"
import type { AuditPartition } from "../../core/mutation/Timeline.ts"
import type { ExternalRef } from "../../core/externalRefs/ExternalRef.ts"
import type { Stage } from "./Prospect.ts"
import * as Id from "../../core/Id.ts"
import type { ProspectRef, ProspectSubject } from "./ProspectState.ts"

/** One thing that happened to a prospect: a row of its timelines, its event, and where `webhook` is set, an event of the record. */
export interface AuditEntry {
  readonly change: ChangeRecord["change"]
  readonly event: EventType
  readonly details?: Omit<Extract<ActionDetails, { readonly kind: "audit" }>, "kind">
  readonly partition?: AuditPartition
  /** The UUID of the row, if the caller chooses it. */
  readonly id?: string
  /** The event of the same prospect from which this one follows. */
  readonly causedBy?: EventType
  readonly webhook?: {
    readonly type: "prospect.created" | "prospect.updated" | "prospect.deleted"
    readonly extras: EventExtras
  }
}

/** A prospect's rows are on its own timeline and, rolled up, on that of its project. */
export const subjectsOf = ({ projectUuid, uuid }: ProspectRef): ChangeRecord["subjects"] => [
  { type: "prospect", id: uuid },
  { type: "project", id: projectUuid, rollUp: "prospect" }
]

/** What every event of a prospect names, so that subscribers can reach it and its investor. */
const namesOf = ({ companyId, contactId, projectUuid }: ProspectSubject): EventNames => ({
  project_id: Id.fromUuid("project", projectUuid),
  ...(contactId === null ? {} : { contact_id: contactId }),
  ...(companyId === null ? {} : { company_id: companyId })
})

/** The change record of an entry. */
export const changeRecordOf = (ref: ProspectSubject, entry: AuditEntry): ChangeRecord => ({
  change: entry.change,
  resource: { type: "prospect", id: ref.uuid },
  subjects: subjectsOf(ref),
  timeline: {
    event: entry.event,
    details: { kind: "audit", ...entry.details },
    ...(entry.partition === undefined ? {} : { partition: entry.partition }),
    ...(entry.id === undefined ? {} : { id: entry.id })
  },
  ...(entry.webhook === undefined ? {} : { event: entry.webhook }),
  ...(entry.causedBy === undefined
    ? {}
    : { cause: { event: entry.causedBy, resource: { type: "prospect", id: ref.uuid } } }),
  names: namesOf(ref)
})

/** The change record of a row of chat. */
export const chatRecordOf = (
  ref: ProspectSubject,
  row: Pick<ChatTimelineRow, "id" | "event" | "details">
): ChangeRecord => ({
  change: "updated",
  resource: { type: "prospect", id: ref.uuid },
  subjects: subjectsOf(ref),
  timeline: { type: "chat", ...row },
  names: namesOf(ref)
})

/** The change record of an update that only dry runs list: no timeline row and no event. */
export const silentUpdate = (uuid: string): ChangeRecord => ({
  change: "updated",
  resource: { type: "prospect", id: uuid },
  subjects: []
})

/** The event of an update: `action` is its cause, `changed` are names from the changed-field table. */
export const updateEvent = (
  action: EventExtras["action"],
  changed: ReadonlyArray<string> | null = null
): NonNullable<AuditEntry["webhook"]> => ({
  type: "prospect.updated",
  extras: { changed_fields: changed, ...(action === undefined ? {} : { action }) }
})

/** `from` and `to`, without those that are null. */
export const fromTo = (from: string | null, to: string | null) => ({
  ...(from === null ? {} : { from }),
  ...(to === null ? {} : { to })
})

/** An entry of an update. */
export const updateEntry = (event: EventType, webhook?: AuditEntry["webhook"]): AuditEntry => ({
  change: "updated",
  event,
  ...(webhook === undefined ? {} : { webhook })
})

/** The entry of changed project tags. */
export const projectTagsChangedEntry: AuditEntry = updateEntry(
  "prospect.project_tags_changed",
  updateEvent(undefined, ["project_tags"])
)

/** The entry of a new prospect. */
export const addedEntry: AuditEntry = {
  change: "created",
  event: "prospect.created",
  webhook: { type: "prospect.created", extras: { action: { type: "added" } } }
}

/** The entry of a removal from the list. */
export const removedEntry: AuditEntry = {
  change: "updated",
  event: "prospect.removed",
  webhook: updateEvent({ type: "removed" }, ["deleted_at"])
}

/** The entry of a deleted prospect, with the references that it had. */
export const deletedEntry = (externalRefs: ReadonlyArray<ExternalRef>): AuditEntry => ({
  change: "deleted",
  event: "prospect.deleted",
  webhook: {
    type: "prospect.deleted",
    extras: { external_refs: externalRefs.map(({ externalId, namespace }) => ({ namespace, id: externalId })) }
  }
})

/** The entry of a stage that a merge raised; none if it stayed the same. */
export const stageRaisedEntries = (from: Stage, to: Stage): ReadonlyArray<AuditEntry> =>
  from === to
    ? []
    : [
        {
          change: "updated",
          event: "prospect.updated",
          details: fromTo(from, to),
          webhook: updateEvent({ type: "stage_raised", from, to })
        }
      ]
