/** What brokers and investors tell each other about a project, and when they can (docs/behaviour/messages.md). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { LongText } from "../../core/fields/Text.ts"
import { declare, members } from "../../core/usecase/Problem.ts"
import type { OfferStatus } from "../offers/Offer.ts"

/** A message to send. */
export const MessageCreate = Schema.Struct({ text: LongText })

/** A call to log. Only brokers of the team know of it. */
export const CallCreate = Schema.Struct({ note: LongText })

/** 409: there is nobody to talk to: the investor has not accepted, or the deal is over. */
export class ChatNotOpen extends HttpApiError.Problem<ChatNotOpen>()(
  "ChatNotOpen",
  declare("chat_not_open", 409, "Broker and investor cannot exchange messages."),
  members("chat_not_open")
) {}

/** Why nothing can be sent. */
export type Refusal = "erased" | "removed" | "project_closed" | "not_accepted"

/** Why a broker cannot send anything to a prospect; undefined if they can. */
export const refusalOfBroker = (
  prospect: { readonly chat: boolean; readonly removedUtc: string | null; readonly erasedUtc: string | null },
  project: { readonly closedUtc: string | null }
): Refusal | undefined => {
  if (prospect.removedUtc !== null) return "removed"
  if (prospect.erasedUtc !== null) return "erased"
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
