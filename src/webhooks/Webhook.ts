/** A webhook: the subscription of a receiver to events. See docs/behaviour/webhooks.md#subscriptions. */
import { Duration, Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields } from "../core/mutation/Audit.ts"
import { EventPattern, EventType, eventTypes, wildcards } from "../core/mutation/Event.ts"
import { check, Name, OpenEnum, rewritten, SecretText, Text } from "../core/fields/Text.ts"
import { parseDuration } from "../platform/Time.ts"
import { Timestamp } from "../core/fields/Timestamp.ts"
import { writtenUrl } from "../core/fields/InternetAddress.ts"
import { pageQuery } from "../core/usecase/Page.ts"
import { declare, members } from "../core/usecase/Problem.ts"
import { IdOf } from "../core/Id.ts"

/** How many webhooks a team may have. */
export const maxPerTeam = 20

/** How many exhausted deliveries in a row disable the webhook. */
export const exhaustionsToDisable = 10

/** How many secrets may sign at a time, including the current one. Each adds a signature to every request. */
export const maxSecrets = 5

const maxOverlap = Duration.days(7)

const isOverlap = (text: string): boolean => {
  const overlap = parseDuration(text)
  // The format check reports a text that is no duration.
  return overlap === undefined || (Duration.toMillis(overlap) > 0 && !Duration.isGreaterThan(overlap, maxOverlap))
}

const fields = {
  url: rewritten(
    Text(2048).annotate({
      description:
        "Where events are posted to: an https URL without credentials and fragment, on a public address. The service checks the address here and at every connection.",
      examples: ["https://hooks.example.com/property-network"]
    }),
    writtenUrl
  ),
  events: Schema.Array(EventPattern)
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
      description:
        "The types of events to send: names, all events of one type of resource (`prospect.*`), or everything (`*`). An event is sent once, even if several of them include it. A change affects new events only.",
      examples: [["contact.created", "contact.updated"]]
    }),
  name: Schema.NullOr(Name.annotate({ examples: ["CRM sync"] })).annotate({ description: "A label." })
}

/** The request body of a creation. */
export const WebhookCreate = Schema.Struct({
  url: fields.url,
  events: fields.events,
  name: Schema.optionalKey(fields.name)
}).annotate({ identifier: "WebhookCreate", description: "A new webhook. It is active at once." })
export type WebhookCreate = typeof WebhookCreate.Type

/** The members that a client can change. */
export const WebhookPatch = Schema.Struct({
  name: Schema.optionalKey(fields.name),
  url: Schema.optionalKey(fields.url),
  events: Schema.optionalKey(fields.events),
  status: Schema.optionalKey(
    Schema.Literals(["active", "paused"]).annotate({
      description:
        "`paused` holds deliveries. `active` sends the deliveries that wait and resets the count of exhausted deliveries; it also ends `disabled`."
    })
  )
}).annotate({
  identifier: "WebhookPatch",
  description:
    "A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent back with their current value."
})
export type WebhookPatch = typeof WebhookPatch.Type

/** How a receiver fares. */
const WebhookHealth = Schema.Struct({
  status: OpenEnum(
    ["healthy", "failing", "late", "paused", "disabled"],
    "`failing`: less than 95 % of the deliveries first attempted in the last 24 hours arrived, or the latest to end used up its attempts. `late`: an attempt has been due for more than a minute. `paused` and `disabled` as in `status`."
  ),
  delivered24h: Schema.Int.annotate({
    description:
      "How many of the deliveries first attempted in the last 24 hours arrived, by whole hours. Each counts once, so a replay of older deliveries adds nothing.",
    examples: [128]
  }),
  p95Ms: Schema.NullOr(Schema.Int).annotate({
    description:
      "The 95th percentile of the durations of the attempts of the last 24 hours, in milliseconds, rounded up; null without attempts.",
    examples: [85]
  }),
  lastFailure: Schema.NullOr(
    Schema.Struct({
      utc: Timestamp.annotate({ description: "When the attempt began." }),
      statusCode: Schema.NullOr(Schema.Int).annotate({
        description: "The HTTP status; null if the receiver did not respond.",
        examples: [503]
      }),
      error: Schema.NullOr(Schema.String).annotate({
        description: "Why it failed.",
        examples: ["The receiver answered 503."]
      })
    })
  ).annotate({ description: "The latest failed attempt; null if none has failed.", examples: [null] })
}).annotate({
  identifier: "WebhookHealth",
  description: "How the receiver fares. It is not part of the ETag, and ignored in a PATCH."
})

