/** A receiver of events (specification, Webhook; decisions §7). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields } from "../../changes/Audit.ts"
import { EventType, eventTypes } from "../../changes/Event.ts"
import { OpenEnum } from "../../fields/OpenEnum.ts"
import { check, Name, Text } from "../../fields/Text.ts"
import { Timestamp } from "../../fields/Timestamp.ts"
import { pageQuery } from "../../http/Page.ts"
import { declare, members } from "../../http/Problem.ts"
import { IdOf } from "../../Id.ts"

/** How many webhooks a team may have. */
export const mostPerTeam = 20

const fields = {
  url: Text(2048).annotate({
    description:
      "Where events are posted to: https, without credentials and fragment, on a public address. The address is checked here and at every connection.",
    examples: ["https://hooks.example.com/property-network"]
  }),
  events: Schema.Array(EventType).check(
    check("too_few", "Must name at least one event.", (value: ReadonlyArray<string>) => value.length > 0, {
      minItems: 1
    }),
    check(
      "not_unique",
      "Must name each event once.",
      (value: ReadonlyArray<string>) => new Set(value).size === value.length,
      { uniqueItems: true }
    )
  ).annotate({
    description: "The types of events that are sent. A change of them concerns new events only.",
    examples: [["contact.created", "contact.updated"]]
  }),
  name: Schema.NullOr(Name.annotate({ examples: ["CRM sync"] })).annotate({ description: "A label." })
}

/** What a webhook is created with. */
export const WebhookCreate = Schema.Struct({
  url: fields.url,
  events: fields.events,
  name: Schema.optionalKey(fields.name)
}).annotate({ identifier: "WebhookCreate", description: "A new webhook. It is active at once." })
export type WebhookCreate = typeof WebhookCreate.Type

/** What of a webhook can be changed. */
export const WebhookPatch = Schema.Struct({
  name: Schema.optionalKey(fields.name),
  url: Schema.optionalKey(fields.url),
  events: Schema.optionalKey(fields.events),
  status: Schema.optionalKey(
    Schema.Literals(["active", "paused"]).annotate({
      description:
        "`paused` keeps events back; `active` sends what waits, resets the count of exhausted deliveries, and is the way out of `disabled`."
    })
  )
}).annotate({
  identifier: "WebhookPatch",
  description:
    "A merge patch (RFC 7396): omitted leaves, null clears, arrays replace. Read-only members may be sent back with their present value."
})
export type WebhookPatch = typeof WebhookPatch.Type

/** A webhook. */
export const Webhook = Schema.Struct({
  id: IdOf("webhook"),
  url: fields.url,
  events: Schema.Array(OpenEnum(eventTypes, "A type of event that is sent.")),
  name: fields.name,
  status: OpenEnum(
    ["active", "paused", "disabled"],
    "Events are sent while it is `active`; they are recorded, and wait, while it is `paused` or `disabled`."
  ),
  secret: Schema.optionalKey(Schema.String).annotate({
    description:
      "What deliveries are signed with: `whsec_` and base64 key material. Shown when the webhook is created, and never again.",
    examples: ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDUVFSW2vzHKA="]
  }),
  disabledReason: Schema.NullOr(Schema.String).annotate({
    description: "Why the service disabled it; null unless it did.",
    examples: [null]
  }),
  disabledUtc: Schema.NullOr(Timestamp).annotate({ description: "When it was disabled.", examples: [null] }),
  consecutiveExhausted: Schema.Int.annotate({
    description: "How many deliveries in a row have used up all their attempts: the tenth disables the webhook.",
    examples: [0]
  }),
  ...auditFields
}).annotate({ identifier: "Webhook", description: "A receiver of events, which are posted to it and signed." })
export type Webhook = typeof Webhook.Type

/** The parameters of the list. */
export const WebhookListQuery = Schema.Struct(pageQuery)
export type WebhookListQuery = typeof WebhookListQuery.Type

/** 409: the team has as many webhooks as it may have. */
export class WebhookLimitReached extends HttpApiError.Problem<WebhookLimitReached>()(
  "WebhookLimitReached",
  declare("webhook_limit_reached", 409, "The team has as many webhooks as it may have."),
  {
    ...members("webhook_limit_reached"),
    limit: Schema.Int.annotate({ description: "How many webhooks a team may have.", examples: [mostPerTeam] })
  }
) {}
