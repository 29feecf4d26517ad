/** The events of change records: pure. See docs/behaviour/webhooks.md#event-types. */
import * as Id from "../Id.ts"
import type { ChangeRecord, TimelineSubject } from "./ChangeRecord.ts"
import { changedFieldNames, fieldsOfEvent, namesOf } from "./ChangedFields.ts"
import { type EventExtras, type EventNames, type EventType, isRecordEvent } from "./Event.ts"

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
