/** An investor on a project (specification, Prospect; decisions §6). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields } from "../changes/Audit.ts"
import { ExternalRef } from "../externalRefs/ExternalRef.ts"
import { OpenEnum } from "../fields/OpenEnum.ts"
import { Timestamp } from "../fields/Timestamp.ts"
import { declare, members } from "../usecase/Problem.ts"
import { IdOf } from "../Id.ts"

/** The stages of a prospect, each higher than the one before. */
export const stages = ["not_contacted", "teaser", "im", "data_room", "bid"] as const

/** How far a prospect has come. */
export const Stage = Schema.Literals(stages)
export type Stage = typeof Stage.Type

/** What an investor thinks of the project. */
export const interests = ["interested", "maybe", "not_interested"] as const
export const Interest = Schema.Literals(interests)
export type Interest = typeof Interest.Type

/** What a prospect is classified as unless told. */
export const firstClassification = "not_contacted"

/** What happens to prospects in the process, and the stage that each reaches (decisions §6). */
export const milestoneStages = {
  teaser_communicated: "teaser",
  im_shared: "im",
  room_access_granted: "data_room",
  bid_recorded: "bid"
} as const satisfies { readonly [kind: string]: Stage }

/** The kinds of these happenings. */
export const milestones = ["teaser_communicated", "im_shared", "room_access_granted", "bid_recorded"] as const
export type Milestone = (typeof milestones)[number]

/** A user by id and name. */
export const NamedUser = Schema.Struct({
  id: IdOf("user"),
  name: Schema.String.annotate({ examples: ["Anna Berg"] })
}).annotate({ identifier: "NamedUser", description: "A member of the team." })
export type NamedUser = typeof NamedUser.Type

/** A calendar date as a moment: its midnight in UTC. */
export const DueDate = Timestamp.annotate({
  description: "The day when it is due, as its midnight in UTC.",
  examples: ["2026-11-28T00:00:00.000Z"]
})

const exampleId = "prospect_01kb3n7x2ferwt5z8q4j6m9d0c"

const nullable = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description: `${description} Null on a tombstone.` })

