/** The decisions on what brokers and investors send each other, as pure functions: docs/behaviour/messages.md. */
import type { OfferStatus } from "../offers/Offer.ts"

/** Why nothing can be sent. */
export type Refusal = "removed" | "project_closed" | "not_accepted"

/** Why a broker cannot send anything to a prospect; undefined if they can. */
export const refusalOfBroker = (
  prospect: { readonly chat: boolean; readonly removedUtc: string | null },
  project: { readonly closedUtc: string | null }
): Refusal | undefined => {
  if (prospect.removedUtc !== null) return "removed"
  if (project.closedUtc !== null) return "project_closed"
  return prospect.chat ? undefined : "not_accepted"
}

/** Why an investor cannot send anything with an offer of this status; undefined if they can. */
export const refusalOfInvestor = (status: OfferStatus): Refusal | undefined => {
  switch (status) {
    case "accepted":
      return undefined
    case "removed":
      return "removed"
    case "closed":
      return "project_closed"
    default:
      return "not_accepted"
  }
}
