/** An investor on a project (docs/behaviour/projects-and-prospects.md#prospects). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields, type auditOf } from "../../core/mutation/Audit.ts"
import { ExternalRef } from "../../core/externalRefs/ExternalRef.ts"
import { OpenEnum } from "../../core/fields/Text.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { declare, members } from "../../core/usecase/Problem.ts"
import { IdOf } from "../../core/Id.ts"

/** The stages of a prospect, each higher than the one before. */
export const stages = ["not_contacted", "teaser", "im", "data_room", "bid"] as const

/** The stage of a prospect. */
export const Stage = Schema.Literals(stages)
export type Stage = typeof Stage.Type

/** The interest of an investor in the project. */
export const interests = ["interested", "maybe", "not_interested"] as const
export const Interest = Schema.Literals(interests)
export type Interest = typeof Interest.Type

/** The default classification. */
export const firstClassification = "not_contacted"

/** The stage that each milestone reaches (docs/behaviour/projects-and-prospects.md#milestones). */
export const milestoneStages = {
  teaser_communicated: "teaser",
  im_shared: "im",
  room_access_granted: "data_room",
  bid_recorded: "bid"
} as const satisfies { readonly [kind: string]: Stage }

/** The milestones. */
export const milestones = ["teaser_communicated", "im_shared", "room_access_granted", "bid_recorded"] as const
export type Milestone = (typeof milestones)[number]

/** A user by id and name. */
export const NamedUser = Schema.Struct({
  id: IdOf("user"),
  name: Schema.String.annotate({ examples: ["Anna Berg"] })
}).annotate({ identifier: "NamedUser", description: "A member of the team." })
export type NamedUser = typeof NamedUser.Type

/** A due date, as its midnight in UTC. */
export const DueDate = Timestamp.annotate({
  description: "The due date, as its midnight in UTC.",
  examples: ["2026-11-28T00:00:00.000Z"]
})

const exampleId = "prospect_01kb3n7x2ferwt5z8q4j6m9d0c"

const nullable = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description: `${description} Null on a tombstone.` })

/** The open task of a prospect that is due first. */
const NextTask = Schema.Struct({
  id: IdOf("task"),
  type: OpenEnum(["call", "meeting", "email"], "The type of the task."),
  dueDateUtc: DueDate,
  assignee: NamedUser,
  overdue: Schema.Boolean.annotate({
    description: "Whether the due date is before today in UTC.",
    examples: [false]
  })
}).annotate({ identifier: "NextTask", description: "An open follow-up task." })

