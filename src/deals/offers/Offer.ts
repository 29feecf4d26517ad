/** A teaser that reached an investor, or an invitation to a room (docs/behaviour/offers.md). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields } from "../../core/mutation/Audit.ts"
import { check, LongText, OpenEnum, Text } from "../../core/fields/Text.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { IdOf } from "../../core/Id.ts"
import { TeamContactPersonSummary } from "../../identity/teams/Team.ts"
import { Projection } from "../teasers/projection/Projection.ts"
import { pageQuery } from "../../core/usecase/Page.ts"
import { declare, members } from "../../core/usecase/Problem.ts"

/** What an offer is: a communicated teaser, access to a room without one, or a project of which the team is the seller. */
export const offerCategories = ["buying", "invitation", "selling"] as const
export type OfferCategory = (typeof offerCategories)[number]

/** The statuses of an offer. */
export const offerStatuses = ["unanswered", "pending", "accepted", "rejected", "expired", "removed", "closed"] as const
export type OfferStatus = (typeof offerStatuses)[number]

const moment = (description: string) => Schema.NullOr(Timestamp).annotate({ description, examples: [null] })

/** An offer. */
export const Offer = Schema.Struct({
  id: IdOf("offer"),
  status: OpenEnum(
    offerStatuses,
    "`unanswered`: a teaser that waits for an answer. `pending`: an invitation, or the offer of the seller, that does. `accepted`, `rejected`: the answer. `expired`: there was none until `expiresUtc`. `removed`: by the team, or withdrawn by the broker. `closed`: the broker closed the project."
  ),
  category: OpenEnum(
    offerCategories,
    "`buying`: a teaser. `invitation`: access to a data room without one. `selling`: the team is the seller."
  ),
  capabilities: Schema.Array(OpenEnum(["chat"], "`chat`: messages can be exchanged with the broker.")).annotate({
    description: "What the team can do with the offer.",
    examples: [["chat"]]
  }),
  teaser: Schema.NullOr(Projection).annotate({
    description: "What the broker shows, as it was communicated last; null for an invitation without a teaser."
  }),
  brokerContact: Schema.NullOr(TeamContactPersonSummary).annotate({
    description: "The broker; null until the offer is accepted."
  }),
  recipient: Schema.Struct({
    id: IdOf("user"),
    name: Schema.String.annotate({ examples: ["Nora Lind"] })
  }).annotate({ identifier: "OfferRecipient", description: "The user of the team to whom it was addressed." }),
  roomId: Schema.NullOr(IdOf("room")).annotate({
    description: "The data room to which the team has access now; else null.",
    examples: [null]
  }),
  matchedMandateIds: Schema.Array(IdOf("mandate")).annotate({
    description:
      "The team's own active mandates that the teaser fits, as far as it shows, the best first; at most 20. Of a range, the value counts that fits best.",
    examples: [["mandate_01kb3n7x2ferwt5z8q4j6m9d0c"]]
  }),
  receivedUtc: Timestamp.annotate({ description: "When the team received it." }),
  readUtc: moment("When a user of the team first read it, or answered it; null if nobody did."),
  answeredUtc: moment("When it was accepted or rejected."),
  expiresUtc: moment("Until when it can be answered; null for no end."),
  rejectionReason: Schema.NullOr(Schema.String).annotate({
    description: "What the team gave as its reason for rejecting it.",
    examples: [null]
  }),
  ...auditFields
}).annotate({
  identifier: "Offer",
  description: "A teaser that the team received from a broker, or an invitation to a data room."
})
export type Offer = typeof Offer.Type

/** The filters of the list. */
export const offerFilters = [
  "all",
  "active",
  "ongoing",
  "inactive",
  "removed",
  "unread",
  "unanswered",
  "invitations",
  "selling"
] as const
export type OfferFilter = (typeof offerFilters)[number]

