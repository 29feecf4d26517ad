/**
 * The events of webhooks, the journal and timelines (docs/behaviour/webhooks.md#events), and the names of the fields that they list as
 * changed.
 */
import * as Job from "../../platform/jobs/Job.ts"
import { Schema } from "effect"

/** The types of the events of records. Readers of the journal get these unless they ask for others. */
export const recordEventTypes = [
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "contact.erased",
  "contact.restored",
  "company.created",
  "company.updated",
  "company.deleted",
  "company.restored",
  "link.created",
  "link.updated",
  "link.deleted",
  "link.restored",
  "property.created",
  "property.updated",
  "property.deleted",
  "property.restored",
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
  "mandate.restored",
  "offer.created",
  "offer.updated",
  "teaser.published",
  "teaser.communicated"
] as const

/**
 * The events of the audit log, for the operator's team (docs/behaviour/audit-log.md#events): its notable actions, of which a test compares
 * the names.
 */
export const auditEventTypes = [
  "audit.password_set",
  "audit.sign_in_link_created",
  "audit.user_deactivated",
  "audit.user_deleted",
  "audit.operator_appointed",
  "audit.operator_dismissed",
  "audit.member_role_changed",
  "audit.team_exported",
  "audit.team_imported",
  "audit.team_deleted",
  "audit.team_purged",
  "audit.team_restored",
  "audit.client_created",
  "audit.client_rotated",
  "audit.client_revoked",
  "audit.app_created",
  "audit.app_revoked",
  "audit.grant_replayed",
  "audit.quota_set",
  "audit.deletion_limit_reached",
  "audit.records_exported",
  "audit.privacy_exported",
  "audit.privacy_erased",
  "audit.privacy_replayed",
  "audit.secrets_adopted",
  "audit.backup_created",
  "audit.backup_restored"
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
  "webhook.disabled",
  ...auditEventTypes
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
  "webhook",
  "audit"
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
  /** On entries of the audit log: the team that it concerns, and what was acted upon. */
  readonly team_id?: string
  readonly target_id?: string
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

// The names of members in the `changed_fields` of events (docs/behaviour/webhooks.md#changed-fields).

/** The names of each member of a resource. A derived member changes with others, under whose names it is listed. */
export type FieldNames<Member extends string> = { readonly [Name in Member]: ReadonlyArray<string> }

/**
 * The names of all members that can change. The modules of the resources check that none of theirs is missing. New members are
 * named in snake case. No update changes `createdUtc` and `deletedUtc`, but they have names, too.
 */
export const changedFieldNames = {
  contact: {
    name: ["first_name", "last_name", "email"],
    email: ["email"],
    firstName: ["first_name"],
    lastName: ["last_name"],
    phone: ["phone"],
    primaryLanguage: ["primary_language"],
    primaryCompanyId: ["primary_company_id"],
    tags: ["tags"],
    strategy: ["strategy"],
    linkedInUrl: ["linked_in_url"],
    profilePictureUrl: ["profile_picture"],
    externalRefs: ["external_refs"]
  },
  company: {
    name: ["name"],
    legalName: ["legal_name"],
    country: ["country"],
    homepageUrl: ["homepage_url"],
    domain: ["domain"],
    linkedInUrl: ["linked_in_url"],
    tags: ["tags"],
    strategy: ["strategy"],
    profilePictureUrl: ["profile_picture"],
    externalRefs: ["external_refs"]
  },
  link: {
    contactId: ["contact_id"],
    companyId: ["company_id"],
    jobTitle: ["job_title"],
    externalRefs: ["external_refs"]
  },
  property: {
    name: ["name"],
    ownerId: ["owner_id"],
    projectIds: ["project_ids"],
    description: ["description"],
    country: ["country"],
    locality: ["locality"],
    address: ["address"],
    coordinates: ["coordinates"],
    parcels: ["parcels"],
    categories: ["categories"],
    subcategories: ["subcategories"],
    lifecycleStage: ["lifecycle_stage"],
    tenure: ["tenure"],
    groundLease: ["ground_lease"],
    ownershipShare: ["ownership_share"],
    dealStructure: ["deal_structure"],
    parcelArea: ["parcel_area"],
    grossFloorArea: ["gross_floor_area"],
    internalArea: ["internal_area"],
    lettableArea: ["lettable_area"],
    rentedArea: ["rented_area"],
    vacantArea: ["vacant_area"],
    areasByUse: ["areas_by_use"],
    zoning: ["zoning"],
    conversions: ["conversions"],
    tags: ["tags"],
    yearBuilt: ["year_built"],
    yearRenovated: ["year_renovated"],
    buildingCount: ["building_count"],
    floorCount: ["floor_count"],
    unitCount: ["unit_count"],
    parkingSpaces: ["parking_spaces"],
    grade: ["grade"],
    condition: ["condition"],
    heritageListed: ["heritage_listed"],
    industrial: ["industrial"],
    hotel: ["hotel"],
    income: ["income"],
    tenants: ["tenants"],
    pricing: ["pricing"],
    energy: ["energy"],
    certifications: ["certifications"],
    euTaxonomyAligned: ["eu_taxonomy_aligned"],
    strandingYear: ["stranding_year"],
    externalRefs: ["external_refs"]
  },
  project: {
    name: ["name"],
    description: ["description"],
    isPortfolio: ["is_portfolio"],
    propertyCount: ["property_count"],
    propertyIds: ["property_ids"],
    exclusivity: ["mandate", "exclusivity"],
    mandate: ["mandate", "exclusivity"],
    status: ["status"],
    ownerId: ["owner_id"],
    sellerContactId: ["seller_contact_id"],
    externalRefs: ["external_refs"],
    publishedUtc: ["published_at"],
    communicatedUtc: ["communicated_at"],
    closedUtc: ["closed_at"],
    deletedUtc: ["deleted_at"]
  },
  prospect: {
    projectId: ["project_id"],
    contact: ["contact"],
    company: ["company"],
    classification: ["classification"],
    interest: ["interest"],
    stage: ["stage"],
    stageOverride: ["stage_override"],
    nextTask: ["next_task"],
    openTaskCount: ["open_task_count"],
    projectTags: ["project_tags"],
    tags: ["tags"],
    owner: ["owner"],
    communicated: ["communicated"],
    accepted: ["accepted"],
    chat: ["chat"],
    invitation: ["invitation"],
    noteCount: ["note_count"],
    accessExpiryUtc: ["access_expiry_utc"],
    teaser: ["teaser"],
    removedUtc: ["deleted_at"],
    externalRefs: ["external_refs"],
    createdUtc: ["created_at"]
  },
  mandate: {
    name: ["name"],
    description: ["description"],
    status: ["status"],
    validUntilUtc: ["valid_until_utc"],
    investor: ["investor"],
    categories: ["categories"],
    subcategories: ["subcategories"],
    lifecycleStages: ["lifecycle_stages"],
    tenures: ["tenures"],
    dealStructures: ["deal_structures"],
    conversions: ["conversions"],
    riskProfiles: ["risk_profiles"],
    investmentSize: ["investment_size"],
    yearBuilt: ["year_built"],
    parcelArea: ["parcel_area"],
    lettableArea: ["lettable_area"],
    zoningGfa: ["zoning_gfa"],
    netInitialYield: ["net_initial_yield"],
    vacancyRate: ["vacancy_rate"],
    targetIrr: ["target_irr"],
    wault: ["wault"],
    unitCount: ["unit_count"],
    pricePerSqm: ["price_per_sqm"],
    worstEnergyClass: ["worst_energy_class"],
    country: ["country"],
    geography: ["geography"],
    near: ["near"],
    radius: ["radius"],
    positiveTags: ["positive_tags"],
    negativeTags: ["negative_tags"],
    externalRefs: ["external_refs"]
  },
  offer: {
    status: ["status"],
    category: ["category"],
    capabilities: ["capabilities"],
    teaser: ["teaser"],
    brokerContact: ["broker_contact"],
    recipient: ["recipient"],
    roomId: ["room_id"],
    matchedMandateIds: ["matched_mandate_ids"],
    receivedUtc: ["received_utc"],
    readUtc: ["read_utc"],
    answeredUtc: ["answered_utc"],
    expiresUtc: ["expires_utc"],
    rejectionReason: ["rejection_reason"]
  },
  teaser: {
    options: ["options"],
    tags: ["tags"],
    title: ["title"]
  },
  task: {
    type: ["type"],
    dueDate: ["due_date"],
    assignee: ["assignee"],
    note: ["note"]
  },
  question: {
    category: ["category"],
    priority: ["priority"],
    assignee: ["assignee"]
  }
} as const satisfies { readonly [resource: string]: { readonly [member: string]: ReadonlyArray<string> } }

/** The names of changed members, each once; null if there are none. */
export const namesOf = <Member extends string>(
  names: FieldNames<Member>,
  changed: ReadonlyArray<Member>
): ReadonlyArray<string> | null =>
  changed.length === 0 ? null : [...new Set(changed.flatMap((member) => names[member]))]

const { project, prospect } = changedFieldNames

/** The fields that change with each of these events, which are not updates by their names. */
export const fieldsOfEvent: { readonly [Type in EventType]?: ReadonlyArray<string> } = {
  "project.closed": project.closedUtc,
  "project.reopened": project.closedUtc,
  "project.communicated": project.communicatedUtc,
  "prospect.removed": prospect.removedUtc,
  "prospect.restored": prospect.removedUtc,
  "prospect.project_tags_changed": prospect.projectTags,
  "prospect.external_refs_changed": prospect.externalRefs,
  "prospect.owner_changed": prospect.owner,
  "prospect.access_expiry_changed": prospect.accessExpiryUtc
}

/**
 * The job that changes enqueue; `workers/handlers.ts` implements it, so that nothing here depends on webhooks.
 *
 * Creates a delivery for each webhook that subscribes to an event of one committed transaction, or of other transactions of
 * its team whose fan-out is outstanding. The payload has the transaction's time beside its id, since a restored database counts its
 * transactions from the beginning.
 */
export const fanOut = Job.make("webhooks/fanOut", {
  payload: Schema.Struct({ teamId: Schema.String, transactionId: Schema.String, at: Schema.String })
})
