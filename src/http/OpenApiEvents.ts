/** The schemas of webhook payloads, by event type. */
import { type EventResource, type EventType, eventTypes, resourceOf } from "../core/mutation/Event.ts"
import { exampleId, sampleExtrasOf } from "../core/mutation/SampleEvent.ts"
import type { Schema, Schemas } from "./OpenApiSpec.ts"

/** The time of all examples of events. */
export const exampleTime = new Date("2026-11-21T09:30:00.000Z")

const stringSchema = (description: string, example: string): Schema => ({
  type: "string",
  description,
  examples: [example]
})

/** The shapes of `action`, each of which several types of events have. */
type ActionShape = "EventAction" | "EventMergedInto" | "EventMove" | "EventMoveWithNote"

/** Describes the `action` member of an event type: when it is present, its known types, and its shape or its own members. */
interface ActionDescription {
  readonly description: string
  readonly types: ReadonlyArray<string>
  readonly members: ActionShape | Readonly<Record<string, Schema>>
}

const survivor: ActionDescription = {
  description: "Present if other records were merged into this one.",
  types: ["merged"],
  members: "EventAction"
}

const merged: ActionDescription = {
  description: "Present if the record was merged into another one.",
  types: ["merged"],
  members: "EventMergedInto"
}

const happened = (...types: ReadonlyArray<string>): ActionDescription => ({
  description: "What happened.",
  types,
  members: "EventAction"
})

/** What a move of a prospect tells, which its `prospect.updated` tells, too. */
const move = (type: string, members: ActionShape = "EventMove"): ActionDescription => ({
  description: "What happened, as in `prospect.updated`.",
  types: [type],
  members
})

const milestone: ActionDescription = { ...move("stage_raised"), description: "Present if the stage was raised." }

const actions: { readonly [Type in EventType]?: ActionDescription } = {
  "contact.updated": survivor,
  "contact.deleted": merged,
  "company.updated": survivor,
  "company.deleted": merged,
  "project.updated": {
    description: "Present if the project was closed or reopened.",
    types: ["closed", "reopened"],
    members: "EventAction"
  },
  "prospect.created": { description: "How the prospect came to the list.", types: ["added"], members: "EventAction" },
  "prospect.updated": {
    description: "What happened; absent if only project tags or external references changed.",
    types: ["classified", "interest_changed", "stage_overridden", "stage_raised", "removed", "restored", "accepted"],
    members: "EventMoveWithNote"
  },
  "prospect.deleted": merged,
  "offer.updated": happened(
    "read",
    "accepted",
    "rejected",
    "expired",
    "removed",
    "restored",
    "closed",
    "communicated",
    "merged",
    "access_granted",
    "access_revoked",
    "access_expired",
    "file_uploaded",
    "answer_published",
    "message_sent",
    "file_shared"
  ),
  "offer.read": happened("read"),
  "offer.accepted": happened("accepted"),
  "offer.rejected": happened("rejected"),
  "offer.expired": happened("expired"),
  "offer.removed": happened("removed"),
  "offer.restored": happened("restored"),
  "offer.closed": happened("closed"),
  "project.closed": happened("closed"),
  "project.reopened": happened("reopened"),
  "prospect.removed": move("removed", "EventAction"),
  "prospect.restored": move("restored", "EventAction"),
  "prospect.teaser_communicated": milestone,
  "prospect.im_shared": milestone,
  "prospect.room_access_granted": milestone,
  "prospect.bid_recorded": milestone,
  "prospect.classified": move("classified", "EventMoveWithNote"),
  "prospect.interest_changed": move("interest_changed"),
  "prospect.stage_overridden": move("stage_overridden"),
  "prospect.stage_override_withdrawn": move("stage_overridden"),
  "note.superseded": {
    description: "What happened.",
    types: ["superseded"],
    members: { to: stringSchema("The id of the note that replaced this one.", exampleId("act")) }
  },
  "webhook.failing": happened("failing"),
  "webhook.disabled": {
    description: "What happened.",
    types: ["disabled"],
    members: {
      reason: stringSchema("Why: `receiver_gone` or `deliveries_exhausted`.", "deliveries_exhausted")
    }
  }
}

