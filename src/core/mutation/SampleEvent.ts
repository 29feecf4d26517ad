/** What each type of event means, with an example, for the documentation and for test deliveries. */
import {
  auditEventTypes,
  type EventExtras,
  type EventResource,
  type EventType,
  payloadOf,
  resourceOf
} from "./Event.ts"

/** An example id with this prefix. */
export const exampleId = (prefix: string): string => `${prefix}_01kb3n7x2ferwt5z8q4j6m9d0c`

interface Described {
  /** What happened, as a clause without a full stop. */
  readonly summary: string
  /** The members that this type of event has in the example. */
  readonly extras: EventExtras
}

const described = (summary: string, extras: EventExtras = {}): Described => ({ summary, extras })

const ends = { contact_id: exampleId("contact"), company_id: exampleId("company") }

const investor = { project_id: exampleId("project"), contact_id: exampleId("contact") }

const ofContact = { contact_id: exampleId("contact") }

const externalRefs = { external_refs: [{ namespace: "crm", id: "4711" }] }

const ofProspect = (summary: string, extras: EventExtras = {}) => described(summary, { ...extras, ...investor })

const ofTask = (summary: string, extras: EventExtras = {}) =>
  ofProspect(summary, { ...extras, task_id: exampleId("task") })

const ofProject = { project_id: exampleId("project") }

const ofRoom = (summary: string, extras: EventExtras = {}) => described(summary, { ...extras, ...ofProject })

const ofMember = { prospect_id: exampleId("prospect"), contact_id: exampleId("contact") }

const ofQuestion = (summary: string, extras: EventExtras = {}) =>
  ofRoom(summary, { ...extras, question_id: exampleId("question"), ...ofMember })

const ofAuditLog = Object.fromEntries(
  auditEventTypes.map((type) => [
    type,
    described("The audit log has an entry of this action", { team_id: exampleId("team") })
  ])
) as { readonly [Type in (typeof auditEventTypes)[number]]: Described }

