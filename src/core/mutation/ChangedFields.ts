/** The names of members in the `changed_fields` of events (docs/behaviour/webhooks.md#changed-fields). */
import type { EventType } from "./Event.ts"

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
