/** The schemas of the payloads that webhooks get, by the type of the event. */
import type { EventType } from "../changes/Event.ts"
import type { Schema } from "./OpenApiSpec.ts"

/** The id of an example. */
export const idOf = (resource: string): string => `${resource}_01kb3n7x2ferwt5z8q4j6m9d0c`

const text = (description: string, example: string): Schema => ({ type: "string", description, examples: [example] })

/** The `action` of a type of events: when it is present, its known types, and its other members. */
interface Action {
  readonly description: string
  readonly types: ReadonlyArray<string>
  readonly members: Readonly<Record<string, Schema>>
}

const mergeOf = (resource: string): Action => ({
  description: "Present if a merge made the change.",
  types: ["merged"],
  members: { to: text("The id of the record that this one was merged into.", idOf(resource)) }
})

const actions: { readonly [Type in EventType]?: Action } = {
  "contact.updated": mergeOf("contact"),
  "contact.deleted": mergeOf("contact"),
  "company.updated": mergeOf("company"),
  "company.deleted": mergeOf("company"),
  "project.updated": {
    description: "Present if the project was closed or reopened.",
    types: ["closed", "reopened"],
    members: {}
  },
  "prospect.created": { description: "How the prospect came to the list.", types: ["added"], members: {} },
  "prospect.updated": {
    description: "The action that made the change.",
    types: ["classified", "interest_changed", "stage_overridden", "stage_raised", "removed", "restored"],
    members: {
      from: text("The value before.", "contacted"),
      to: text("The value after.", "interested"),
      note_id: text("The id of the note that was written with the change.", idOf("act"))
    }
  },
  "prospect.deleted": mergeOf("prospect")
}

const actionSchema = ({ description, members, types }: Action): Schema => {
  const known = types.map((type) => `\`${type}\``).join(", ")
  return {
    type: "object",
    description,
    properties: { type: text(`Known types: ${known}. Later versions may add more.`, types[0] ?? ""), ...members },
    required: ["type"]
  }
}

const changedFields: Schema = {
  type: ["array", "null"],
  items: { type: "string" },
  description: "The names of the changed fields; null if no field with a public name changed.",
  examples: [["email", "phone"]]
}

const externalRefs: Schema = {
  type: "array",
  description: "The external references that were active at the deletion.",
  items: {
    type: "object",
    properties: { namespace: { type: "string", examples: ["crm"] }, id: { type: "string", examples: ["4711"] } },
    required: ["namespace", "id"]
  }
}

/** The schema of the payload of a type of events; `at` is the time of the example. */
export const payloadSchema = (type: EventType, at: Date): Schema => {
  const [resource = "", change = ""] = type.split(".")
  const properties: Record<string, Schema> = {
    event: { type: "string", enum: [type], description: "The type of the event." },
    resource_type: { type: "string", enum: [resource], description: "The type of the resource." },
    resource_id: text("The id of the resource.", idOf(resource)),
    timestamp: {
      ...text("When the change was made, in UTC with milliseconds.", at.toISOString()),
      format: "date-time"
    },
    action_id: { type: "integer", description: "The number of the change.", examples: [4711] },
    actor_user_id: {
      type: ["string", "null"],
      description: "The id of the user who made the change; null if no user made it.",
      examples: [idOf("user")]
    },
    change_initiator: {
      anyOf: [{ $ref: "#/components/schemas/ChangeInitiator" }, { type: "null" }],
      description:
        "The OAuth client that made the change; null if it was made with a personal access token, by the operator or by the service."
    }
  }
  if (change === "updated") properties["changed_fields"] = changedFields
  if (resource === "link") {
    properties["contact_id"] = text("The id of the link's contact.", idOf("contact"))
    properties["company_id"] = text("The id of the link's company.", idOf("company"))
  }
  if (type === "project.deleted" || type === "prospect.deleted") properties["external_refs"] = externalRefs
  const action = actions[type]
  return {
    type: "object",
    description: `The payload of \`${type}\`.`,
    properties: {
      ...properties,
      ...(action === undefined ? {} : { action: actionSchema(action) }),
      _test: { type: "boolean", description: "`true` on test deliveries, and absent on others." }
    },
    required: Object.keys(properties)
  }
}
