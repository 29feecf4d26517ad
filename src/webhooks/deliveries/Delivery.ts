/** A delivery: one event for one webhook. See docs/behaviour/webhooks.md#deliveries. */
import { Schema } from "effect"
import { EventType, eventTypes } from "../../core/mutation/Event.ts"
import { OpenEnum, Text } from "../../core/fields/Text.ts"
import { Timestamp, TimestampInput, TimestampParameter } from "../../core/fields/Timestamp.ts"
import { Cursor, RowsPerPage } from "../../core/usecase/Page.ts"
import { IdOf } from "../../core/Id.ts"

/** The states of deliveries. */
export const statuses = ["pending", "delivered", "failed", "exhausted"] as const

const members = {
  id: IdOf("dlv"),
  eventId: Schema.String.annotate({
    description: "The id of the message, as in the `webhook-id` header. It is the same on every attempt.",
    examples: ["msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"]
  }),
  eventType: OpenEnum(eventTypes, "The type of the event."),
  status: OpenEnum(
    statuses,
    "`pending`: it waits for its first attempt that the service can make, or was queued again. `failed`: the latest attempt failed; another follows if `nextAttemptUtc` is set. `exhausted`: all nine attempts failed."
  ),
  attemptCount: Schema.Int.annotate({
    description: "The number of attempts since the delivery was created or last queued again.",
    examples: [1]
  }),
  nextAttemptUtc: Schema.NullOr(Timestamp).annotate({
    description:
      "When the next attempt is due. It may lie in the past while other deliveries are sent first. Null if no attempt follows, or none before the webhook is active again.",
    examples: [null]
  }),
  lastAttemptUtc: Schema.NullOr(Timestamp).annotate({ description: "When the latest attempt began." }),
  lastStatusCode: Schema.NullOr(Schema.Int).annotate({
    description: "The HTTP status of the latest attempt; null if the receiver did not respond.",
    examples: [204]
  }),
  lastError: Schema.NullOr(Schema.String).annotate({
    description:
      "Why the latest attempt failed; null if it did not. If the service itself was at fault, the attempt counts for nothing, and is made again within minutes.",
    examples: [null]
  }),
  lastDurationMs: Schema.NullOr(Schema.Int).annotate({
    description: "How long the latest attempt took, in milliseconds; null if the service could not make it.",
    examples: [42]
  }),
  createdUtc: Timestamp,
  deliveredUtc: Schema.NullOr(Timestamp).annotate({ description: "When the receiver accepted it; null until then." })
}

/** A row of the delivery log. */
export const WebhookDelivery = Schema.Struct(members).annotate({
  identifier: "WebhookDelivery",
  description: "One event for one webhook, with the result of its attempts."
})
export type WebhookDelivery = typeof WebhookDelivery.Type

const headers = (description: string, example: Readonly<Record<string, string>>) =>
  Schema.Record(Schema.String, Schema.String).annotate({ description, examples: [example] })

/** One attempt of a delivery, as the log shows it. */
export const DeliveryAttempt = Schema.Struct({
  number: Schema.Int.annotate({
    description:
      "The number of the attempt, from 1. A replay or retry does not reset it. Numbers of attempts that the service could not make are left out.",
    examples: [1]
  }),
  startedUtc: Timestamp.annotate({ description: "When the attempt began." }),
  durationMs: Schema.Int.annotate({ description: "How long it took, in milliseconds.", examples: [42] }),
  statusCode: Schema.NullOr(Schema.Int).annotate({
    description: "The HTTP status of the response; null if there was none.",
    examples: [204]
  }),
  error: Schema.NullOr(Schema.String).annotate({
    description: "Why the attempt failed; null if it did not.",
    examples: [null]
  }),
  responseHeaders: Schema.NullOr(headers("The headers of the response; null if there was none.", { server: "nginx" })),
  responseBody: Schema.NullOr(Schema.String).annotate({
    description: "The first 4 KiB of the response body, as text; null if there was none.",
    examples: ["ok"]
  })
}).annotate({ identifier: "WebhookDeliveryAttempt", description: "One request to the receiver, and its response." })
export type DeliveryAttempt = typeof DeliveryAttempt.Type

/** How many attempts the details of a delivery show at most. */
export const maxAttemptsShown = 100

/** A delivery with its request and its attempts. */
export const WebhookDeliveryDetails = Schema.Struct({
  ...members,
  request: Schema.Struct({
    headers: headers(
      "The headers of the latest attempt. Before the first attempt, the headers that do not depend on its time.",
      {
        "webhook-id": "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
        "X-Service-Event": "contact.created"
      }
    ),
    body: Schema.String.annotate({
      description: "The body of every attempt, byte for byte.",
      examples: ['{"event":"contact.created"}']
    })
  }).annotate({ description: "The request to the receiver." }),
  attempts: Schema.Array(DeliveryAttempt).annotate({
    description: `The attempts, the oldest first. If there are more than ${maxAttemptsShown}, the latest ${maxAttemptsShown}.`
  })
}).annotate({ identifier: "WebhookDeliveryDetails", description: "A delivery with its request and its attempts." })
export type WebhookDeliveryDetails = typeof WebhookDeliveryDetails.Type