/** The parameters of the list. */
export const OfferListQuery = Schema.Struct({
  ...pageQuery,
  filter: Schema.optionalKey(
    Schema.Literals(offerFilters).annotate({
      description:
        "`all` (the default): all but removed ones. `active`: unanswered, pending or accepted. `ongoing`: accepted. `inactive`: rejected, expired or closed. `removed`. `unread`: never read or answered, and not removed. `unanswered`: of the teasers that wait for an answer, the one that has waited longest. `invitations`: pending ones. `selling`: accepted ones of which the team is the seller.",
      examples: ["active"]
    })
  )
})
export type OfferListQuery = typeof OfferListQuery.Type

/** The rejection of an offer. */
export const Rejection = Schema.Struct({ reason: Schema.optionalKey(LongText) })

/** 409: the investor gave the other answer before. */
export class OfferAnswered extends HttpApiError.Problem<OfferAnswered>()(
  "OfferAnswered",
  declare("offer_answered", 409, "The offer was answered already."),
  {
    ...members("offer_answered"),
    answer: Schema.String.annotate({ description: "The answer: `accepted` or `rejected`.", examples: ["rejected"] })
  }
) {}

/** 409: the offer was removed or closed, or has expired, so it cannot be answered. */
export class OfferNotOpen extends HttpApiError.Problem<OfferNotOpen>()(
  "OfferNotOpen",
  declare("offer_not_open", 409, "The offer can no longer be answered."),
  {
    ...members("offer_not_open"),
    offerStatus: Schema.String.annotate({
      description: "The status of the offer: `removed`, `closed` or `expired`.",
      examples: ["closed"]
    })
  }
) {}

// An offer as it is stored, from which its answer and its moves follow. Ids are UUIDs.

/** The answer of the investor. */
export type OfferAnswer = "accepted" | "rejected"

/** The members that are stored. */
export interface OfferState {
  /** The user who has the address. */
  readonly userId: string
  /** What it is about, in the broker's team: never shown to the investor. */
  readonly brokerTeamId: string
  readonly projectId: string
  /** Null for the seller's. */
  readonly prospectId: string | null
  readonly category: OfferCategory
  /** What the teaser showed when it was communicated; null for an invitation without one. */
  readonly projection: Projection | null
  readonly readAt: Date | null
  readonly answer: OfferAnswer | null
  readonly answeredAt: Date | null
  readonly rejectionReason: string | null
  readonly expiresAt: Date | null
  /** When its end was recorded. */
  readonly expiredAt: Date | null
  /** When the investor removed it. */
  readonly removedAt: Date | null
  /** When the prospect left the broker's list. */
  readonly withdrawnAt: Date | null
  readonly closedAt: Date | null
}

/** A stored offer. `teamId` is the investor's. */
export interface StoredOffer {
  readonly uuid: string
  readonly teamId: string
  readonly version: number
  readonly state: OfferState
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly changeType: string
  readonly changeOrigin: string
}

// What is sent to addresses: teasers and invitations (docs/behaviour/offers.md#communicating). Ids are UUIDs, but for requests and answers.

/** A teaser or an invitation that was sent to an address. */
export interface SentTo {
  /** In lower case. */
  readonly email: string
  readonly projectId: string
  /** Null for the seller. */
  readonly prospectId: string | null
  readonly category: OfferCategory
  readonly projection: Projection | null
  readonly expiresAt: Date | null
}

/** An address of a prospect. */
export interface Address {
  readonly prospectId: string
  readonly email: string
}

/** The prospects to which a teaser is communicated, by their ids, and until when they can answer. */
export const Communicate = Schema.Struct({
  prospectIds: Schema.optionalKey(Schema.Array(Schema.String)),
  all: Schema.optionalKey(Schema.Boolean),
  expires: Schema.optionalKey(Text(64))
}).check(
  check(
    "exactly_one",
    "Name prospects, or ask for all, and not both.",
    ({ all, prospectIds = [] }: { readonly all?: boolean; readonly prospectIds?: ReadonlyArray<string> }) =>
      prospectIds.length > 0 !== (all === true)
  )
)
export type Communicate = typeof Communicate.Type

/** To whom a teaser was communicated. */
export interface Communicated {
  readonly communicated: ReadonlyArray<{ readonly prospectId: string; readonly offerIds: ReadonlyArray<string> }>
  readonly failed: ReadonlyArray<{ readonly prospectId: string; readonly code: string; readonly detail: string }>
}