const membersWith = <Secret extends Schema.Top>(secret: Secret) => ({
  id: IdOf("webhook"),
  url: fields.url,
  events: Schema.Array(OpenEnum([...eventTypes, ...wildcards], "A type of event to send, or a wildcard.")),
  name: fields.name,
  status: OpenEnum(
    ["active", "paused", "disabled"],
    "Deliveries are sent while the webhook is `active`. They wait while it is `paused` or `disabled`."
  ),
  secret,
  previousSecretsExpireUtc: Schema.NullOr(Timestamp).annotate({
    description:
      "When the last replaced secret stops signing, or stopped; null if no secret was replaced with an overlap.",
    examples: [null]
  }),
  disabledReason: Schema.NullOr(
    OpenEnum(
      ["receiver_gone", "deliveries_exhausted", "team_deleted", "team_imported"],
      `Why the service disabled the webhook: the receiver responded with 410 (\`receiver_gone\`), ${exhaustionsToDisable} deliveries in a row used up all their attempts (\`deliveries_exhausted\`), its team was deleted (\`team_deleted\`), or was imported from another installation (\`team_imported\`: to rotate the secret activates the webhook). Null unless it is disabled.`
    )
  ).annotate({ examples: [null] }),
  disabledUtc: Schema.NullOr(Timestamp).annotate({
    description: "When the service disabled the webhook.",
    examples: [null]
  }),
  consecutiveExhausted: Schema.Int.annotate({
    description: `How many deliveries in a row have used up all their attempts. At ${exhaustionsToDisable}, the service disables the webhook.`,
    examples: [0]
  }),
  health: WebhookHealth,
  ...auditFields
})

/** A webhook as it is read. */
export const Webhook = Schema.Struct(
  membersWith(
    Schema.optionalKey(SecretText).annotate({
      deprecated: true,
      description:
        "Never present here. Only the responses to the creation and to the replacement of the secret have it: see `WebhookWithSecret`."
    })
  )
).annotate({
  identifier: "Webhook",
  description: "The subscription of a receiver to events, which are posted to its URL and signed."
})
export type Webhook = Omit<typeof Webhook.Type, "secret">

/** A webhook with its new secret, which only this response shows. */
export const WebhookWithSecret = Schema.Struct(
  membersWith(
    SecretText.annotate({
      description:
        "The key that signs deliveries: `whsec_` and base64 key material. Shown only when the webhook is created and when the secret is replaced, in responses with `Cache-Control: no-store`.",
      examples: ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDUVFSW2vzHKA="]
    })
  )
).annotate({
  identifier: "WebhookWithSecret",
  description: "A webhook with its new secret, which is not shown again."
})
export type WebhookWithSecret = typeof WebhookWithSecret.Type

/** The request body of a secret rotation. */
export const WebhookRotation = Schema.Struct({
  overlap: Schema.optionalKey(
    Schema.String.check(
      check(
        "invalid_format",
        "Must be a whole number with m (minutes), h (hours) or d (days), such as 24h.",
        (value: string) => parseDuration(value) !== undefined,
        { pattern: "^\\d{1,6}[mhd]$" }
      ),
      check("out_of_range", "Must be from 1m to 7d. Omit it to end the previous secret at once.", isOverlap)
    ).annotate({
      description:
        "How long the previous secret continues to sign in addition to the new one: minutes (`m`), hours (`h`) or days (`d`), from `1m` to `7d`. Without it, all previous secrets end at once.",
      examples: ["24h"]
    })
  )
}).annotate({ identifier: "WebhookRotation", description: "How to replace the secret." })
export type WebhookRotation = typeof WebhookRotation.Type

