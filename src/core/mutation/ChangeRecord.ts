/**
 * Change records: what a change did to a resource, for timelines, events and dry runs; the events that they become, and the report of a
 * dry run.
 */
import * as Id from "../Id.ts"
import type { Actor } from "../auth/CurrentActor.ts"
import type { ActionDetails, AuditPartition, RollUp } from "./Timeline.ts"
import {
  changedFieldNames,
  type EventExtras,
  type EventNames,
  type EventType,
  fieldsOfEvent,
  isRecordEvent,
  namesOf
} from "./Event.ts"
import { Context } from "effect"

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

/** A type of resource that has change records. Who may call has entries in the audit log instead. */
export type ChangedType = Exclude<Id.Prefix, "client" | "team" | "token" | "user">

/** A resource by its UUID. */
export interface ChangedResource {
  readonly type: ChangedType
  readonly id: string
}

/** The event from which a change record follows: something that the same transaction did to another resource. */
export interface Cause {
  readonly event: EventType
  readonly resource: ChangedResource
}

/** What a change did to one resource. Ids are UUIDs. */
export interface ChangeRecord {
  readonly change: "created" | "updated" | "deleted" | "restored" | "erased"
  readonly resource: ChangedResource
  /** The team (UUID) that it belongs to, if the change crosses teams (Crossing.ts); defaults to the team of the actor. */
  readonly teamId?: string
  /** Its actor, if the change commits for several actors; defaults to the actor of the change. */
  readonly actor?: Pick<Actor, "userId" | "clientId">
  /** The timelines of the row, including that of the resource; empty for none. */
  readonly subjects: ReadonlyArray<TimelineSubject>
  readonly timeline?: TimelineRow
  /** The event of the record, besides that of the timeline row if their names differ; see {@link eventsOf}. */
  readonly event?: { readonly type: EventType; readonly extras: EventExtras }
  /** What its events name besides the resource. */
  readonly names?: EventNames
  readonly cause?: Cause
}

// The events of change records: pure. See docs/behaviour/webhooks.md#event-types.

/** An event of a change record. */
export interface EmittedEvent {
  readonly type: EventType
  readonly extras: EventExtras
}

/** The details of timeline rows that events have, too. Of the rows with events of their own, those of tasks and questions list members. */
interface RowDetails {
  readonly from?: string
  readonly to?: string
  readonly noteId?: string
  readonly taskId?: string
  readonly questionId?: string
  readonly changedFields?: ReadonlyArray<string>
}

/** The names of the members that a row lists as changed. */
const fieldsOfRow = ({ changedFields, questionId }: RowDetails) =>
  changedFields &&
  namesOf<string>(questionId === undefined ? changedFieldNames.task : changedFieldNames.question, changedFields)

/** What the details of a timeline row tell subscribers. Texts stay in the timeline. */
const extrasOfRow = (record: ChangeRecord, type: EventType, details: object): EventExtras => {
  const { from, noteId, taskId, to } = details as RowDetails
  const fields = fieldsOfRow(details) ?? fieldsOfEvent[type]
  const hasAction = from !== undefined || to !== undefined || noteId !== undefined
  const ofRow = {
    type: type.slice(type.indexOf(".") + 1),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(noteId === undefined ? {} : { note_id: noteId })
  }
  const action = record.event?.extras.action ?? (hasAction ? ofRow : undefined)
  return {
    ...(fields === undefined ? {} : { changed_fields: fields }),
    ...(action === undefined ? {} : { action }),
    ...(taskId === undefined ? {} : { task_id: taskId })
  }
}

/**
 * The event that a timeline row is, if the record's own event does not have its name. A row whose name is that of a record's event
 * only tells readers of a timeline what that event tells subscribers.
 */
