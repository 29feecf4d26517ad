/**
 * An investor on a project: its answer, its stored state, the requests about it and their problems
 * (docs/behaviour/projects-and-prospects.md#prospects).
 */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields, type auditOf, ItemEtag } from "../../core/mutation/Audit.ts"
import { ExternalRef, ExternalRefQuery, ExternalRefs } from "../../core/externalRefs/ExternalRef.ts"
import { check, LongText, OpenEnum, Tag, Tags, Text } from "../../core/fields/Text.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { declare, members } from "../../core/usecase/Problem.ts"
import { IdOf } from "../../core/Id.ts"
import { deltaQuery } from "../../core/mutation/DeltaList.ts"
import { Currency, Decimal, maxAmount } from "../../core/fields/Measure.ts"

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
      email: Schema.NullOr(Schema.String.annotate({ examples: ["maria.rossi@example.com"] })),
      erased: Schema.optionalKey(
        Schema.Literal(true).annotate({
          description: "The person was erased: the prospect stays, without name and address, and can only be read."
        })
      )
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
  /** When the person was erased whose prospect it is. */
  readonly erasedUtc: string | null
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
  erasedUtc: null,
  externalRefs: []
}

// The bodies and parameters of requests: additions, patches, filters (docs/behaviour/projects-and-prospects.md#prospects).

/** A classification: a known one or any other word. */
export const Classification = Schema.String.check(
  check(
    "invalid_classification",
    "Must be 1 to 64 of the characters a to z, 0 to 9 and _.",
    (value: string) => /^[a-z0-9_]{1,64}$/.test(value),
    { pattern: "^[a-z0-9_]{1,64}$" }
  )
).annotate({
  description:
    "`not_contacted`, `contacted`, `interested`, `bidder` or another word of 1 to 64 of the characters a to z, 0 to 9 and _. It is stored as it is sent and can change in any direction.",
  examples: ["contacted"]
})

const projectTags = Tags.annotate({
  description:
    "The labels of the prospect on this project, each once, in their case; the whole list. Investors do not see them.",
  examples: [["first-round"]]
})

const externalRefs = ExternalRefs.annotate({
  description: "The names of the prospect in other systems; the whole list."
})

const investor = {
  contactId: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The id of the contact that is the investor. Send exactly one of `contactId` and `companyId`.",
    examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  companyId: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The id of the company that is the investor.",
    examples: [null]
  })
}

/** The body of an addition. */
export const ProspectAdd = Schema.Struct({
  ...investor,
  classification: Schema.optionalKey(Classification),
  projectTags: Schema.optionalKey(projectTags),
  externalRefs: Schema.optionalKey(externalRefs)
}).annotate({
  identifier: "ProspectAdd",
  description: "A contact or company to add to the list.",
  examples: [
    {
      contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
      classification: "contacted",
      projectTags: ["first-round"],
      externalRefs: [{ namespace: "hubspot", externalId: "deal-71" }]
    }
  ]
})
export type ProspectAdd = typeof ProspectAdd.Type

/** The body of a patch. */
export const ProspectPatch = Schema.Struct({
  classification: Schema.optionalKey(Classification),
  interest: Schema.optionalKey(Schema.NullOr(Interest)).annotate({ description: "Null clears it." }),
  stage: Schema.optionalKey(Stage).annotate({
    description:
      "Overrides the stage; later milestones can still raise it. Without a reason, sending the present stage or that of the present override changes nothing."
  }),
  stageReason: Schema.optionalKey(LongText).annotate({
    description: "The reason for the override; only with `stage`.",
    examples: ["Met at the fair"]
  }),
  projectTags: Schema.optionalKey(projectTags),
  owner: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The responsible user: the id of an active member of the team, or `me`; null for none.",
    examples: ["me"]
  }),
  accessExpiry: Schema.optionalKey(Schema.NullOr(Text(64))).annotate({
    description:
      "When the access to the room ends: a number of days, weeks or months (`3d`, `2w`, `1m`), `tomorrow`, `next_week` or `next_month` (as `1d`, `1w`, `1m`), or an ISO 8601 date or date and time, which must be in the future. Only for a prospect that has access to a room. Null clears it.",
    examples: ["2w"]
  }),
  externalRefs: Schema.optionalKey(externalRefs)
}).annotate({
  identifier: "ProspectPatch",
  description:
    "A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent with their present value.",
  examples: [{ classification: "interested", interest: "interested", owner: "me" }]
})
export type ProspectPatch = typeof ProspectPatch.Type