/** A prospect or, in a delta, its tombstone. */
export const Prospect = Schema.Struct({
  id: IdOf("prospect"),
  projectId: Schema.NullOr(IdOf("project")).annotate({
    description: "The project. Null on a tombstone."
  }),
  contact: Schema.NullOr(
    Schema.Struct({
      id: IdOf("contact"),
      name: Schema.NullOr(Schema.String.annotate({ examples: ["Maria Rossi"] })),
      email: Schema.NullOr(Schema.String.annotate({ examples: ["maria.rossi@example.com"] }))
    })
  ).annotate({ description: "The investor, if it is a person; null if it is a company." }),
  company: Schema.NullOr(
    Schema.Struct({
      id: IdOf("company"),
      name: Schema.NullOr(Schema.String.annotate({ examples: ["Rossi Immobiliare"] })),
      domain: Schema.NullOr(Schema.String.annotate({ examples: ["rossi-immobiliare.example"] })),
      country: Schema.NullOr(Schema.String.annotate({ examples: ["IT"] }))
    })
  ).annotate({ description: "The investor, if it is a company; null if it is a person.", examples: [null] }),
  classification: nullable(
    OpenEnum(["not_contacted", "contacted", "interested", "bidder"], "The classification, as it was last written."),
    "The classification, as it was last written. The default is `not_contacted`."
  ),
  interest: Schema.NullOr(OpenEnum(interests, "The interest of the investor.")).annotate({
    description: "`interested`, `maybe` or `not_interested`; null if none is recorded."
  }),
  stage: nullable(
    OpenEnum(stages, "The stage."),
    "The stage: derived from milestones, which never lower it, or overridden."
  ),
  stageOverride: Schema.optionalKey(
    Schema.Struct({
      stage: OpenEnum(stages, "The stage that the override sets."),
      setBy: Schema.NullOr(NamedUser),
      setAtUtc: Timestamp,
      reason: Schema.NullOr(Schema.String.annotate({ examples: ["Met at the fair"] }))
    })
  ).annotate({ description: "The latest manual override of the stage; left out if there is none." }),
  nextTask: Schema.optionalKey(NextTask).annotate({
    description: "The open task that is due first; left out if there is none."
  }),
  openTaskCount: nullable(Schema.Int.annotate({ examples: [1] }), "The number of open follow-up tasks."),
  projectTags: Schema.Array(Schema.String).annotate({
    description: "Labels of the prospect on this project. Investors do not see them.",
    examples: [["first-round"]]
  }),
  tags: Schema.Array(Schema.String).annotate({
    description: "The labels of the contact or company in the network.",
    examples: [["logistics"]]
  }),
  owner: Schema.optionalKey(NamedUser),
  communicated: nullable(Schema.Boolean.annotate({ examples: [true] }), "Whether the teaser was communicated."),
  accepted: nullable(Schema.Boolean.annotate({ examples: [false] }), "Whether the investor accepted the offer."),
  chat: nullable(
    Schema.Boolean.annotate({ examples: [false] }),
    "Whether the broker and the investor can exchange messages."
  ),
  invitation: nullable(
    Schema.Boolean.annotate({ examples: [false] }),
    "Whether the investor is invited and has not replied."
  ),
  noteCount: nullable(
    Schema.Int.annotate({ examples: [2] }),
    "The number of notes that are neither archived nor superseded."
  ),
  accessExpiryUtc: Schema.NullOr(Timestamp).annotate({
    description: "When the access to the room ends; null without access or an end.",
    examples: [null]
  }),
  teaser: Schema.NullOr(
    Schema.Struct({
      stage: OpenEnum(["communicated"], "The stage of the teaser."),
      communicatedUtc: Timestamp
    })
  ).annotate({ description: "The teaser of the investor; null if none was communicated." }),
  removedUtc: Schema.NullOr(Timestamp).annotate({
    description: "When it was removed from the list; null while it is on the list.",
    examples: [null]
  }),
  externalRefs: Schema.Array(ExternalRef),
  ...auditFields
}).annotate({
  identifier: "Prospect",
  description:
    "An investor on a project. The tombstone of a prospect that was deleted or removed from the list only has its audit members and external references."
})
export type Prospect = typeof Prospect.Type

// A prospect as it is stored, from which its answer follows. Ids are public ones, moments ISO 8601 in UTC, dates `YYYY-MM-DD`.

/** The next task of a prospect, as it is stored with it. */
export interface StoredNextTask {
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
  readonly nextTask: StoredNextTask | null
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

// The problems of prospects.

/** 409: the investor is already on the list. */
export class ProspectExists extends HttpApiError.Problem<ProspectExists>()(
  "ProspectExists",
  declare("prospect_exists", 409, "The investor is on the project's list already."),
  {
    ...members("prospect_exists"),
    prospectId: Schema.String.annotate({ description: "The id of the prospect.", examples: [exampleId] })
  }
) {}

/** 409: a prospect that is on the list cannot be restored. */
export class ProspectNotRemoved extends HttpApiError.Problem<ProspectNotRemoved>()(
  "ProspectNotRemoved",
  declare("prospect_not_removed", 409, "The prospect is on the list."),
  members("prospect_not_removed")
) {}

/** 409: the contact or company of a removed prospect was deleted. */
export class InvestorDeleted extends HttpApiError.Problem<InvestorDeleted>()(
  "InvestorDeleted",
  declare("investor_deleted", 409, "The prospect's contact or company was deleted."),
  members("investor_deleted")
) {}