/** The request body of a test delivery. */
export const WebhookTest = Schema.Struct({
  event_type: Schema.optionalKey(
    EventType.annotate({
      description:
        "The type of the sample event, subscribed or not. Defaults to the first type that the webhook subscribes to.",
      examples: ["contact.updated"]
    })
  )
}).annotate({ identifier: "WebhookTest", description: "Which sample event to send." })
export type WebhookTest = typeof WebhookTest.Type

/** The result of a test delivery. */
export const WebhookTestResult = Schema.Struct({
  success: Schema.Boolean.annotate({
    description: "Whether the receiver responded with 2xx in time.",
    examples: [true]
  }),
  status_code: Schema.NullOr(Schema.Int).annotate({
    description: "The HTTP status of the response; null if there was none.",
    examples: [204]
  }),
  duration_ms: Schema.Int.annotate({ description: "The duration of the request, in milliseconds.", examples: [87] }),
  error: Schema.NullOr(Schema.String).annotate({
    description: "Why the test failed, as a sentence; null on success.",
    examples: [null]
  }),
  request_headers: Schema.Record(Schema.String, Schema.String).annotate({
    description: "The headers that were sent.",
    examples: [{ "X-Service-Event": "contact.created", "X-Service-Test": "true" }]
  }),
  request_body: Schema.String.annotate({
    description: "The body that was sent, byte for byte.",
    examples: ['{"event":"contact.created","_test":true}']
  }),
  response_headers: Schema.NullOr(Schema.Record(Schema.String, Schema.String)).annotate({
    description: "The headers of the response; null if there was none.",
    examples: [{ server: "nginx" }]
  }),
  response_body: Schema.NullOr(Schema.String).annotate({
    description: "The first 4 KiB of the response body, as text; null if there was none.",
    examples: ["ok"]
  })
}).annotate({ identifier: "WebhookTestResult", description: "The result of a test delivery." })
export type WebhookTestResult = typeof WebhookTestResult.Type

/** The parameters of the list. */
export const WebhookListQuery = Schema.Struct(pageQuery)
export type WebhookListQuery = typeof WebhookListQuery.Type

/** 409: the team has reached its limit of webhooks. */
export class WebhookLimitReached extends HttpApiError.Problem<WebhookLimitReached>()(
  "WebhookLimitReached",
  declare("webhook_limit_reached", 409, "The team has reached its limit of webhooks."),
  {
    ...members("webhook_limit_reached"),
    limit: Schema.Int.annotate({ description: "How many webhooks a team may have.", examples: [maxPerTeam] })
  }
) {}

/** 409: the installation sends nothing to webhooks (`WEBHOOKS=off`). */
export class WebhooksOff extends HttpApiError.Problem<WebhooksOff>()(
  "WebhooksOff",
  declare("webhooks_off", 409, "This service sends nothing to webhooks."),
  members("webhooks_off")
) {}

/** 409: the operation requires an active webhook, and this one is paused or disabled. */
export class WebhookNotActive extends HttpApiError.Problem<WebhookNotActive>()(
  "WebhookNotActive",
  declare("webhook_not_active", 409, "The webhook is not active."),
  {
    ...members("webhook_not_active"),
    webhookStatus: OpenEnum(["paused", "disabled"], "The current status of the webhook.")
  }
) {
  /** The problem for a webhook with this status. */
  static of(status: string): WebhookNotActive {
    return new WebhookNotActive({
      detail: `The webhook is ${status}. Activate it first: PATCH it with {"status": "active"}.`,
      webhookStatus: status
    })
  }
}
