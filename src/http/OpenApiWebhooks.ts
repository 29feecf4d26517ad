/** The `webhooks` of the OpenAPI document: what receivers of events get, and what their answers mean. */
import { type EventType, eventTypes } from "../changes/Event.ts"
import { sampleOf } from "../changes/SampleEvent.ts"
import type { JsonSchema } from "./OpenApiExamples.ts"
import type { Document } from "./OpenApiShape.ts"

const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

const partsOf = (type: EventType): { readonly resource: string; readonly change: string } => {
  const [resource = "", change = ""] = type.split(".")
  return { resource, change }
}

const nameOf = (type: EventType): string => type.split(".").map(capitalised).join("")

const description = `Signed as [Standard Webhooks](https://www.standardwebhooks.com/) has it. Before you believe a message:

1. Take the exact bytes of the body, before any parser.
2. Compute the HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{body}\`. The key is the webhook's secret without \`whsec_\`, decoded from Base64.
3. Encode it in Base64 and compare it, in constant time, with each \`v1,\` entry of \`webhook-signature\`, which spaces separate. One that is equal is enough.
4. Refuse a \`webhook-timestamp\` that is more than five minutes from your clock.

Answer 2xx at once and work afterwards: the whole answer, its body included, has ten seconds. No answer in time, a redirect, 429 and 5xx are tried again: nine attempts over about 35 hours, after 3 s, 10 s, 30 s, 5 min, 30 min, 2 h, 8 h and 24 h, each up to a tenth longer; \`Retry-After\` on 429 and 503 can lengthen the wait. Any other 4xx ends the delivery, and 410 disables the webhook.

A message may arrive more than once, always with the same \`webhook-id\`, and messages may overtake one another: read the resource for its present state. New members may be added without notice.`

const initiator: JsonSchema = {
  type: "object",
  description: "The OAuth client that made the change.",
  properties: {
    type: { type: "string", enum: ["oauth_client"] },
    client_id: { type: "string", examples: ["client_01kb3n7x2ferwt5z8q4j6m9d0c"] }
  },
  required: ["type", "client_id"]
}

const changedFields: JsonSchema = {
  type: ["array", "null"],
  items: { type: "string" },
  description: "The names of what was changed; null when only members without such a name were.",
  examples: [["email", "phone"]]
}

const exampleTime = new Date("2026-11-21T09:30:00.000Z")

const idOf = (resource: string): string => `${resource}_01kb3n7x2ferwt5z8q4j6m9d0c`

const mergedRecord: Actions = { when: "Only where a merge made the change.", types: ["merged"], more: ["to"] }

/** What `action` may tell of the changes of a type: when it is there, its types, and what it has besides. */
interface Actions {
  readonly when: string
  readonly types: readonly [string, ...Array<string>]
  readonly more: ReadonlyArray<"from" | "to" | "note_id">
}

const actions: Partial<Record<EventType, Actions>> = {
  "contact.updated": mergedRecord,
  "contact.deleted": mergedRecord,
  "company.updated": mergedRecord,
  "company.deleted": mergedRecord,
  "project.updated": {
    when: "Only where the project was closed or reopened.",
    types: ["closed", "reopened"],
    more: []
  },
  "prospect.created": { when: "How it came to be on the list.", types: ["added"], more: [] },
  "prospect.updated": {
    when: "The move that made the change.",
    types: ["classified", "interest_changed", "stage_overridden", "removed", "restored", "merged"],
    more: ["from", "to", "note_id"]
  }
}

const actionOf = (type: EventType, resource: string): JsonSchema | undefined => {
  const told = actions[type]
  if (told === undefined) return undefined
  const { more, types, when } = told
  const merges = types[0] === "merged"
  const known = types.map((one) => `\`${one}\``).join(", ")
  const members: Record<(typeof more)[number], JsonSchema> = {
    from: { type: "string", description: "What it was before.", examples: ["contacted"] },
    to: merges
      ? {
          type: "string",
          description: "Of what has become part of another: the id of that one.",
          examples: [idOf(resource)]
        }
      : { type: "string", description: "What it is now.", examples: ["interested"] },
    note_id: { type: "string", description: "The id of the note that was written with it.", examples: [idOf("act")] }
  }
  return {
    type: "object",
    description: when,
    properties: {
      type: { type: "string", description: `${known}; other types may be added.`, examples: [types[0]] },
      ...Object.fromEntries(more.map((name) => [name, members[name]]))
    },
    required: ["type"]
  }
}