const names = {
  id: Schema.optionalKey(Schema.String).annotate({
    description:
      "The id of a prospect on the project. Without it, the item means the one with one of its references, or else with its contact or company.",
    examples: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  ...investor
}

/** The members of an item of an upsert that say which prospect it means. */
export const ProspectNames = Schema.Struct(names)
export type ProspectNames = typeof ProspectNames.Type

/** An item of an upsert. */
export const ProspectUpsert = Schema.Struct({
  ...names,
  etag: ItemEtag,
  ...ProspectPatch.fields,
  contactId: investor.contactId.annotate({
    description:
      "The id of the contact that is the investor. A new prospect needs exactly one of `contactId` and `companyId`; those of one that exists cannot change."
  }),
  externalRefs: Schema.optionalKey(ExternalRefs).annotate({
    description:
      "The names of the prospect in other systems. They replace those of the same namespaces, and leave the others."
  })
}).annotate({
  identifier: "ProspectUpsert",
  description:
    "A prospect to update, to restore or to add. Members as in a patch; read-only members may be sent with their present value.",
  examples: [
    {
      contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
      classification: "interested",
      externalRefs: [{ namespace: "hubspot", externalId: "deal-71" }]
    }
  ]
})

/** The parameters of the list; all of them combine. */
export const ProspectListQuery = Schema.Struct({
  ...deltaQuery,
  external_ref: Schema.optionalKey(ExternalRefQuery),
  capability: Schema.optionalKey(Schema.Literals(["communicated", "accepted", "chat", "invitation"])).annotate({
    description: "List only prospects with this flag."
  }),
  classification: Schema.optionalKey(Classification).annotate({
    description: "List only prospects with this classification."
  }),
  tags: Schema.optionalKey(Schema.Array(Tag)).annotate({
    description: "List only prospects whose contact or company has one of these labels; may be repeated."
  }),
  project_tags: Schema.optionalKey(Schema.Array(Tag)).annotate({
    description: "List only prospects with one of these labels on the project, in any case; may be repeated."
  }),
  interest: Schema.optionalKey(Schema.Literals([...interests, "none"])).annotate({
    description: "List only prospects with this interest; `none` lists those without any."
  }),
  stage: Schema.optionalKey(Stage).annotate({ description: "List only prospects at this stage." }),
  task_due: Schema.optionalKey(Schema.Literals(["overdue", "today", "this_week"])).annotate({
    description:
      "Only those with an open task that is due so, by the calendar in UTC: `overdue` before today, `this_week` from today to Sunday."
  })
})
export type ProspectListQuery = typeof ProspectListQuery.Type

/** The parameters of the list across projects; all of them combine. */
export const AllProspectsQuery = Schema.Struct({
  ...ProspectListQuery.fields,
  project_id: Schema.optionalKey(
    Text(64).annotate({
      description: "List only prospects of this project. An unknown id lists none.",
      examples: ["project_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  )
})
export type AllProspectsQuery = typeof AllProspectsQuery.Type

// Bulk classification (docs/behaviour/projects-and-prospects.md#bulk-classification).

/** The maximum number of prospects to classify at once. */
export const maxClassified = 100

/** The body of a bulk classification. */
export const ProspectClassify = Schema.Struct({
  prospectIds: Schema.Array(Schema.String)
    .check(
      check("too_few", "Must have at least one id.", (ids: ReadonlyArray<string>) => ids.length > 0, { minItems: 1 }),
      check(
        "too_many",
        `Must have at most ${maxClassified} ids.`,
        (ids: ReadonlyArray<string>) => ids.length <= maxClassified,
        {
          maxItems: maxClassified
        }
      )
    )
    .annotate({
      description: `The ids of 1 to ${maxClassified} prospects of the project. Repeated ids are ignored.`,
      examples: [["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"]]
    }),
  classification: Classification,
  note: Schema.optionalKey(LongText).annotate({
    description: "A comment, which is added as a note to each prospect.",
    examples: ["Called: wants the numbers of 2025 first."]
  })
}).annotate({
  identifier: "ProspectClassify",
  description: "Prospects and their new classification.",
  examples: [
    {
      prospectIds: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"],
      classification: "contacted",
      note: "Called: wants the numbers of 2025 first."
    }
  ]
})

export type ProspectClassify = typeof ProspectClassify.Type

/** The outcome of a bulk classification. */
export const Classified = Schema.Struct({
  classified: Schema.Array(
    Schema.Struct({
      id: IdOf("prospect"),
      classification: Schema.String.annotate({ examples: ["contacted"] }),
      noteId: Schema.NullOr(IdOf("act")).annotate({
        description: "The id of the note with the comment; null without a comment."
      })
    })
  ),
  failed: Schema.Array(
    Schema.Struct({
      id: Schema.String.annotate({
        description: "The id as it was sent.",
        examples: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"]
      }),
      code: OpenEnum(
        ["not_found", "prospect_removed", "prospect_erased", "note_failed", "internal_error"],
        "The reason, for programs."
      ),
      detail: Schema.String.annotate({
        description: "The reason, for people.",
        examples: ["There is no prospect with this id on the project."]
      })
    })
  ).annotate({
    description:
      "The prospects that were not classified. On `note_failed`, the classification was written, but the note was not."
  })
}).annotate({ identifier: "ProspectsClassified", description: "The outcome for each prospect." })
export type Classified = typeof Classified.Type

// Bids of investors (docs/behaviour/messages.md#moves).

/** A bid to record. */
export const Bid = Schema.Struct({ amount: Decimal({ minimum: 0.01, maximum: maxAmount }), currency: Currency })
export type Bid = typeof Bid.Type

/** The amount for people, as the timeline shows it to the broker. */
export const amountOf = ({ amount, currency }: Bid): string => `${amount} ${currency}`

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
