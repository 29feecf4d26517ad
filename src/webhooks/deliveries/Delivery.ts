/** The sending of one event to one webhook (specification, Webhook delivery; decisions §7). */
import { Schema } from "effect"
import { EventType, eventTypes } from "../../changes/Event.ts"
import { OpenEnum } from "../../fields/OpenEnum.ts"
import { Timestamp, TimestampInput, TimestampParameter } from "../../fields/Timestamp.ts"
import { Cursor, RowsPerPage } from "../../usecase/Page.ts"
import { IdOf } from "../../Id.ts"

const statuses = ["pending", "delivered", "failed", "exhausted"] as const

const members = {
  id: IdOf("dlv"),
  eventId: Schema.String.annotate({
    description: "The message's id, as in the `webhook-id` header: the same on every attempt.",
    examples: ["msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"]
  }),
  eventType: OpenEnum(eventTypes, "The type of the event."),
  status: OpenEnum(
    statuses,
    "`pending`: it waits for its first attempt, or was queued again. `failed`: the latest attempt failed; `nextAttemptUtc` tells whether another follows. `exhausted`: all nine failed."
  ),
  attemptCount: Schema.Int.annotate({
    description: "Attempts since it was made, or last queued again.",
    examples: [1]
  }),
  nextAttemptUtc: Schema.NullOr(Timestamp).annotate({
    description:
      "When the next attempt is due; in the past while it waits for its turn. Null when none follows, or not before the webhook is active again.",
    examples: [null]
  }),
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
}

/** A row of the delivery log. */
export const WebhookDelivery = Schema.Struct(members).annotate({
  identifier: "WebhookDelivery",
  description: "The sending of one event to one webhook."
})
export type WebhookDelivery = typeof WebhookDelivery.Type

const headers = (description: string, example: Readonly<Record<string, string>>) =>
  Schema.Record(Schema.String, Schema.String).annotate({ description, examples: [example] })

/** One attempt of a delivery, as its log has it. */
export const DeliveryAttempt = Schema.Struct({
  number: Schema.Int.annotate({
    description: "From 1, all attempts counted through; it goes on after a replay or retry.",
    examples: [1]
  }),
  startedUtc: Timestamp.annotate({ description: "When it began." }),
  durationMs: Schema.Int.annotate({ description: "How long it took, in milliseconds.", examples: [42] }),
  statusCode: Schema.NullOr(Schema.Int).annotate({
    description: "The HTTP status of the answer; null when none came.",
    examples: [204]
  }),
  error: Schema.NullOr(Schema.String).annotate({
    description: "What went wrong; null when nothing did.",
    examples: [null]
  }),
  responseHeaders: Schema.NullOr(headers("The headers of the answer; null when none came.", { server: "nginx" })),
  responseBody: Schema.NullOr(Schema.String).annotate({
    description: "The first 4 KiB of the answer, as text; null when none came.",
    examples: ["ok"]
  })
}).annotate({ identifier: "WebhookDeliveryAttempt", description: "One request to the receiver, and its answer." })
export type DeliveryAttempt = typeof DeliveryAttempt.Type

/** How many attempts of a delivery its details show, the latest ones. */
export const maxAttemptsShown = 100

/** A delivery with all that is known of it. */
export const WebhookDeliveryDetails = Schema.Struct({
  ...members,
  request: Schema.Struct({
    headers: headers("The headers of the latest attempt; before the first one, those that do not depend on its time.", {
      "webhook-id": "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
      "X-Service-Event": "contact.created"
    }),
    body: Schema.String.annotate({
      description: "The body of every attempt, byte for byte.",
      examples: ['{"event":"contact.created"}']
    })
  }).annotate({ description: "What is sent." }),
  attempts: Schema.Array(DeliveryAttempt).annotate({
    description: `Every attempt, the first one first; of more than ${maxAttemptsShown}, the latest.`
  })
}).annotate({ identifier: "WebhookDeliveryDetails", description: "A delivery with its request and its attempts." })
export type WebhookDeliveryDetails = typeof WebhookDeliveryDetails.Type

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
  created_after: Schema.optionalKey(TimestampParameter("List deliveries that were created at this moment or later.")),
  created_before: Schema.optionalKey(TimestampParameter("List deliveries that were created before this moment."))
})
export type DeliveryListQuery = typeof DeliveryListQuery.Type

/** How far the deliveries are counted that a replay leaves. */
export const maxCounted = 10_000

/** How many deliveries one replay queues. */
export const maxReplayed = 100

/** Which deliveries are sent again. */
export const WebhookReplay = Schema.Struct({
  since: TimestampInput.annotate({
    description: "Deliveries that were created at this moment or later.",
    examples: ["2026-11-21T09:30:00.000Z"]
  })
}).annotate({ identifier: "WebhookReplay", description: "Which failed deliveries are sent again." })
export type WebhookReplay = typeof WebhookReplay.Type

/** What a replay did. */
export const WebhookReplayed = Schema.Struct({
  replayed_count: Schema.Int.annotate({ description: "How many deliveries were queued again.", examples: [100] }),
  remaining_count: Schema.Int.annotate({
    description: `How many failed and exhausted deliveries come after those, counted up to ${maxCounted}.`,
    examples: [12]
  }),
  next_since: Schema.NullOr(Timestamp).annotate({
    description: "The `since` to go on from; null when nothing is left."
  }),
  message: Schema.String.annotate({
    description: "The same in words.",
    examples: ["100 deliveries were queued. 12 remain: go on with since=2026-11-21T09:31:07.250Z."]
  })
}).annotate({ identifier: "WebhookReplayed", description: "What a replay did." })
export type WebhookReplayed = typeof WebhookReplayed.Type
