/** What is sent to addresses: teasers and invitations (docs/behaviour/offers.md#communicating). Ids are UUIDs, but for requests and answers. */
import { Schema } from "effect"
import { check, Text } from "../../core/fields/Text.ts"
import type { OfferCategory } from "./Offer.ts"
import type { Projection } from "../teasers/projection/Projection.ts"

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
