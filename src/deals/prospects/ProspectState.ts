/** A prospect as it is stored, from which its answer follows. Ids are public ones, moments ISO 8601 in UTC, dates `YYYY-MM-DD`. */
import type { auditOf } from "../../core/mutation/Audit.ts"
import type { ExternalRef } from "../../core/externalRefs/ExternalRef.ts"
import { firstClassification, type Stage } from "./Prospect.ts"

/** The next task of a prospect, as it is stored with it. */
export interface NextTask {
  readonly id: string
  readonly type: string
  readonly due: string
  readonly assigneeId: string
}

/** The members of a contact or company that its prospects copy (docs/adr/0013-denormalized-copies-on-prospects.md). */
export interface Investor {
  readonly contactId: string | null
  readonly companyId: string | null
  readonly name: string | null
  /** Of a contact. */
  readonly email: string | null
  /** Of a company, as its country. */
  readonly domain: string | null
  readonly country: string | null
  readonly tags: ReadonlyArray<string>
}

/** A prospect and its project, by their UUIDs. */
export interface ProspectRef {
  readonly uuid: string
  readonly projectUuid: string
}

/** A prospect as its events name it: with the contact or company that it is. */
export interface ProspectSubject extends ProspectRef, Pick<Investor, "contactId" | "companyId"> {}

/** Contacts or companies, by their UUIDs. */
export type InvestorUuids = { readonly contacts: ReadonlyArray<string> } | { readonly companies: ReadonlyArray<string> }

/** The values from which the stage is derived: see `stageOf` in rules.ts. */
export interface StageSources {
  /** The highest stage that milestones reached. */
  readonly milestoneStage: Stage
  /** The highest stage that milestones reached since the latest override. */
  readonly milestoneStageSinceOverride: Stage
  readonly overrideStage: Stage | null
}

/** The members that are stored. */
export interface ProspectState extends Investor, StageSources {
  readonly projectId: string
  readonly projectCreatedUtc: string
  readonly classification: string
  readonly interest: string | null
  readonly stage: Stage
  readonly overrideBy: string | null
  readonly overrideUtc: string | null
  readonly overrideReason: string | null
  readonly ownerId: string | null
  readonly projectTags: ReadonlyArray<string>
  readonly accessExpiryUtc: string | null
  readonly teaserCommunicatedUtc: string | null
  readonly roomAccessUtc: string | null
  readonly accepted: boolean
  readonly chat: boolean
  readonly invitation: boolean
  readonly noteCount: number
  readonly openTaskCount: number
  readonly nextTask: NextTask | null
  /** Whether the next task was overdue when the row was written. */
  readonly overdueWhenWritten: boolean
  readonly removedUtc: string | null
  readonly externalRefs: ReadonlyArray<ExternalRef>
}

/** A row: its state, its id and its audit members. */
export type ProspectRow = ProspectState & { readonly id: string } & ReturnType<typeof auditOf>

/** A prospect without values. */
export const blank: ProspectState = {
  projectId: "",
  projectCreatedUtc: "",
  contactId: null,
  companyId: null,
  name: null,
  email: null,
  domain: null,
  country: null,
  tags: [],
  classification: firstClassification,
  interest: null,
  stage: "not_contacted",
  milestoneStage: "not_contacted",
  milestoneStageSinceOverride: "not_contacted",
  overrideStage: null,
  overrideBy: null,
  overrideUtc: null,
  overrideReason: null,
  ownerId: null,
  projectTags: [],
  accessExpiryUtc: null,
  teaserCommunicatedUtc: null,
  roomAccessUtc: null,
  accepted: false,
  chat: false,
  invitation: false,
  noteCount: 0,
  openTaskCount: 0,
  nextTask: null,
  overdueWhenWritten: false,
  removedUtc: null,
  externalRefs: []
}