const actionMembers = (type: Schema, members: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: "object",
  properties: { type, ...members },
  required: ["type"]
})

const ofKnownType = stringSchema("The type; events document those that are known.", "merged")

const from = stringSchema("The previous classification, interest or stage; absent if there was none.", "contacted")
const to = stringSchema("The new classification, interest or stage; absent if it was cleared.", "interested")
const noteId = stringSchema("The id of the note that was written with the change.", exampleId("act"))

const actionShapes: { readonly [Shape in ActionShape]: Schema } = {
  EventAction: actionMembers(ofKnownType),
  EventMergedInto: actionMembers(ofKnownType, {
    to: stringSchema("The id of the record that this one was merged into.", exampleId("contact"))
  }),
  EventMove: actionMembers(ofKnownType, { from, to }),
  EventMoveWithNote: actionMembers(ofKnownType, { from, to, note_id: noteId })
}

const actionSchema = ({ description, members, types }: ActionDescription): Schema => {
  const known = types.map((type) => `\`${type}\``).join(", ")
  const ofTypes = `${description} Known types: ${known}. Later versions may add more.`
  return typeof members === "string"
    ? { description: ofTypes, $ref: `#/components/schemas/${members}` }
    : { description: ofTypes, ...actionMembers(stringSchema("The type.", types[0] ?? ""), members) }
}

const changedFields: Schema = {
  type: ["array", "null"],
  items: { type: "string" },
  description: "The names of the changed fields; null if none of them changed, and `action` tells what happened.",
  examples: [["email", "phone"]]
}

const externalRefs: Schema = {
  type: "array",
  description: "The external references that the resource had when it was deleted.",
  items: {
    type: "object",
    properties: { namespace: { type: "string", examples: ["crm"] }, id: { type: "string", examples: ["4711"] } },
    required: ["namespace", "id"]
  }
}

const causedBy: Schema = {
  type: "object",
  description: "The event from which this one follows; absent if the change was requested itself.",
  properties: {
    event: stringSchema("The type of that event.", "contact.deleted"),
    resource_id: stringSchema("The id of its resource.", exampleId("contact"))
  },
  required: ["event", "resource_id"]
}

const idOf = (resource: string, description = `The id of the ${resource}.`) =>
  stringSchema(description, exampleId(resource))

/** What payloads refer to: repeated in each of them, it would be most of the document. */
const members = {
  EventCause: causedBy,
  EventChangedFields: changedFields,
  EventExternalRefs: externalRefs,
  EventProjectId: idOf("project"),
  EventProspectId: idOf("prospect"),
  EventContactId: idOf("contact"),
  EventCompanyId: idOf("company"),
  EventPropertyId: idOf("property"),
  // A prospect is a contact or a company: exactly one of the two is present.
  EventInvestorContactId: idOf("contact", "The id of the contact that is the investor; absent if it is a company."),
  EventInvestorCompanyId: idOf("company", "The id of the company that is the investor; absent if it is a contact."),
  EventTaskId: idOf("task"),
  EventRoomId: idOf("room", "The id of the data room."),
  EventQuestionId: idOf("question")
}

const component = (name: keyof typeof members): Schema => ({ $ref: `#/components/schemas/${name}` })

const ids = {
  project_id: component("EventProjectId"),
  prospect_id: component("EventProspectId"),
  contact_id: component("EventContactId"),
  company_id: component("EventCompanyId"),
  property_id: component("EventPropertyId")
}

const investor = { contact_id: component("EventInvestorContactId"), company_id: component("EventInvestorCompanyId") }

