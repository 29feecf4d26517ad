/**
 * The contract of webhooks, in terms of OpenAPI: the payload of each type of event, what receivers get besides, and what they answer.
 * What a type of event tells is in SampleEvent.ts, where test deliveries have their examples.
 */
import { readFileSync } from "node:fs"
import {
  type EventResource,
  type EventType,
  eventTypes,
  isRecordEvent,
  recordEventTypes,
  resourceOf
} from "../core/mutation/Event.ts"
import { exampleId, sampleExtrasOf, sampleOf, summaryOf } from "../core/mutation/SampleEvent.ts"
import { capital, type Header, mapValues, type Response, type Schema, type Schemas, textSchema } from "./OpenApiSpec.ts"

const exampleTime = new Date("2026-11-21T09:30:00.000Z")

const objectOf = (properties: Schemas, required = Object.keys(properties)): Schema => ({
  type: "object",
  properties,
  required
})

const noteId = textSchema("The id of the note that was written with the change.", exampleId("act"))
const from = textSchema("The previous classification, interest or stage; absent if there was none.", "contacted")
const to = textSchema("The new classification, interest or stage; absent if it was cleared.", "interested")

const actionWith = (members: Schemas, type = textSchema("The type; events document those that are known.", "merged")) =>
  objectOf({ type, ...members }, ["type"])

/** The shapes of `action`, each of which several types of events have. */
const actionShapes = {
  EventAction: actionWith({}),
  EventMergedInto: actionWith({
    to: textSchema("The id of the record that this one was merged into.", exampleId("contact"))
  }),
  EventMove: actionWith({ from, to }),
  EventMoveWithNote: actionWith({ from, to, note_id: noteId })
}

/** Describes the `action` member of an event type: when it is present, its known types, and its shape or its own members. */
interface ActionDescription {
  readonly description: string
  readonly types: ReadonlyArray<string>
  readonly members: keyof typeof actionShapes | Schemas
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

/** The actions that an example does not tell: of several types, of types that not every event has, or with members of their own. */
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
  "offer.updated": {
    description: "What happened.",
    types:
      "read accepted rejected expired removed restored closed communicated merged access_granted access_revoked access_expired file_uploaded answer_published message_sent file_shared".split(
        " "
      ),
    members: "EventAction"
  },
  "note.superseded": {
    description: "What happened.",
    types: ["superseded"],
    members: { to: textSchema("The id of the note that replaced this one.", exampleId("act")) }
  },
  "webhook.disabled": {
    description: "What happened.",
    types: ["disabled"],
    members: { reason: textSchema("Why: `receiver_gone` or `deliveries_exhausted`.", "deliveries_exhausted") }
  }
}

/** The action of an event type; undefined if it has none. What a move of a prospect tells, its `prospect.updated` tells, too. */
const actionOf = (type: EventType): ActionDescription | undefined => {
  const { action } = sampleExtrasOf(type)
  if (actions[type] !== undefined || action === undefined) return actions[type]
  const ofProspect =
    action.type === "stage_raised" ? "Present if the stage was raised." : "What happened, as in `prospect.updated`."
  return {
    description: resourceOf(type) === "prospect" ? ofProspect : "What happened.",
    types: [action.type],
    members: "note_id" in action ? "EventMoveWithNote" : "from" in action ? "EventMove" : "EventAction"
  }
}

const actionSchema = ({ description, members, types }: ActionDescription): Schema => {
  const known = types.map((type) => `\`${type}\``).join(", ")
  const ofTypes = `${description} Known types: ${known}. Later versions may add more.`
  return typeof members === "string"
    ? { description: ofTypes, $ref: `#/components/schemas/${members}` }
    : { description: ofTypes, ...actionWith(members, textSchema("The type.", types[0] ?? "")) }
}

const idOf = (resource: string, description = `The id of the ${resource}.`) =>
  textSchema(description, exampleId(resource))

/** What payloads refer to: repeated in each of them, it would be most of the document. */
const members = {
  EventCause: {
    type: "object",
    description: "The event from which this one follows; absent if the change was requested itself.",
    properties: {
      event: textSchema("The type of that event.", "contact.deleted"),
      resource_id: textSchema("The id of its resource.", exampleId("contact"))
    },
    required: ["event", "resource_id"]
  },
  EventChangedFields: {
    type: ["array", "null"],
    items: { type: "string" },
    description: "The names of the changed fields; null if none of them changed, and `action` tells what happened.",
    examples: [["email", "phone"]]
  },
  EventExternalRefs: {
    type: "array",
    description: "The external references that the resource had when it was deleted.",
    items: objectOf({
      namespace: { type: "string", examples: ["crm"] },
      id: { type: "string", examples: ["4711"] }
    })
  },
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
  EventQuestionId: idOf("question"),
  EventTeamId: idOf("team", "The id of the team that it concerns; absent if it concerns the installation."),
  EventTargetId: textSchema("The id of what was acted upon; absent if there is none.", exampleId("client"))
}

const component = (name: keyof typeof members): Schema => ({ $ref: `#/components/schemas/${name}` })

const project = { project_id: component("EventProjectId") }
const prospect = { prospect_id: component("EventProspectId") }
const ends = { contact_id: component("EventContactId"), company_id: component("EventCompanyId") }
const property = { property_id: component("EventPropertyId") }
const investor = { contact_id: component("EventInvestorContactId"), company_id: component("EventInvestorCompanyId") }

/** The ids that events of a resource type name: those that all of them have, and those that some have. */
const namedIds: { readonly [resource: string]: { readonly all?: object; readonly some?: object } } = {
  link: { all: ends },
  prospect: { all: project, some: investor },
  mandate: { some: investor },
  teaser: { some: { ...project, ...property, room_id: component("EventRoomId") } },
  room: { all: project, some: { ...prospect, ...investor, question_id: component("EventQuestionId") } },
  note: { some: { ...project, ...prospect, ...ends, ...property } },
  file: { some: { ...ends, ...property } },
  audit: { some: { team_id: component("EventTeamId"), target_id: component("EventTargetId") } }
}

