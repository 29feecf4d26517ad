/** The REST contract of webhooks. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../http/Authorization.ts"
import {
  mergePatch,
  Needs,
  optionalBody,
  orNotModified,
  refusals,
  requestHeaders,
  responseHeaders
} from "../http/Contract.ts"
import { PageOf } from "../core/usecase/Page.ts"
import { InvalidCursor, InvalidRequest } from "../core/usecase/Problem.ts"
import {
  maxPerTeam,
  maxSecrets,
  Webhook,
  WebhookCreate,
  WebhookLimitReached,
  WebhookListQuery,
  WebhookNotActive,
  WebhookPatch,
  WebhookRotation,
  WebhooksOff,
  WebhookTest,
  WebhookTestResult,
  WebhookWithSecret
} from "./Webhook.ts"

const path = "/api/v1/webhooks"
const params = {
  id: Schema.String.annotate({
    description: "The webhook's id.",
    examples: ["webhook_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

/** Webhooks: subscriptions of receivers to events. */
export const webhooks = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: WebhookListQuery,
      success: PageOf(Webhook, "WebhookPage").pipe(responseHeaders("link")),
      error: [InvalidRequest, InvalidCursor]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "List webhooks",
          description: "The team's webhooks in the order of their creation."
        })
      )
      .annotate(Needs, "member"),
    HttpApiEndpoint.post("create", path, {
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: WebhookCreate,
      success: WebhookWithSecret.pipe(
        HttpApiSchema.status(201),
        responseHeaders("etag", "location", "idempotency-replayed")
      ),
      error: [InvalidRequest, ...refusals.body, ...refusals.repeatable, WebhookLimitReached]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a webhook",
          description: `The response contains the \`secret\` that signs deliveries (Standard Webhooks). It is not shown again, except for a repeated request with the same \`Idempotency-Key\`. A team may have ${maxPerTeam} webhooks. A forbidden URL is refused with a fault at \`/url\` whose code is \`not_https\`, \`credentials\`, \`fragment\`, \`forbidden_address\` or \`malformed\`.`
        })
      )
      .annotate(Needs, "admin-or-broker"),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(Webhook.pipe(responseHeaders("etag"))),
      error: refusals.one
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get a webhook",
          description:
            "With `If-None-Match`, responds with 304 while the webhook is unchanged. The secret is not shown."
        })
      )
      .annotate(Needs, "member"),
    HttpApiEndpoint.patch("update", `${path}/:id`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      payload: mergePatch(WebhookPatch),
      success: Webhook.pipe(responseHeaders("etag")),
      error: [...refusals.one, ...refusals.body, ...refusals.conditional]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Update a webhook",
          description:
            "A merge patch. A change of `events` affects new events only; a change of `url` applies from the next attempt. `status` pauses or activates the webhook; activating it sends the deliveries that wait and resets the count of exhausted deliveries."
        })
      )
      .annotate(Needs, "admin-or-broker"),
    HttpApiEndpoint.post("rotateSecret", `${path}/:id/secret`, {
      params,
      headers: requestHeaders("idempotency-key", "if-match", "prefer"),
      payload: optionalBody(WebhookRotation),
      success: WebhookWithSecret.pipe(responseHeaders("etag", "idempotency-replayed")),
      error: [...refusals.one, ...refusals.body, ...refusals.repeatable, ...refusals.conditional]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Replace a webhook's secret",
          description: `The response contains the new \`secret\`, which is not shown again. Without a body, the previous secrets end at once. With \`overlap\`, the previous secret continues to sign for that time, and earlier ones until their own ends; \`webhook-signature\` then has one entry for each, the newest first. At most ${maxSecrets} secrets sign at a time: beyond that, the earlier secrets that would end first end now. \`previousSecretsExpireUtc\` is the time of the last end. Every request creates another secret, but a repeated one with the same \`Idempotency-Key\` gets the first response again for 24 hours: if a response is lost, repeat the request with its key. The new secret signs from the next attempt, including attempts of deliveries that already wait.`
        })
      )
      .annotate(Needs, "admin-or-broker"),
    HttpApiEndpoint.post("test", `${path}/:id/test`, {
      params,
      payload: optionalBody(WebhookTest),
      success: WebhookTestResult,
      error: [...refusals.one, ...refusals.body, WebhookNotActive, WebhooksOff]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send a test event",
          description:
            "Sends one signed sample event to the webhook's URL at once, and responds when the receiver has, after at most 10 seconds. The sample has the members of a real event of its type and `_test: true`; the request has the header `X-Service-Test: true`. Its resource does not exist. If the receiver refuses the event, the response is still 200, with `success: false`. The service stores nothing, so `Prefer: dry-run` has no effect: the test does not appear in the delivery log and is not retried, a failure does not count, and a 410 does not disable the webhook. The webhook must be active; otherwise the response is 409 `webhook_not_active`. A service whose operator has turned webhooks off, such as a copy for tests, responds with 409 `webhooks_off`."
        })
      )
      .annotate(Needs, "admin-or-broker"),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: HttpApiSchema.NoContent,
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, ...refusals.deletion]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a webhook",
          description: "Nothing more is sent to the webhook, including deliveries that wait."
        })
      )
      .annotate(Needs, "admin-or-broker")
  )
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhook management",
      description:
        "Subscriptions of receivers to signed events. Every active member of the team may read them. Changing and testing them needs the role `admin` in the team or the `broker` capability."
    })
  )
