/** The `webhooks` of the OpenAPI document, which effect does not generate: what receivers of events get, and what they answer. */
import { type EventType, eventTypes, isRecordEvent, recordEventTypes } from "../core/mutation/Event.ts"
import { sampleOf, summaryOf } from "../core/mutation/SampleEvent.ts"
import { exampleTime, payloadComponents, payloadSchema } from "./OpenApiEvents.ts"
import { type Header, mapValues, type Response, type Schemas } from "./OpenApiSpec.ts"

const tag = "Webhooks"

/** What receivers of any event do, once for all webhooks: a generated document would repeat it for each. */
export const webhookTag = {
  name: tag,
  description: `The events that the URLs of webhooks receive.

Deliveries are signed as [Standard Webhooks](https://www.standardwebhooks.com/) specifies. Verify each message before you trust it:

1. Take the exact bytes of the body, before any parser.
2. Compute the HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{body}\`. The key is the webhook's secret without \`whsec_\`, decoded from Base64.
3. Encode the result in Base64, and compare it in constant time with each \`v1,\` entry of \`webhook-signature\`. Spaces separate the entries; one match is enough.
4. Reject a \`webhook-timestamp\` that is more than five minutes from your clock.

Store the message or its effect, then answer 2xx, and do slow work afterwards: the complete response, its body included, must arrive within ten seconds. A message that was answered with 2xx is not sent again. The service retries after a timeout, a redirect, 429 and 5xx: it makes nine attempts over about 35 hours, after 3 s, 10 s, 30 s, 5 min, 30 min, 2 h, 8 h and 24 h, each delay up to a tenth longer. \`Retry-After\` on 429 and 503 can lengthen the delay. Any other 4xx ends the delivery, and 410 disables the webhook.

A message may arrive more than once, always with the same \`webhook-id\`, and messages may arrive out of order: read the resource for its current state. Payloads may get new members without notice.`
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

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

const pascalCase = (type: EventType): string => type.split(/[._]/).map(capital).join("")

const componentOf = (type: EventType): string => `${pascalCase(type)}Event`

const schemaOf = (type: EventType) => ({ $ref: `#/components/schemas/${componentOf(type)}` })

const examplesOf = (types: ReadonlyArray<EventType>) =>
  Object.fromEntries(types.map((type) => [type, { summary: summaryOf(type), value: sampleOf(type, exampleTime) }]))

/** A webhook whose receiver gets this content. */
const webhookOf = (name: string, summary: string, content: object) => ({
  post: {
    operationId: `events.${name}`,
    summary,
    tags: [tag],
    security: [],
    parameters: headers.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { "application/json": content } },
    responses: mapValues(responses, ({ name }) => ({ $ref: `#/components/responses/${name}` }))
  }
})

const ofOneType = (type: EventType) => {
  const name = pascalCase(type)
  const content = { schema: schemaOf(type), examples: examplesOf([type]) }
  return webhookOf(`${name.slice(0, 1).toLowerCase()}${name.slice(1)}`, summaryOf(type), content)
}

const furtherTypes = eventTypes.filter((type) => !isRecordEvent(type))

/** The webhooks: one for each type that tells of a resource as a whole, and one for all further types. */
export const webhooks = {
  ...Object.fromEntries(recordEventTypes.map((type) => [type, ofOneType(type)])),
  further: webhookOf("further", "Something further happened", {
    schema: { description: "Discriminated by `event`.", oneOf: furtherTypes.map(schemaOf) },
    examples: examplesOf(furtherTypes)
  })
}

/** The schemas that the webhooks refer to. */
export const eventSchemas: Schemas = {
  ...payloadComponents,
  ...Object.fromEntries(eventTypes.map((type) => [componentOf(type), payloadSchema(type)]))
}