const eventOfRow = (record: ChangeRecord): EmittedEvent | undefined => {
  const { event, subjects, timeline } = record
  if (timeline === undefined || subjects.length === 0) return undefined
  if ("type" in timeline && timeline.type === "note") return { type: "note.created", extras: {} }
  return timeline.isEvent === false || isRecordEvent(timeline.event) || timeline.event === event?.type
    ? undefined
    : { type: timeline.event, extras: extrasOfRow(record, timeline.event, timeline.details) }
}

/** The events of a change record: its own, and that of its timeline row if that has another name. */
export const eventsOf = (record: ChangeRecord): ReadonlyArray<EmittedEvent> => {
  const { cause, event, names } = record
  const ofRow = eventOfRow(record)
  const emitted = [...(event === undefined ? [] : [event]), ...(ofRow === undefined ? [] : [ofRow])]
  const shared = {
    ...names,
    ...(cause === undefined
      ? {}
      : {
          caused_by: { event: cause.event, resource_id: Id.fromUuid(cause.resource.type, cause.resource.id) }
        })
  }
  return emitted.map(({ extras, type }) => ({ type, extras: { ...extras, ...shared } }))
}

/** What the events of something on these timelines name: each subject that has events of its own. */
export const namesOfSubjects = (subjects: ReadonlyArray<TimelineSubject>): EventNames =>
  Object.fromEntries(subjects.map(({ id, type }) => [`${type}_id`, Id.fromUuid(type, id)]))

// Dry runs (docs/behaviour/http.md#dry-run): everything except the commit.

/** The noun for what changes: a resource, or a teaser, which has the id of its subject. */
export type ChangedNoun = Id.NounOf<ChangedType> | "teaser"

/** A resource that would change. */
export interface Affected {
  readonly type: ChangedNoun
  readonly id: Id.Id
  readonly change: ChangeRecord["change"]
}

/** The report of a dry run, besides the answer. */
export interface Outcome {
  readonly events: Array<{ readonly event: string; readonly resource_id: string }>
  /** Each resource once. */
  affected: ReadonlyArray<Affected>
  /** What would change after the transaction, because it is too much for one. */
  later: ReadonlyArray<Later>
}

/** How many resources of a type change later. */
export interface Later {
  readonly type: ChangedNoun
  readonly change: ChangeRecord["change"]
  readonly count: number
}

// A created resource has no former state, a deleted one no later state, and a restored one may have been updated, too.
const strength: { readonly [Change in Affected["change"]]: number } = {
  created: 4,
  erased: 3,
  deleted: 2,
  restored: 1,
  updated: 0
}

/** Adds resources: each is listed once, in the order of their first mention, with its strongest change. */
export const addAffected = (
  affected: ReadonlyArray<Affected>,
  added: ReadonlyArray<Affected>
): ReadonlyArray<Affected> => {
  const strongest = new Map<string, Affected>()
  for (const one of [...affected, ...added]) {
    const known = strongest.get(one.id)
    if (known === undefined || strength[one.change] > strength[known.change]) strongest.set(one.id, one)
  }
  return [...strongest.values()]
}

/** Set by an adapter for a request that must not be committed: `Changes` fills in the outcome, and rolls back. */
export const DryRun = Context.Reference<Outcome | undefined>("core/mutation/DryRun", { defaultValue: () => undefined })

/** An outcome to fill in. */
export const emptyOutcome = (): Outcome => ({ events: [], affected: [], later: [] })

/** Adds change records to the outcome. */
export const reportChanges = (outcome: Outcome, changeRecords: ReadonlyArray<ChangeRecord>): void => {
  const affected: Array<Affected> = []
  for (const changeRecord of changeRecords) {
    const { change, resource } = changeRecord
    const id = Id.fromUuid(resource.type, resource.id)
    for (const { type } of eventsOf(changeRecord)) outcome.events.push({ event: type, resource_id: id })
    affected.push({ type: Id.nounOf(resource.type), id, change })
  }
  outcome.affected = addAffected(outcome.affected, affected)
}
