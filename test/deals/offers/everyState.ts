/** Offers in every status, and in every way in which one comes into it. */
import { type OfferState, type OfferStatus, offerStatuses } from "../../../src/deals/offers/Offer.ts"

/** The time of all decisions. */
export const at = new Date("2026-11-23T09:00:00.000Z")
export const earlier = new Date("2026-11-22T09:00:00.000Z")
export const later = new Date("2026-12-23T09:00:00.000Z")

/** What a teaser shows. */
export const projection = { country: "DE" } as unknown as NonNullable<OfferState["projection"]>

/** An offer that nothing has happened to. */
export const blank: OfferState = {
  userId: "u",
  brokerTeamId: "b",
  projectId: "p",
  prospectId: "r",
  category: "buying",
  projection,
  readAt: null,
  answer: null,
  answeredAt: null,
  rejectionReason: null,
  expiresAt: later,
  expiredAt: null,
  removedAt: null,
  withdrawnAt: null,
  closedAt: null
}

const accepted = { answer: "accepted", answeredAt: earlier } as const
const rejected = { answer: "rejected", answeredAt: earlier } as const

/** Every way in which an offer comes into a status. */
const statesOf: { readonly [Status in OfferStatus]: ReadonlyArray<Partial<OfferState>> } = {
  unanswered: [{}, { expiresAt: null }, { readAt: earlier }],
  pending: [
    { category: "invitation", projection: null },
    { category: "invitation", projection: null, expiresAt: null },
    { category: "selling" }
  ],
  accepted: [accepted, { ...accepted, expiresAt: earlier }, { ...accepted, category: "invitation", projection: null }],
  rejected: [rejected, { ...rejected, rejectionReason: "Too small" }],
  expired: [{ expiresAt: earlier }, { expiresAt: earlier, expiredAt: earlier }, { expiresAt: at }],
  removed: [
    { removedAt: earlier },
    { withdrawnAt: earlier },
    { removedAt: earlier, withdrawnAt: earlier },
    { withdrawnAt: earlier, closedAt: earlier },
    { withdrawnAt: earlier, ...accepted }
  ],
  closed: [{ closedAt: earlier }, { closedAt: earlier, ...accepted }, { closedAt: earlier, ...rejected }]
}

/** Every offer, with its status. */
export const everyState = offerStatuses.flatMap((status) =>
  statesOf[status].map((some) => ({ status, state: { ...blank, ...some } satisfies OfferState }))
)
