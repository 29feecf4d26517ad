/** The events of webhooks and the journal (docs/behaviour/webhooks.md#events). */
import { Schema } from "effect"

/** The types of events. */
export const eventTypes = [
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "company.created",
  "company.updated",
  "company.deleted",
  "link.created",
  "link.updated",
  "link.deleted",
  "project.created",
  "project.updated",
  "project.deleted",
  "project.restored",
  "prospect.created",
  "prospect.updated",
  "prospect.deleted"
] as const

/** The type of an event. */
export const EventType = Schema.Literals(eventTypes)
export type EventType = typeof EventType.Type

/** The resources that have events. */
export type EventResource = "contact" | "company" | "link" | "project" | "prospect"

/** The members that only some types of events have. */
export interface EventExtras {
  /** On updates: the changed fields (docs/behaviour/webhooks.md#changed-fields); null if only other members changed. */
  readonly changed_fields?: ReadonlyArray<string> | null
  readonly action?: { readonly type: string; readonly from?: string; readonly to?: string; readonly note_id?: string }
  /** On events of prospects. */
  readonly project_id?: string
  /** On events of links, and of prospects that are a contact. */
  readonly contact_id?: string
  /** On events of links, and of prospects that are a company. */
  readonly company_id?: string
  readonly external_refs?: ReadonlyArray<{ readonly namespace: string; readonly id: string }>
}

/** The payload of an event as JSON, with its members in the order in which they are sent. */
export const payloadOf = (event: {
  readonly type: EventType
  readonly resourceType: EventResource
  readonly resourceId: string
  readonly at: Date
  readonly actionId: number
  readonly actorUserId: string | null
  readonly clientId: string | null
  readonly extras: EventExtras
}): string =>
  JSON.stringify({
    event: event.type,
    resource_type: event.resourceType,
    resource_id: event.resourceId,
    timestamp: event.at.toISOString(),
    action_id: event.actionId,
    actor_user_id: event.actorUserId,
    change_initiator: event.clientId === null ? null : { type: "oauth_client", client_id: event.clientId },
    ...event.extras
  })
