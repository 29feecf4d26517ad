/** Change records: what a change did to a resource, for timelines, events and dry runs. */
import type * as Id from "../Id.ts"
import type { Actor } from "../auth/CurrentActor.ts"
import type { ActionDetails } from "./Action.ts"
import type { EventExtras, EventNames, EventType } from "./Event.ts"
import type { AuditPartition, RollUp } from "./Timeline.ts"

/** A timeline row of an event. */
export interface AuditTimelineRow {
  readonly event: EventType
  readonly details: ActionDetails
  /** Its UUID, if the caller refers to the row before it is written. */
  readonly id?: string
  /** Its partition of the timeline; defaults to `audit`. */
  readonly partition?: AuditPartition
  /** False if it only tells readers of the timeline: then the record's own event tells subscribers. */
  readonly isEvent?: boolean
}

/** The timeline row of a note, which is the resource itself. */
export interface NoteTimelineRow {
  readonly type: "note"
  readonly id: string
  readonly message: string
  readonly contentFormat: "markdown" | null
  /** The UUID of the note that this one replaces. */
  readonly supersedes: string | null
}

/** The timeline row of something that the broker and an investor exchanged. Its text is not in it. */
export interface ChatTimelineRow {
  readonly type: "chat"
  /** Its UUID, if the caller refers to the row before it is written. */
  readonly id?: string
  readonly event: EventType
  readonly details: ActionDetails
  /** As that of an {@link AuditTimelineRow}. */
  readonly isEvent?: boolean
}

/** A row of a timeline. */
export type TimelineRow = AuditTimelineRow | ChatTimelineRow | NoteTimelineRow

/** A resource on whose timeline a row is. */
export interface TimelineSubject {
  readonly type: Id.Prefix
  /** Its UUID. */
  readonly id: string
  /** If the row belongs to a record below this subject: the kind of that record. */
  readonly rollUp?: RollUp
}

/** A resource by its UUID. */
export interface ChangedResource {
  readonly type: Id.Prefix
  readonly id: string
}

/** The event from which a change record follows: something that the same transaction did to another resource. */
export interface Cause {
  readonly event: EventType
  readonly resource: ChangedResource
}

/** What a change did to one resource. Ids are UUIDs. */
export interface ChangeRecord {
  readonly change: "created" | "updated" | "deleted" | "restored"
  readonly resource: ChangedResource
  /** The team (UUID) that it belongs to, if the change crosses teams (Crossing.ts); defaults to the team of the actor. */
  readonly teamId?: string
  /** Its actor, if the change commits for several actors; defaults to the actor of the change. */
  readonly actor?: Pick<Actor, "userId" | "clientId">
  /** The timelines of the row, including that of the resource; empty for none. */
  readonly subjects: ReadonlyArray<TimelineSubject>
  readonly timeline?: TimelineRow
  /** The event of the record, besides that of the timeline row if their names differ; see `eventsOf` (Events.ts). */
  readonly event?: { readonly type: EventType; readonly extras: EventExtras }
  /** What its events name besides the resource. */
  readonly names?: EventNames
  readonly cause?: Cause
}
