/** The sending of one event to one webhook (specification, Webhook delivery; decisions §7). */
import { Schema } from "effect"
import { EventType, eventTypes } from "../../changes/Event.ts"
import { OpenEnum } from "../../fields/OpenEnum.ts"
import { Timestamp, TimestampInput } from "../../fields/Timestamp.ts"
import { Cursor, RowsPerPage } from "../../http/Page.ts"
import { IdOf } from "../../Id.ts"

const statuses = ["pending", "delivered", "failed", "exhausted"] as const

/** A row of the delivery log. */
export const WebhookDelivery = Schema.Struct({
  id: IdOf("dlv"),
  eventId: Schema.String.annotate({
    description: "The message's id, as in the `webhook-id` header: the same on every attempt.",
    examples: ["msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"]
  }),
  eventType: OpenEnum(eventTypes, "The type of the event."),
  status: OpenEnum(
    statuses,
    "`pending`: no attempt has ended. `failed`: the latest one failed. `exhausted`: all nine failed."
  ),
  attemptCount: Schema.Int.annotate({ description: "Attempts so far.", examples: [1] }),
  lastAttemptUtc: Schema.NullOr(Timestamp).annotate({ description: "When the latest attempt began." }),
  lastStatusCode: Schema.NullOr(Schema.Int).annotate({
    description: "The HTTP status of the latest attempt; null when no answer came.",
    examples: [204]
  }),
  lastError: Schema.NullOr(Schema.String).annotate({
    description: "What went wrong on the latest attempt; null when nothing did.",
    examples: [null]
  }),
  lastDurationMs: Schema.NullOr(Schema.Int).annotate({
    description: "How long the latest attempt took, in milliseconds.",
    examples: [42]
  }),
  createdUtc: Timestamp,
  deliveredUtc: Schema.NullOr(Timestamp).annotate({ description: "Null until delivered." })
}).annotate({ identifier: "WebhookDelivery", description: "The sending of one event to one webhook." })
export type WebhookDelivery = typeof WebhookDelivery.Type

/** How many rows a page has unless told. */
export const defaultLimit = 20

/** `limit`: 1 to 100, 20 unless told. */
const Limit = RowsPerPage(100, defaultLimit)

/** The parameters of the delivery log. */
export const DeliveryListQuery = Schema.Struct({
  limit: Schema.optionalKey(Limit),
  cursor: Schema.optionalKey(Cursor),
  status: Schema.optionalKey(Schema.Literals(statuses).annotate({ description: "Deliveries in this state." })),
  event_type: Schema.optionalKey(EventType.annotate({ description: "Deliveries of this type of event." })),
  created_after: Schema.optionalKey(
    TimestampInput.annotate({ description: "Deliveries that were created at this moment or later." })
  ),
  created_before: Schema.optionalKey(
    TimestampInput.annotate({ description: "Deliveries that were created before this moment." })
  )
})
export type DeliveryListQuery = typeof DeliveryListQuery.Type