const events: { readonly [Type in EventType]: Described } = {
  "contact.created": described("A contact was created"),
  "contact.updated": described("A contact was changed", { changed_fields: ["email", "phone"] }),
  "contact.deleted": described("A contact was deleted"),
  "contact.erased": described("A contact was erased"),
  "contact.restored": described("A deleted contact was restored"),
  "company.created": described("A company was created"),
  "company.updated": described("A company was changed", { changed_fields: ["homepage_url", "domain"] }),
  "company.deleted": described("A company was deleted"),
  "company.restored": described("A deleted company was restored"),
  "link.created": described("A link was created, perhaps again", ends),
  "link.updated": described("A link was changed", { changed_fields: ["job_title"], ...ends }),
  "link.deleted": described("A link was deleted", {
    ...ends,
    caused_by: { event: "contact.deleted", resource_id: exampleId("contact") }
  }),
  "link.restored": described("A deleted link was restored, by itself or with its contact or company", {
    ...ends,
    caused_by: { event: "contact.restored", resource_id: exampleId("contact") }
  }),
  "property.created": described("A property was created"),
  "property.updated": described("A property was changed", { changed_fields: ["tags", "pricing"] }),
  "property.deleted": described("A property was deleted"),
  "property.restored": described("A deleted property was restored"),
  "project.created": described("A project was created"),
  "project.updated": described("A project was changed", {
    changed_fields: ["closed_at"],
    action: { type: "closed" }
  }),
  "project.deleted": described("A project was deleted", externalRefs),
  "project.restored": described("A deleted project was restored"),
  "project.closed": described("A project was closed", { changed_fields: ["closed_at"], action: { type: "closed" } }),
  "project.reopened": described("A project was reopened", {
    changed_fields: ["closed_at"],
    action: { type: "reopened" }
  }),
  "project.communicated": described("The first teaser of a project was communicated", {
    changed_fields: ["communicated_at"],
    caused_by: { event: "prospect.teaser_communicated", resource_id: exampleId("prospect") }
  }),
  "prospect.created": ofProspect("An investor was put on a list", { action: { type: "added" } }),
  "prospect.updated": ofProspect(
    "The classification, interest, stage, project tags or external references of a prospect changed, it left or re-entered the list, or its investor accepted the offer",
    { changed_fields: null, action: { type: "classified", from: "contacted", to: "interested" } }
  ),
  "prospect.deleted": ofProspect("A prospect was deleted, by itself, with its project or by a merge", externalRefs),
  "mandate.created": described("A mandate was created", { company_id: exampleId("company") }),
  "mandate.updated": described("A mandate was changed, or moved to another contact or company by a merge", {
    changed_fields: ["status", "valid_until_utc"],
    company_id: exampleId("company")
  }),
  "mandate.deleted": described("A mandate was deleted", { company_id: exampleId("company") }),
  "mandate.restored": described("A deleted mandate was restored", { company_id: exampleId("company") }),
  "teaser.published": described("A teaser was published", ofProject),
  "teaser.communicated": described("A teaser was communicated to investors", ofProject),
  "offer.created": described("The team received an offer, or an invitation to a data room"),
  "offer.updated": described("An offer of the team changed", {
    changed_fields: ["status", "capabilities", "broker_contact", "answered_utc"],
    action: { type: "accepted" }
  }),
  "prospect.removed": ofProspect("A prospect left the list", {
    changed_fields: ["deleted_at"],
    action: { type: "removed" }
  }),
  "prospect.restored": ofProspect("A prospect re-entered the list", {
    changed_fields: ["deleted_at"],
    action: { type: "restored" }
  }),
  "prospect.teaser_communicated": ofProspect("The teaser was communicated to a prospect", {
    action: { type: "stage_raised", from: "not_contacted", to: "teaser" }
  }),
  "prospect.im_shared": ofProspect("The information memorandum was shared with a prospect", {
    action: { type: "stage_raised", from: "teaser", to: "im" }
  }),
  "prospect.room_access_granted": ofProspect("A prospect got access to the data room", {
    action: { type: "stage_raised", from: "im", to: "data_room" }
  }),
  "prospect.bid_recorded": ofProspect("A bid of a prospect was recorded", {
    action: { type: "stage_raised", from: "data_room", to: "bid" }
  }),
  "prospect.accepted": ofProspect("A prospect accepted the offer"),
  "prospect.rejected": ofProspect("A prospect rejected the offer"),
  "prospect.classified": ofProspect("A prospect was classified, or got a comment on its classification", {
    action: { type: "classified", from: "contacted", to: "interested", note_id: exampleId("act") }
  }),
  "prospect.interest_changed": ofProspect("The interest of a prospect changed", {
    action: { type: "interest_changed", from: "maybe", to: "interested" }
  }),
  "prospect.stage_overridden": ofProspect("The stage of a prospect was overridden", {
    action: { type: "stage_overridden", from: "teaser", to: "im" }
  }),
  "prospect.stage_override_withdrawn": ofProspect("The override of a prospect's stage was withdrawn", {
    action: { type: "stage_overridden", from: "im", to: "teaser" }
  }),
  "prospect.project_tags_changed": ofProspect("The project tags of a prospect changed", {
    changed_fields: ["project_tags"]
  }),
  "prospect.external_refs_changed": ofProspect("The external references of a prospect changed", {
    changed_fields: ["external_refs"]
  }),
  "prospect.owner_changed": ofProspect("The owner of a prospect changed", { changed_fields: ["owner"] }),
  "prospect.access_expiry_changed": ofProspect("The end of a prospect's access to the room changed", {
    changed_fields: ["access_expiry_utc"]
  }),
  "prospect.task_added": ofTask("A follow-up task was added to a prospect"),
  "prospect.task_updated": ofTask("A follow-up task of a prospect was changed", {
    changed_fields: ["due_date"]
  }),
  "prospect.task_completed": ofTask("A follow-up task of a prospect was completed"),
  "prospect.task_canceled": ofTask("A follow-up task of a prospect was canceled"),
  "prospect.task_reopened": ofTask("A completed follow-up task of a prospect was reopened"),
  "prospect.message_sent": ofProspect("A message was exchanged with a prospect"),
  "prospect.file_shared": ofProspect("A file was shared with a prospect"),
  "prospect.call_logged": ofProspect("A call with a prospect was logged"),
  "teaser.updated": described("A teaser was changed", { changed_fields: ["options"], ...ofProject }),
  "teaser.unpublished": described("The publication of a teaser was withdrawn", ofProject),
  "teaser.verified": described("The operator verified a teaser", ofProject),
  "teaser.unverified": described("The operator withdrew the verification of a teaser", ofProject),
  "offer.read": described("A user of the team read an offer for the first time", { action: { type: "read" } }),
  "offer.accepted": described("A user of the team accepted an offer", { action: { type: "accepted" } }),
  "offer.rejected": described("A user of the team rejected an offer", { action: { type: "rejected" } }),
  "offer.expired": described("An offer expired without an answer", { action: { type: "expired" } }),
  "offer.removed": described("An offer was removed", { action: { type: "removed" } }),
  "offer.restored": described("A removed or closed offer came back", { action: { type: "restored" } }),
  "offer.closed": described("An offer was closed", { action: { type: "closed" } }),
  "room.opened": ofRoom("A data room was opened"),
  "room.updated": ofRoom("A data room was changed"),
  "room.winding_down": ofRoom("A data room winds down, since its project was closed"),
  "room.reopened": ofRoom("A data room that was winding down is open again"),
  "room.closed": ofRoom("A data room was closed"),
  "room.access_granted": ofRoom("A prospect got access to a data room", ofMember),
  "room.access_revoked": ofRoom("The access of a prospect to a data room was withdrawn", ofMember),
  "room.access_expired": ofRoom("The access of a prospect to a data room expired", ofMember),
  "room.file_uploaded": ofRoom("A file was uploaded to a data room"),
  "room.question_asked": ofQuestion("A question was asked in a data room"),
  "room.question_updated": ofQuestion("The category, priority or assignee of a question changed", {
    changed_fields: ["priority"]
  }),
  "room.answer_drafted": ofQuestion("An answer to a question was drafted"),
  "room.question_answered": ofQuestion("The answer to a question was published"),
  "room.question_closed": ofQuestion("A question was closed"),
  "note.created": described("A note was written", ofContact),
  "note.superseded": described("A note was replaced by a new revision", {
    action: { type: "superseded", to: exampleId("act") },
    ...ofContact
  }),
  "note.archived": described("A note was archived", ofContact),
  "note.unarchived": described("An archived note was brought back", ofContact),
  "file.uploaded": described("A file was uploaded to a contact, company or property", ofContact),
  "file.deleted": described("A file of a contact, company or property was deleted", ofContact),
  "webhook.failing": described("Another webhook of the team became failing", { action: { type: "failing" } }),
  "webhook.disabled": described("The service disabled another webhook of the team", {
    action: { type: "disabled", reason: "deliveries_exhausted" }
  }),
  ...ofAuditLog
}

/** What an event of this type tells: a clause without a full stop. */
export const summaryOf = (type: EventType): string => events[type].summary

/** The members that the example of this type has besides those of all events. */
export const sampleExtrasOf = (type: EventType): EventExtras => events[type].extras

// Notes are rows of timelines, and have their ids. A teaser is named by the project, property or room that it is about.
const prefixes: { readonly [Type in EventResource]?: string } = { note: "act", teaser: "project" }

const prefixOf = (type: EventType): string => prefixes[resourceOf(type)] ?? resourceOf(type)

/** An example id of the resource of an event type. */
const exampleResourceId = (type: EventType): string => exampleId(prefixOf(type))

/** The payload of an event of this type at the time `at`, about a resource that does not exist. */
export const sampleOf = (type: EventType, at: Date): { readonly [member: string]: unknown } => {
  const payload = payloadOf({
    type,
    resourceId: exampleResourceId(type),
    at,
    actionId: 4711,
    actorUserId: exampleId("user"),
    clientId: exampleId("client"),
    extras: sampleExtrasOf(type)
  })
  return JSON.parse(payload) as { readonly [member: string]: unknown }
}