// What the operator sees, of the deliveries of all teams.

/** A row of the logs of all webhooks, with the webhook and its team. */
export interface ReportedDelivery extends WebhookDelivery {
  readonly teamId: string
  readonly webhookId: string
  readonly webhookName: string | null
}

/** A delivery with its request, its attempts and its receiver. */
export interface ReportedDeliveryDetails extends WebhookDeliveryDetails {
  readonly teamId: string
  readonly webhookId: string
  readonly webhookName: string | null
  readonly webhookStatus: string
  readonly url: string
}

/** Which deliveries the operator asks for. */
export interface DeliveryReportQuery {
  readonly teamId: string | undefined
  readonly webhookId: string | undefined
  readonly status: WebhookDelivery["status"] | undefined
  readonly eventType: string | undefined
  /** Created at this moment or later. */
  readonly since: Date | undefined
}

/** The default number of rows on a page. */
export const defaultLimit = 20

/** 1 to 100; defaults to 20. */
const pageSize = RowsPerPage(100, defaultLimit)

/** How many deliveries one request looks through for a text. */
export const maxSearched = 5000

/** The parameters of the delivery log. */
export const DeliveryListQuery = Schema.Struct({
  page_size: Schema.optionalKey(pageSize),
  limit: Schema.optionalKey(
    pageSize.annotate({ deprecated: true, description: "The former name of `page_size`, with the same bounds." })
  ),
  cursor: Schema.optionalKey(Cursor),
  status: Schema.optionalKey(Schema.Literals(statuses).annotate({ description: "Deliveries in this state." })),
  event_type: Schema.optionalKey(EventType.annotate({ description: "Deliveries of this type of event." })),
  created_after: Schema.optionalKey(TimestampParameter("List deliveries that were created at this moment or later.")),
  created_before: Schema.optionalKey(TimestampParameter("List deliveries that were created before this moment.")),
  last_error: Schema.optionalKey(
    Text(500).annotate({
      description:
        "Deliveries that have not arrived and whose latest attempt failed for this reason: `lastError`, exactly.",
      examples: ["The receiver answered 503."]
    })
  ),
  body_contains: Schema.optionalKey(
    Text(200).annotate({
      description: `Deliveries with this text in their body, in upper or lower case. A request looks through ${maxSearched.toLocaleString("en")} deliveries that the other filters let through, so a page may have fewer rows, or none: only \`nextCursor\` says whether more may follow.`,
      examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  )
})
export type DeliveryListQuery = typeof DeliveryListQuery.Type

/** How far a replay counts the deliveries that remain. */
export const maxCounted = 10_000

/** How many deliveries one replay queues at most. */
export const maxReplayed = 100

/** How many deliveries are queued again in one transaction where many are. */
export const retryStep = 500

/** What came of the request to send all deliveries again that filters let through. */
export interface RetriedAll {
  /** How many there are, without those that wait; counted up to `maxCounted`, the latest first. */
  readonly matching: number
  /** How many of them arrived before. */
  readonly delivered: number
  /** How many were queued again; null if another number, or none, was confirmed. */
  readonly retried: number | null
}

/** Why deliveries of a webhook have not arrived, and how many: the latest failed ones, counted up to `maxCounted` of each state. */
export interface FailureCause {
  /** `lastError` of each. */
  readonly error: string
  readonly statusCode: number | null
  readonly count: number
  readonly firstUtc: string | null
  readonly lastUtc: string | null
  /** The id of the latest of them. */
  readonly exampleId: string
}

/** The request of a replay. */
export const WebhookReplay = Schema.Struct({
  since: TimestampInput.annotate({
    description: "Deliveries that were created at this moment or later.",
    examples: ["2026-11-21T09:30:00.000Z"]
  })
}).annotate({ identifier: "WebhookReplay", description: "Which failed deliveries to queue again." })
export type WebhookReplay = typeof WebhookReplay.Type

/** The result of a replay. */
export const WebhookReplayed = Schema.Struct({
  replayed_count: Schema.Int.annotate({ description: "How many deliveries were queued again.", examples: [100] }),
  remaining_count: Schema.Int.annotate({
    description: `How many failed and exhausted deliveries remain, counted up to ${maxCounted}.`,
    examples: [12]
  }),
  next_since: Schema.NullOr(Timestamp).annotate({
    description: "The `since` of the next replay; null if nothing remains."
  }),
  message: Schema.String.annotate({
    description: "A summary of the result.",
    examples: ["100 deliveries were queued. 12 remain: continue with since=2026-11-21T09:31:07.250Z."]
  })
}).annotate({ identifier: "WebhookReplayed", description: "The result of a replay." })
export type WebhookReplayed = typeof WebhookReplayed.Type
