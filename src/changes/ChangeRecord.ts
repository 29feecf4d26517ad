/** What happened to resources, for timelines and events, before it is written. */
import type { Actor } from "../auth/CurrentActor.ts"
import type * as Id from "../Id.ts"
import type { ActionDetails, ActionEvent } from "./Action.ts"
import type { EventExtras, EventResource, EventType } from "./Event.ts"
import type { AuditPartition, RollUp } from "./Timeline.ts"

/** A row that says what happened. */
export interface AuditTimelineRow {
  readonly event: ActionEvent
  readonly details: ActionDetails
  /** Its UUID, where something is to name the row before it is written. */
  readonly id?: string
  /** What part of the timeline it stands in: `audit` unless told. */
  readonly partition?: AuditPartition
}

/** A row that is the resource itself, so that its id is known before it is written. */
export interface NoteTimelineRow {
  readonly type: "note"
  readonly id: string
  readonly message: string
  readonly contentFormat: "markdown" | null
  /** The note that this one replaces. */
  readonly supersedes: string | null
}

/** What a row stands on the timeline of. */
export interface TimelineSubject {
  readonly type: Id.Prefix
  /** Its UUID. */
  readonly id: string
  /** Where the row is not this subject's own, but that of a record below it: which kind of record. */
  readonly rollUp?: RollUp
}

/** What happened to one resource. Ids are UUIDs. */
export interface ChangeRecord {
  readonly change: "created" | "updated" | "deleted" | "restored"
  readonly resource: { readonly type: Id.Prefix; readonly id: string }
  /** Whose doing it is, where a change is that of several of a team; else the change's own. */
  readonly actor?: Pick<Actor, "userId" | "clientId">
  /** The timelines that the row stands on, the resource's own included. None: the change is on no timeline. */
  readonly subjects: ReadonlyArray<TimelineSubject>
  readonly timeline?: AuditTimelineRow | NoteTimelineRow
  readonly event?: { readonly type: EventType; readonly resource: EventResource; readonly extras: EventExtras }
}
