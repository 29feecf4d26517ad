/**
 * What an investor sees of an offer: the allow-list. Everything else that is stored, above all the ids of the broker's side, stays out
 * of answers (docs/behaviour/offers.md#members). Pure.
 */
import * as Id from "../../core/Id.ts"
import { inLanguage } from "../teasers/projection/title.ts"
import type { Offer } from "./Offer.ts"
import type { StoredOffer } from "./OfferState.ts"
import { statusOf } from "./rules.ts"

/** What an answer shows besides the stored offer. */
export interface OfferContext {
  readonly now: Date
  /** The language of the reader, as a BCP-47 tag. */
  readonly language: string
  /** The name of the recipient. */
  readonly recipientName: string
  /** Whom the broker names, if anybody. Shown once the offer is accepted. */
  readonly brokerContact: Offer["brokerContact"]
  /** The id of the room to which the prospect has access now. */
  readonly roomId: string | null
  /** The ids of the team's own mandates that the teaser fits. */
  readonly matchedMandateIds: ReadonlyArray<string>
}

/** Whether an offer names the broker: from its acceptance on, whatever happens later. */
export const namesBroker = ({ state }: StoredOffer): boolean => state.answer === "accepted"

/** The answer for an offer, without its ETag. */
export const visibleOffer = (offer: StoredOffer, context: OfferContext): Omit<Offer, "etag"> => {
  const { changeOrigin, changeType, createdAt, state, updatedAt, uuid } = offer
  const status = statusOf(state, context.now)
  return {
    id: Id.fromUuid("offer", uuid),
    status,
    category: state.category,
    capabilities: status === "accepted" && state.prospectId !== null ? ["chat"] : [],
    teaser: state.projection === null ? null : inLanguage(state.projection, context.language),
    brokerContact: namesBroker(offer) ? context.brokerContact : null,
    recipient: { id: Id.fromUuid("user", state.userId), name: context.recipientName },
    roomId: status === "removed" ? null : context.roomId,
    matchedMandateIds: context.matchedMandateIds,
    receivedUtc: createdAt.toISOString(),
    readUtc: state.readAt?.toISOString() ?? null,
    answeredUtc: state.answeredAt?.toISOString() ?? null,
    expiresUtc: state.expiresAt?.toISOString() ?? null,
    rejectionReason: state.rejectionReason,
    createdUtc: createdAt.toISOString(),
    updatedUtc: updatedAt.toISOString(),
    changeType,
    changeOrigin,
    deletedUtc: null
  }
}
