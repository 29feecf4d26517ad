/** An offer as it is stored, from which its answer and its moves follow. Ids are UUIDs. */
import type { Projection } from "../teasers/projection/Projection.ts"
import type { OfferCategory } from "./Offer.ts"

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
