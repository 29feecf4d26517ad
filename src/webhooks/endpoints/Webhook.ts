/** A receiver of events (specification, Webhook; decisions §7). */
import { Duration, Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields } from "../../changes/Audit.ts"
import { EventType, eventTypes } from "../../changes/Event.ts"
import { OpenEnum } from "../../fields/OpenEnum.ts"
import { SecretText } from "../../fields/SecretText.ts"
import { parseSpan } from "../../fields/Span.ts"
import { check, Name, Text } from "../../fields/Text.ts"
import { Timestamp } from "../../fields/Timestamp.ts"
import { pageQuery } from "../../usecase/Page.ts"
import { declare, members } from "../../usecase/Problem.ts"
import { IdOf } from "../../Id.ts"

/** How many webhooks a team may have. */
export const maxPerTeam = 20

/** How many deliveries in a row may be exhausted: the last of these disables the webhook. */
export const exhaustionsToDisable = 10

/** How many secrets may sign at a time, the present one included: each is a signature in every request. */
export const maxSecrets = 5

const maxOverlap = Duration.days(7)

const isOverlap = (text: string): boolean => {
  const overlap = parseSpan(text)
  // What is no duration has a fault of its own.
  return overlap === undefined || (Duration.toMillis(overlap) > 0 && !Duration.isGreaterThan(overlap, maxOverlap))
}

const fields = {
  url: Text(2048).annotate({
    description:
      "Where events are posted to: https, without credentials and fragment, on a public address. The address is checked here and at every connection.",
    examples: ["https://hooks.example.com/property-network"]
  }),
  events: Schema.Array(EventType)
    .check(
      check("too_few", "Must name at least one event.", (value: ReadonlyArray<string>) => value.length > 0, {
        minItems: 1
      }),
      check(
        "not_unique",
        "Must name each event once.",
        (value: ReadonlyArray<string>) => new Set(value).size === value.length,
        { uniqueItems: true }
      )
    )
    .annotate({
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
  secret: Schema.optionalKey(SecretText).annotate({
    description:
      "The key that deliveries are signed with: `whsec_` and base64 key material. Shown only when the webhook is created and when the secret is replaced, in responses with `Cache-Control: no-store`.",
    examples: ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDUVFSW2vzHKA="]
  }),
  previousSecretsExpireUtc: Schema.NullOr(Timestamp).annotate({
    description:
      "When the last of the secrets that were replaced with an overlap stops signing, or stopped; null when there is none.",
    examples: [null]
  }),
  disabledReason: Schema.NullOr(
    OpenEnum(
      ["receiver_gone", "deliveries_exhausted"],
      `Why the service disabled it: the receiver answered 410 (\`receiver_gone\`), or ${exhaustionsToDisable} deliveries in a row used up all their attempts (\`deliveries_exhausted\`); null unless it did.`
    )
  ).annotate({ examples: [null] }),
  disabledUtc: Schema.NullOr(Timestamp).annotate({ description: "When it was disabled.", examples: [null] }),
  consecutiveExhausted: Schema.Int.annotate({
    description: `How many deliveries in a row have used up all their attempts: number ${exhaustionsToDisable} disables the webhook.`,
    examples: [0]
  }),
  ...auditFields
}).annotate({ identifier: "Webhook", description: "A receiver of events, which are posted to it and signed." })
export type Webhook = typeof Webhook.Type

/** How the secret of a webhook is replaced. */
export const WebhookRotation = Schema.Struct({
  overlap: Schema.optionalKey(
    Schema.String.check(
      check(
        "invalid_format",
        "Must be a whole number with m (minutes), h (hours) or d (days), such as 24h.",
        (value: string) => parseSpan(value) !== undefined,
        { pattern: "^\\d{1,6}[mhd]$" }
      ),
      check("out_of_range", "Must be from 1m to 7d. Leave it out to end the previous secret at once.", isOverlap)
    ).annotate({
      description:
        "How long the previous secret goes on signing beside the new one: minutes (`m`), hours (`h`) or days (`d`), from `1m` to `7d`. Without it, the previous secret and all before it end at once.",
      examples: ["24h"]
    })
  )
}).annotate({ identifier: "WebhookRotation", description: "How a secret is replaced." })
export type WebhookRotation = typeof WebhookRotation.Type

/** What a test delivery sends. */
export const WebhookTest = Schema.Struct({
  event_type: Schema.optionalKey(
    EventType.annotate({
      description:
        "The type of the sample event; any type, subscribed or not. Default: the first that the webhook has.",
      examples: ["contact.updated"]
    })
  )
}).annotate({ identifier: "WebhookTest", description: "What a test delivery sends." })
export type WebhookTest = typeof WebhookTest.Type

/** How a test delivery ended. */
export const WebhookTestResult = Schema.Struct({
  success: Schema.Boolean.annotate({ description: "Whether the receiver answered 2xx in time.", examples: [true] }),
  status_code: Schema.NullOr(Schema.Int).annotate({
    description: "The status of the receiver's answer; null when none came.",
    examples: [204]
  }),
  duration_ms: Schema.Int.annotate({ description: "How long it took, in milliseconds.", examples: [87] }),
  error: Schema.NullOr(Schema.String).annotate({
    description: "What went wrong, for people; null on success.",
    examples: [null]
  })
}).annotate({ identifier: "WebhookTestResult", description: "How a test delivery ended." })
export type WebhookTestResult = typeof WebhookTestResult.Type

/** The parameters of the list. */
export const WebhookListQuery = Schema.Struct(pageQuery)
export type WebhookListQuery = typeof WebhookListQuery.Type

/** 409: the team has as many webhooks as it may have. */
export class WebhookLimitReached extends HttpApiError.Problem<WebhookLimitReached>()(
  "WebhookLimitReached",
  declare("webhook_limit_reached", 409, "The team has as many webhooks as it may have."),
  {
    ...members("webhook_limit_reached"),
    limit: Schema.Int.annotate({ description: "How many webhooks a team may have.", examples: [maxPerTeam] })
  }
) {}

/** 409: nothing can be sent to the webhook on request, because it is paused or disabled. */
export class WebhookNotActive extends HttpApiError.Problem<WebhookNotActive>()(
  "WebhookNotActive",
  declare("webhook_not_active", 409, "The webhook is not active."),
  {
    ...members("webhook_not_active"),
    webhookStatus: OpenEnum(["paused", "disabled"], "The webhook's present status.")
  }
) {
  /** That the webhook has this status. */
  static of(status: string): WebhookNotActive {
    return new WebhookNotActive({
      detail: `The webhook is ${status}. Activate it first: PATCH it with {"status": "active"}.`,
      webhookStatus: status
    })
  }
}
