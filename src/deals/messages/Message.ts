/** What brokers and investors tell each other about a project (docs/behaviour/messages.md). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { LongText } from "../../core/fields/Text.ts"
import { declare, members } from "../../core/usecase/Problem.ts"

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
