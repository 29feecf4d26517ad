/** A teaser that reached an investor, or an invitation to a room (docs/behaviour/offers.md). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { declare, members } from "../usecase/Problem.ts"

/** What an offer is: a communicated teaser, access to a room without one, or a project of which the team is the seller. */
export const offerCategories = ["buying", "invitation", "selling"] as const
export type OfferCategory = (typeof offerCategories)[number]

/** The statuses of an offer. */
export const offerStatuses = ["unanswered", "pending", "accepted", "rejected", "expired", "removed", "closed"] as const
export type OfferStatus = (typeof offerStatuses)[number]

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