const common: Schemas = {
  resource_id: textSchema("The id of the resource.", exampleId("contact")),
  timestamp: {
    ...textSchema("When the change was made, in UTC with milliseconds.", exampleTime.toISOString()),
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

/** The name of the component that is the base of a resource type's payloads. */
const baseName = (resource: EventResource): string => `${capital(resource)}Event`

/** What the payloads of all events of a resource type have. */
const baseOf = (resource: EventResource): Schema => {
  const { all, some } = namedIds[resource] ?? {}
  const always = { resource_type: { type: "string", enum: [resource] }, ...all }
  return {
    description: `What the payloads of all events of the type \`${resource}\` have.`,
    allOf: [
      { $ref: "#/components/schemas/EventPayload" },
      { type: "object", properties: { ...always, ...some }, required: Object.keys(always) }
    ]
  }
}

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
  ...Object.fromEntries(eventTypes.map(resourceOf).map((resource) => [baseName(resource), baseOf(resource)]))
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
  const action = actionOf(type)
  return {
    type: "object",
    properties: { ...properties, ...(action === undefined ? {} : { action: actionSchema(action) }) },
    required: Object.keys(properties)
  }
}

const pascalCase = (type: EventType): string => type.split(/[._]/).map(capital).join("")

const componentOf = (type: EventType): string => `${pascalCase(type)}Event`

/** The schemas that the webhooks refer to. */
export const eventSchemas: Schemas = {
  ...payloadComponents,
  ...Object.fromEntries(
    eventTypes.map((type) => [
      componentOf(type),
      { allOf: [{ $ref: `#/components/schemas/${baseName(resourceOf(type))}` }, ownMembers(type)] }
    ])
  )
}

/** What receivers of any event do, once for all webhooks: a generated document would repeat it for each. */
export const webhookTag = {
  name: "Webhooks",
  description: readFileSync(new URL("webhooks.md", import.meta.url), "utf8").trimEnd()
}

const headers = [
  {
    name: "webhook-id",
    description: "The message's id, the same on every attempt: ignore a message that you have processed.",
    example: "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"
  },
  { name: "webhook-timestamp", description: "The time of this attempt, in Unix seconds.", example: "1795253400" },
  {
    name: "webhook-signature",
    description:
      "One or more signatures, separated by spaces: one for each secret while a replaced secret still signs.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  },
  { name: "X-Service-Event", description: "The type of the event.", example: "contact.created" },
  { name: "X-Service-Test", description: "`true` on test deliveries, and absent on others.", example: "true" }
].map(({ description, example, name }) => ({
  name,
  in: "header",
  required: name !== "X-Service-Test",
  description,
  schema: { type: "string", examples: [example] }
}))

const retryAfter: Readonly<Record<string, Header>> = {
  "retry-after": {
    description: "The least delay before the next attempt, in seconds or as a date; at most 24 hours.",
    schema: { type: "string" }
  }
}

const responses: { readonly [status: string]: { readonly name: string } & Response } = {
  "2XX": {
    name: "ReceiverAccepts",
    description:
      "The receiver accepts the message. The response must end within 10 seconds, or its first 16 KiB arrive by then. The service keeps it in the delivery log, and reads nothing from it."
  },
  "410": {
    name: "ReceiverIsGone",
    description: "The receiver wants no more messages. The service disables the webhook."
  },
  "429": { name: "ReceiverLimitsRate", description: "The service retries later.", headers: retryAfter },
  "4XX": {
    name: "ReceiverRejects",
    description: "The receiver rejects the message. The service does not retry this delivery."
  },
  "503": { name: "ReceiverIsUnavailable", description: "The service retries later.", headers: retryAfter },
  "5XX": { name: "ReceiverFails", description: "The service retries later." }
}

/** What all webhooks share, as components to which they refer. */
export const webhookComponents = {
  parameters: Object.fromEntries(headers.map((header) => [header.name, header])),
  responses: Object.fromEntries(Object.values(responses).map(({ name, ...response }) => [name, response]))
}

/** A webhook whose receiver gets events of these types. */
const webhookOf = (name: string, summary: string, schema: Schema, types: ReadonlyArray<EventType>) => {
  const examples = types.map((type) => [type, { summary: summaryOf(type), value: sampleOf(type, exampleTime) }])
  return {
    post: {
      operationId: `events.${name}`,
      summary,
      tags: [webhookTag.name],
      security: [],
      parameters: headers.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: { "application/json": { schema, examples: Object.fromEntries(examples) as object } }
      },
      responses: mapValues(responses, ({ name }) => ({ $ref: `#/components/responses/${name}` }))
    }
  }
}

const referenceTo = (type: EventType) => ({ $ref: `#/components/schemas/${componentOf(type)}` })

const ofOneType = (type: EventType) => {
  const name = pascalCase(type)
  return webhookOf(`${name.slice(0, 1).toLowerCase()}${name.slice(1)}`, summaryOf(type), referenceTo(type), [type])
}

const furtherTypes = eventTypes.filter((type) => !isRecordEvent(type))

/** The webhooks: one for each type that tells of a resource as a whole, and one for all further types. */
export const webhooks = {
  ...Object.fromEntries(recordEventTypes.map((type) => [type, ofOneType(type)])),
  further: webhookOf(
    "further",
    "Something further happened",
    { description: "Discriminated by `event`.", oneOf: furtherTypes.map(referenceTo) },
    furtherTypes
  )
}