/** The ids that events of a resource type name: those that all of them have, and those that some have. */
const namedIds: { readonly [resource: string]: { readonly all: object; readonly some: object } } = {
  link: { all: { contact_id: ids.contact_id, company_id: ids.company_id }, some: {} },
  prospect: { all: { project_id: ids.project_id }, some: investor },
  mandate: { all: {}, some: investor },
  teaser: {
    all: {},
    some: { project_id: ids.project_id, property_id: ids.property_id, room_id: component("EventRoomId") }
  },
  room: {
    all: { project_id: ids.project_id },
    some: { prospect_id: ids.prospect_id, ...investor, question_id: component("EventQuestionId") }
  },
  note: { all: {}, some: ids },
  file: { all: {}, some: { contact_id: ids.contact_id, company_id: ids.company_id, property_id: ids.property_id } }
}

const common: Schemas = {
  resource_id: stringSchema("The id of the resource.", exampleId("contact")),
  timestamp: {
    ...stringSchema("When the change was made, in UTC with milliseconds.", exampleTime.toISOString()),
    format: "date-time"
  },
  action_id: {
    type: "integer",
    description:
      "A number from a sequence, unique to this event. A request that emits several events draws one for each.",
    examples: [4711]
  },
  actor_user_id: {
    type: ["string", "null"],
    description: "The id of the user who made the change; null if no user made it.",
    examples: [exampleId("user")]
  },
  change_initiator: {
    anyOf: [{ $ref: "#/components/schemas/ChangeInitiator" }, { type: "null" }],
    description:
      "The OAuth client that made the change; null if it was made with a personal access token, by the operator or by the service."
  }
}

/** What the payloads of all events of a resource type have. */
const baseOf = (resource: EventResource): Schema => {
  const { all, some } = namedIds[resource] ?? { all: {}, some: {} }
  const always = { resource_type: { type: "string", enum: [resource] }, ...all }
  return {
    description: `What the payloads of all events of the type \`${resource}\` have.`,
    allOf: [
      { $ref: "#/components/schemas/EventPayload" },
      { type: "object", properties: { ...always, ...some }, required: Object.keys(always) }
    ]
  }
}

/** The name of the component that is the base of a resource type's payloads. */
const baseName = (resource: EventResource): string => `${resource.slice(0, 1).toUpperCase()}${resource.slice(1)}Event`

const bases: Schemas = Object.fromEntries(
  eventTypes.map(resourceOf).map((resource) => [baseName(resource), baseOf(resource)])
)

/** The components to which the schemas of payloads refer: what they share. */
export const payloadComponents: Schemas = {
  ChangeInitiator: {
    type: "object",
    description: "The OAuth client that made the change.",
    properties: {
      type: { type: "string", enum: ["oauth_client"] },
      client_id: { type: "string", examples: [exampleId("client")] }
    },
    required: ["type", "client_id"]
  },
  EventPayload: {
    type: "object",
    properties: {
      ...common,
      caused_by: { $ref: "#/components/schemas/EventCause" },
      _test: { type: "boolean", description: "`true` on test deliveries, and absent on others." }
    },
    required: Object.keys(common),
    description: "What the payloads of all events have."
  },
  ...members,
  ...actionShapes,
  ...bases
}

/** The members that the payload of an event type has besides those of all payloads of its resource type. */
export const ownMembers = (type: EventType): Schema => {
  const sample = sampleExtrasOf(type)
  const properties: Schemas = {
    event: { type: "string", enum: [type] },
    ...(sample.changed_fields === undefined ? {} : { changed_fields: component("EventChangedFields") }),
    ...(sample.task_id === undefined ? {} : { task_id: component("EventTaskId") }),
    ...(sample.external_refs === undefined ? {} : { external_refs: component("EventExternalRefs") })
  }
  const action = actions[type]
  return {
    type: "object",
    properties: { ...properties, ...(action === undefined ? {} : { action: actionSchema(action) }) },
    required: Object.keys(properties)
  }
}

/** The schema of the payload of an event type. */
export const payloadSchema = (type: EventType): Schema => ({
  allOf: [{ $ref: `#/components/schemas/${baseName(resourceOf(type))}` }, ownMembers(type)]
})
