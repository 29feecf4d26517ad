/** The events of webhooks, the journal and timelines (docs/behaviour/webhooks.md#events). */
import { Schema } from "effect"

/** The types of the events of records. Readers of the journal get these unless they ask for others. */
export const recordEventTypes = [
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "company.created",
  "company.updated",
  "company.deleted",
  "link.created",
  "link.updated",
  "link.deleted",
  "property.created",
  "property.updated",
  "property.deleted",
  "project.created",
  "project.updated",
  "project.deleted",
  "project.restored",
  "prospect.created",
  "prospect.updated",
  "prospect.deleted",
  "mandate.created",
  "mandate.updated",
  "mandate.deleted",
  "offer.created",
  "offer.updated",
  "teaser.published",
  "teaser.communicated"
] as const

/** The types of all events: one closed vocabulary. The part before the dot is the type of the resource. */
export const eventTypes = [
  ...recordEventTypes,
  "project.closed",
  "project.reopened",
  "project.communicated",
  "prospect.removed",
  "prospect.restored",
  "prospect.teaser_communicated",
  "prospect.im_shared",
  "prospect.room_access_granted",
  "prospect.bid_recorded",
  "prospect.accepted",
  "prospect.rejected",
  "prospect.classified",
  "prospect.interest_changed",
  "prospect.stage_overridden",
  "prospect.stage_override_withdrawn",
  "prospect.project_tags_changed",
  "prospect.external_refs_changed",
  "prospect.owner_changed",
  "prospect.access_expiry_changed",
  "prospect.task_added",
  "prospect.task_updated",
  "prospect.task_completed",
  "prospect.task_canceled",
  "prospect.task_reopened",
  "prospect.message_sent",
  "prospect.file_shared",
  "prospect.call_logged",
  "teaser.updated",
  "teaser.unpublished",
  "teaser.verified",
  "teaser.unverified",
  "offer.read",
  "offer.accepted",
  "offer.rejected",
  "offer.expired",
  "offer.removed",
  "offer.restored",
  "offer.closed",
  "room.opened",
  "room.updated",
  "room.winding_down",
  "room.reopened",
  "room.closed",
  "room.access_granted",
  "room.access_revoked",
  "room.access_expired",
  "room.file_uploaded",
  "room.question_asked",
  "room.question_updated",
  "room.answer_drafted",
  "room.question_answered",
  "room.question_closed",
  "note.created",
  "note.superseded",
  "note.archived",
  "note.unarchived",
  "file.uploaded",
  "file.deleted",
  "webhook.failing",
  "webhook.disabled"
] as const

/** The type of an event. */
export const EventType = Schema.Literals(eventTypes)
export type EventType = typeof EventType.Type

/** The type of an event of a record. */
export type RecordEventType = (typeof recordEventTypes)[number]

/** Whether a type is one of the events of records. */
export const isRecordEvent = (type: EventType): type is RecordEventType =>
  recordEventTypes.some((recordType) => recordType === type)

/** The types of resources that have events. */
export const eventResources = [
  "contact",
  "company",
  "link",
  "property",
  "project",
  "prospect",
  "mandate",
  "teaser",
  "offer",
  "room",
  "note",
  "file",
  "webhook"
] as const
export type EventResource = (typeof eventResources)[number]

/** The type of the resource of an event. */
export const resourceOf = (type: EventType): EventResource => type.slice(0, type.indexOf(".")) as EventResource

/** What a subscription may name besides the types: everything, or all events of one type of resource. */
export const wildcards = ["*", ...eventResources.map((resource) => `${resource}.*` as const)] as const

/** An event type or a wildcard. */
export const EventPattern = Schema.Literals([...eventTypes, ...wildcards])
export type EventPattern = typeof EventPattern.Type

/** The patterns that stand for an event type: its name and its wildcards. */
export const patternsOf = (type: EventType): ReadonlyArray<EventPattern> => [type, `${resourceOf(type)}.*`, "*"]

/** The event types for which any of these patterns stands, in the order of the vocabulary. */
export const typesOf = (patterns: ReadonlyArray<string>): ReadonlyArray<EventType> =>
  eventTypes.filter((type) => patternsOf(type).some((pattern) => patterns.includes(pattern)))

/** The ids by which an event names the resources around its own. */
export interface EventNames {
  readonly project_id?: string
  readonly prospect_id?: string
  /** On links and their like: the contact. On prospects and mandates: the contact that is the investor. */
  readonly contact_id?: string
  /** As `contact_id`, of a company. */
  readonly company_id?: string
  /** On notes, files and teasers: the property. */
  readonly property_id?: string
  readonly room_id?: string
  readonly question_id?: string
}

/** What happened, where the type of the event and its changed fields do not tell it. */
export interface EventAction {
  readonly type: string
  readonly from?: string
  readonly to?: string
  readonly note_id?: string
  /** Why the service disabled a webhook. */
  readonly reason?: string
}

/** The members that only some types of events have. */
export interface EventExtras extends EventNames {
  /** On updates: the changed fields (docs/behaviour/webhooks.md#changed-fields); null if only other members changed. */
  readonly changed_fields?: ReadonlyArray<string> | null
  readonly action?: EventAction
  /** On follow-up tasks of prospects. */
  readonly task_id?: string
  readonly external_refs?: ReadonlyArray<{ readonly namespace: string; readonly id: string }>
  /** The event from which this one follows. */
  readonly caused_by?: { readonly event: EventType; readonly resource_id: string }
}

/** The payload of an event as JSON, with its members in the order in which they are sent. */
export const payloadOf = (event: {
  readonly type: EventType
  readonly resourceId: string
  readonly at: Date
  readonly actionId: number
  readonly actorUserId: string | null
  readonly clientId: string | null
  readonly extras: EventExtras
}): string =>
  JSON.stringify({
    event: event.type,
    resource_type: resourceOf(event.type),
    resource_id: event.resourceId,
    timestamp: event.at.toISOString(),
    action_id: event.actionId,
    actor_user_id: event.actorUserId,
    change_initiator: event.clientId === null ? null : { type: "oauth_client", client_id: event.clientId },
    ...event.extras
  })