/** The references of what is gone. */
const externalRefs: JsonSchema = {
  type: "array",
  description: "The external references that were active at the deletion.",
  items: {
    type: "object",
    properties: {
      namespace: { type: "string", examples: ["crm"] },
      id: { type: "string", examples: ["4711"] }
    },
    required: ["namespace", "id"]
  }
}

/** Whom a link joins. */
const ends: Record<string, JsonSchema> = {
  contact_id: { type: "string", description: "The id of the link's contact.", examples: [idOf("contact")] },
  company_id: { type: "string", description: "The id of the link's company.", examples: [idOf("company")] }
}

const payloadSchema = (type: EventType): JsonSchema => {
  const { change, resource } = partsOf(type)
  const properties: Record<string, JsonSchema> = {
    event: { type: "string", enum: [type], description: "The type of the event." },
    resource_type: { type: "string", enum: [resource], description: "The kind of the resource." },
    resource_id: {
      type: "string",
      description: "The id of the resource.",
      examples: [idOf(resource)]
    },
    timestamp: {
      type: "string",
      format: "date-time",
      description: "When it happened: ISO 8601 in UTC, with milliseconds.",
      examples: [exampleTime.toISOString()]
    },
    action_id: {
      type: "integer",
      description: "The number of the change.",
      examples: [4711]
    },
    actor_user_id: {
      type: ["string", "null"],
      description: "Who made the change; null when no user did.",
      examples: ["user_01kb3n7x2ferwt5z8q4j6m9d0c"]
    },
    change_initiator: {
      anyOf: [{ $ref: "#/components/schemas/ChangeInitiator" }, { type: "null" }],
      description: "The OAuth client that made the change; null when it was made with a personal access token."
    },
    ...(change === "updated" ? { changed_fields: changedFields } : {}),
    ...(resource === "link" ? ends : {}),
    ...(type === "project.deleted" || type === "prospect.deleted" ? { external_refs: externalRefs } : {})
  }
  const action = actionOf(type, resource)
  return {
    type: "object",
    description: `The payload of \`${type}\`.`,
    properties: {
      ...properties,
      ...(action === undefined ? {} : { action }),
      _test: { type: "boolean", description: "`true` on test deliveries, and only there." }
    },
    required: Object.keys(properties)
  }
}

const headersOf = (type: EventType): ReadonlyArray<object> =>
  [
    [
      "webhook-id",
      "The message's id, the same on every attempt: what you have seen already, you may drop.",
      "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"
    ],
    ["webhook-timestamp", "When this attempt was made, in Unix seconds.", "1795253400"],
    [
      "webhook-signature",
      "One or more signatures with spaces between: one for each secret while a replaced one still signs.",
      "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
    ],
    ["X-Service-Event", "The type of the event.", type],
    ["X-Service-Test", "`true` on test deliveries, and only there.", "true"]
  ].map(([name, text, example]) => ({
    name,
    in: "header",
    required: name !== "X-Service-Test",
    description: text,
    schema: { type: "string" },
    example
  }))

const retryAfter = {
  "retry-after": { description: "Seconds, or a date, to wait at least; up to 24 hours.", schema: { type: "string" } }
}

const responses = {
  "2XX": {
    description:
      "Accepted, if its body has ended within 10 seconds, or 16 KiB of it have come. Nobody looks at it but the delivery log."
  },
  "410": { description: "Nobody wants these any more: the webhook is disabled." },
  "429": { description: "Tried again later.", headers: retryAfter },
  "4XX": { description: "Refused: this delivery is not tried again." },
  "503": { description: "Tried again later.", headers: retryAfter },
  "5XX": { description: "Tried again later." }
}

/** Adds an entry for each type of event of the resources that the document has. */
export const addWebhooks = (document: Document): void => {
  const { schemas } = document.components
  const sent = eventTypes.filter((type) => capitalised(partsOf(type).resource) in schemas)
  schemas["ChangeInitiator"] = initiator
  document.webhooks = Object.fromEntries(
    sent.map((type) => {
      const { change, resource } = partsOf(type)
      const schema = payloadSchema(type)
      schemas[`${nameOf(type)}Event`] = schema
      const post = {
        operationId: `events.${resource}${capitalised(change)}`,
        summary: `A ${resource} was ${change}`,
        description,
        security: [],
        parameters: headersOf(type),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { $ref: `#/components/schemas/${nameOf(type)}Event` },
              example: sampleOf(type, exampleTime)
            }
          }
        },
        responses
      }
      return [type, { post }]
    })
  )
}