/** A prospect, or, in a delta, the tombstone of one. */
export const Prospect = Schema.Struct({
  id: IdOf("prospect"),
  projectId: Schema.NullOr(IdOf("project")).annotate({
    description: "The project that it is on. Null on a tombstone."
  }),
  contact: Schema.NullOr(
    Schema.Struct({
      id: IdOf("contact"),
      name: Schema.NullOr(Schema.String.annotate({ examples: ["Maria Rossi"] })),
      email: Schema.NullOr(Schema.String.annotate({ examples: ["maria.rossi@example.com"] }))
    })
  ).annotate({ description: "The person who is the investor; null when it is a company." }),
  company: Schema.NullOr(
    Schema.Struct({
      id: IdOf("company"),
      name: Schema.NullOr(Schema.String.annotate({ examples: ["Rossi Immobiliare"] })),
      domain: Schema.NullOr(Schema.String.annotate({ examples: ["rossi-immobiliare.example"] })),
      country: Schema.NullOr(Schema.String.annotate({ examples: ["IT"] }))
    })
  ).annotate({ description: "The company that is the investor; null when it is a person.", examples: [null] }),
  classification: nullable(
    OpenEnum(["not_contacted", "contacted", "interested", "bidder"], "As it was last written."),
    "The classification, as it was last written; `not_contacted` at first."
  ),
  interest: Schema.NullOr(OpenEnum(interests, "What the investor thinks of it.")).annotate({
    description: "`interested`, `maybe` or `not_interested`; null when none is recorded."
  }),
  stage: nullable(
    OpenEnum(stages, "How far it has come."),
    "How far it has come: derived from what has happened, or corrected; what happens never lowers it."
  ),
  stageOverride: Schema.optionalKey(
    Schema.Struct({
      stage: OpenEnum(stages, "The stage that was set."),
      setBy: Schema.NullOr(NamedUser),
      setAtUtc: Timestamp,
      reason: Schema.NullOr(Schema.String.annotate({ examples: ["Met at the fair"] }))
    })
  ).annotate({ description: "The latest manual correction of the stage; left out when there is none." }),
  nextTask: Schema.optionalKey(
    Schema.Struct({
      id: IdOf("task"),
      type: OpenEnum(["call", "meeting", "email"], "What is to be done."),
      dueDateUtc: DueDate,
      assignee: Schema.NullOr(NamedUser),
      overdue: Schema.Boolean.annotate({
        description: "Whether the due date is before today in UTC.",
        examples: [false]
      })
    })
  ).annotate({ description: "The open task that is due first; left out when there is none." }),
  openTaskCount: nullable(Schema.Int.annotate({ examples: [1] }), "How many follow-up tasks are open."),
  projectTags: Schema.Array(Schema.String).annotate({
    description: "Labels on this project alone, which the investor never sees.",
    examples: [["first-round"]]
  }),
  tags: Schema.Array(Schema.String).annotate({
    description: "The network-wide labels of the contact or company.",
    examples: [["logistics"]]
  }),
  owner: Schema.optionalKey(NamedUser),
  communicated: nullable(Schema.Boolean.annotate({ examples: [true] }), "Whether the teaser was communicated."),
  accepted: nullable(Schema.Boolean.annotate({ examples: [false] }), "Whether the investor accepted the offer."),
  chat: nullable(
    Schema.Boolean.annotate({ examples: [false] }),
    "Whether broker and investor can write to each other."
  ),
  invitation: nullable(
    Schema.Boolean.annotate({ examples: [false] }),
    "Whether the investor is invited and has not answered."
  ),
  noteCount: nullable(
    Schema.Int.annotate({ examples: [2] }),
    "How many notes there are that are neither archived nor superseded."
  ),
  accessExpiryUtc: Schema.NullOr(Timestamp).annotate({
    description: "When access to the room ends; null when it does not, or there is none.",
    examples: [null]
  }),
  teaser: Schema.NullOr(
    Schema.Struct({
      stage: OpenEnum(["communicated"], "How far the teaser has come."),
      communicatedUtc: Timestamp
    })
  ).annotate({ description: "The teaser that the investor got; null when none was communicated." }),
  removedUtc: Schema.NullOr(Timestamp).annotate({
    description: "When it was removed from the list; null while it is on it.",
    examples: [null]
  }),
  externalRefs: Schema.Array(ExternalRef),
  ...auditFields
}).annotate({
  identifier: "Prospect",
  description:
    "An investor on a project. A tombstone, of one that was deleted or removed from the list, has only its audit members and external references."
})
export type Prospect = typeof Prospect.Type

/** 409: the investor is on the list already. */
export class ProspectExists extends HttpApiError.Problem<ProspectExists>()(
  "ProspectExists",
  declare("prospect_exists", 409, "The investor is on the project's list already."),
  {
    ...members("prospect_exists"),
    prospectId: Schema.String.annotate({ description: "The id of the prospect.", examples: [exampleId] })
  }
) {}

/** 409: the prospect was removed from the list; until it is restored, it is only read. */
export class ProspectRemoved extends HttpApiError.Problem<ProspectRemoved>()(
  "ProspectRemoved",
  declare("prospect_removed", 409, "The prospect was removed from the list."),
  members("prospect_removed")
) {
  /** The refusal of whatever changes a removed prospect. */
  static readonly refusal = () =>
    new ProspectRemoved({ detail: "The prospect was removed from the list. Restore it first." })
}

/** 409: a prospect that is on the list cannot be restored. */
export class ProspectNotRemoved extends HttpApiError.Problem<ProspectNotRemoved>()(
  "ProspectNotRemoved",
  declare("prospect_not_removed", 409, "The prospect is on the list."),
  members("prospect_not_removed")
) {}

/** 409: the contact or company of a removed prospect is no longer in the network. */
export class InvestorDeleted extends HttpApiError.Problem<InvestorDeleted>()(
  "InvestorDeleted",
  declare("investor_deleted", 409, "The prospect's contact or company was deleted."),
  members("investor_deleted")
) {}
