/** What was sent to an address: a teaser, or an invitation. Ids are UUIDs. */
import type { OfferCategory } from "./Offer.ts"
import type { Projection } from "./OfferState.ts"

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
