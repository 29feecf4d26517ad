/** An example of each type of event, for the documentation and for test deliveries. */
import { type EventExtras, type EventResource, type EventType, payloadOf } from "./Event.ts"

/** An example id with this prefix. */
export const exampleId = (prefix: string): string => `${prefix}_01kb3n7x2ferwt5z8q4j6m9d0c`

const ends = { contact_id: exampleId("contact"), company_id: exampleId("company") }

const prospect = { project_id: exampleId("project"), contact_id: exampleId("contact") }

const externalRefs = { external_refs: [{ namespace: "crm", id: "4711" }] }

const extras: Readonly<Record<EventType, EventExtras>> = {
  "contact.created": {},
  "contact.updated": { changed_fields: ["email", "phone"] },
  "contact.deleted": {},
  "company.created": {},
  "company.updated": { changed_fields: ["homepage_url", "domain"] },
  "company.deleted": {},
  "link.created": ends,
  "link.updated": { changed_fields: ["job_title"], ...ends },
  "link.deleted": ends,
  "project.created": {},
  "project.updated": { changed_fields: ["closed_at"], action: { type: "closed" } },
  "project.deleted": externalRefs,
  "project.restored": {},
  "prospect.created": { action: { type: "added" }, ...prospect },
  "prospect.updated": {
    changed_fields: null,
    action: { type: "classified", from: "contacted", to: "interested" },
    ...prospect
  },
  "prospect.deleted": { ...externalRefs, ...prospect }
}

/** The payload of an event of this type at the time `at`, about a resource that does not exist. */
export const sampleOf = (type: EventType, at: Date): { readonly [member: string]: unknown } => {
  const resource = type.slice(0, type.indexOf(".")) as EventResource
  const payload = payloadOf({
    type,
    resourceType: resource,
    resourceId: exampleId(resource),
    at,
    actionId: 4711,
    actorUserId: exampleId("user"),
    clientId: exampleId("client"),
    extras: extras[type]
  })
  return JSON.parse(payload) as { readonly [member: string]: unknown }
}
