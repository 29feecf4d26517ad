/** The schemas of webhook payloads, by event type. */
import type { EventType } from "../changes/Event.ts"
import { exampleId } from "../changes/SampleEvent.ts"
import type { Schema } from "./OpenApiSpec.ts"

const stringSchema = (description: string, example: string): Schema => ({
  type: "string",
  description,
  examples: [example]
})

/** Describes the `action` member of an event type: when it is present, its known types, and its other members. */
interface ActionDescription {
  readonly description: string
  readonly types: ReadonlyArray<string>
  readonly members: Readonly<Record<string, Schema>>
}

const survivor: ActionDescription = {
  description: "Present if other records were merged into this one.",
  types: ["merged"],
  members: {}
}

const merged = (resource: string): ActionDescription => ({
  description: "Present if the record was merged into another one.",
  types: ["merged"],
  members: { to: stringSchema("The id of the record that this one was merged into.", exampleId(resource)) }
})

const actions: { readonly [Type in EventType]?: ActionDescription } = {
  "contact.updated": survivor,
  "contact.deleted": merged("contact"),
  "company.updated": survivor,
  "company.deleted": merged("company"),
  "project.updated": {
    description: "Present if the project was closed or reopened.",
    types: ["closed", "reopened"],
    members: {}
  },
  "prospect.created": { description: "How the prospect came to the list.", types: ["added"], members: {} },
  "prospect.updated": {
    description: "What happened; absent if only project tags or external references changed.",
    types: ["classified", "interest_changed", "stage_overridden", "stage_raised", "removed", "restored"],
    members: {
      from: stringSchema("The previous classification, interest or stage; absent if there was none.", "contacted"),
      to: stringSchema("The new classification, interest or stage; absent if it was cleared.", "interested"),
      note_id: stringSchema("The id of the note that was written with the change.", exampleId("act"))
    }
  },
  "prospect.deleted": merged("prospect")
}

const actionSchema = ({ description, members, types }: ActionDescription): Schema => {
  const known = types.map((type) => `\`${type}\``).join(", ")
  return {
    type: "object",
    description,
    properties: {
      type: stringSchema(`Known types: ${known}. Later versions may add more.`, types[0] ?? ""),
      ...members
    },
    required: ["type"]
  }
}

const changedFields = (resource: string): Schema => ({
  type: ["array", "null"],
  items: { type: "string" },
  description: `The names of the changed fields, for those fields that have a name in events; null if none of them changed.${
    resource === "prospect" ? " `action` tells what else changed." : ""
  }`,
  examples: [["email", "phone"]]
})

const externalRefs: Schema = {
  type: "array",
  description: "The external references that the resource had when it was deleted.",
  items: {
    type: "object",
    properties: { namespace: { type: "string", examples: ["crm"] }, id: { type: "string", examples: ["4711"] } },
    required: ["namespace", "id"]
  }
}

// A prospect is a contact or a company: exactly one of the two is present.
const investor = {
  contact_id: stringSchema(
    "The id of the contact that is the investor; absent if it is a company.",
    exampleId("contact")
  ),
  company_id: stringSchema(
    "The id of the company that is the investor; absent if it is a contact.",
    exampleId("company")
  )
}

/** The schema of the payload of an event type; `at` is the time in the example. */
export const payloadSchema = (type: EventType, at: Date): Schema => {
  const [resource = "", change = ""] = type.split(".")
  const properties: Record<string, Schema> = {
    event: { type: "string", enum: [type], description: "The type of the event." },
    resource_type: { type: "string", enum: [resource], description: "The type of the resource." },
    resource_id: stringSchema("The id of the resource.", exampleId(resource)),
    timestamp: {
      ...stringSchema("When the change was made, in UTC with milliseconds.", at.toISOString()),
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
  if (change === "updated") properties["changed_fields"] = changedFields(resource)
  if (resource === "link") {
    properties["contact_id"] = stringSchema("The id of the link's contact.", exampleId("contact"))
    properties["company_id"] = stringSchema("The id of the link's company.", exampleId("company"))
  }
  if (resource === "prospect") properties["project_id"] = stringSchema("The id of its project.", exampleId("project"))
  if (type === "project.deleted" || type === "prospect.deleted") properties["external_refs"] = externalRefs
  const action = actions[type]
  return {
    type: "object",
    description: `The payload of \`${type}\`.`,
    properties: {
      ...properties,
      ...(resource === "prospect" ? investor : {}),
      ...(action === undefined ? {} : { action: actionSchema(action) }),
      _test: { type: "boolean", description: "`true` on test deliveries, and absent on others." }
    },
    required: Object.keys(properties)
  }
}
