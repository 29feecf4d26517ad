/** The REST contract of webhooks. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import {
  mergePatch,
  Needs,
  optionalBody,
  orDryRunReport,
  orNotModified,
  refusals,
  requestHeaders,
  responseHeaders
} from "../../http/Contract.ts"
import { PageOf } from "../../usecase/Page.ts"
import { InvalidCursor, InvalidRequest } from "../../usecase/Problem.ts"
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
  WebhookTest,
  WebhookTestResult
} from "./Webhook.ts"

const path = "/api/v1/webhooks"
const params = {
  id: Schema.String.annotate({
    description: "The webhook's id.",
    examples: ["webhook_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

/** Webhooks: receivers of events. */
export const webhooks = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: WebhookListQuery,
      success: PageOf(Webhook, "WebhookPage").pipe(responseHeaders("link")),
      error: [InvalidRequest, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List webhooks",
        description: "The team's webhooks in the order of their creation."
      })
    ),
    HttpApiEndpoint.post("create", path, {
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: WebhookCreate,
      success: orDryRunReport(
        Webhook.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed"))
      ),
      error: [InvalidRequest, ...refusals.body, ...refusals.repeatable, WebhookLimitReached]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a webhook",
        description: `The answer has the \`secret\` that deliveries are signed with (Standard Webhooks); it is not shown again, but for a repeated create with the same \`Idempotency-Key\`. A team may have ${maxPerTeam} webhooks. A URL that must not be called is refused with a fault at \`/url\` whose code says why: \`not_https\`, \`credentials\`, \`fragment\`, \`forbidden_address\` or \`malformed\`.`
      })
    ),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(Webhook.pipe(responseHeaders("etag"))),
      error: refusals.one
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a webhook",
        description: "With `If-None-Match`, 304 while the webhook is unchanged. The secret is not shown."
      })
    ),
    HttpApiEndpoint.patch("patch", `${path}/:id`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      payload: mergePatch(WebhookPatch),
      success: orDryRunReport(Webhook.pipe(responseHeaders("etag"))),
      error: [...refusals.one, ...refusals.body, ...refusals.conditional]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Update a webhook",
        description:
          "A merge patch. `events` concerns new events only; `url` holds from the next attempt on; `status` pauses and activates: what waited is then sent, and the count of exhausted deliveries begins anew."
      })
    ),
    HttpApiEndpoint.post("rotate", `${path}/:id/secret`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      payload: optionalBody(WebhookRotation),
      success: orDryRunReport(Webhook.pipe(responseHeaders("etag"))),
      error: [...refusals.one, ...refusals.body, ...refusals.conditional]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replace a webhook's secret",
        description: `The answer has the new \`secret\`, which is not shown again. Without a body the previous secrets end at once; with \`overlap\`, the previous one goes on signing for so long, and those before it to their own ends, so that \`webhook-signature\` has an entry for each, the newest first. At most ${maxSecrets} secrets sign at a time: of more, those earlier ones that end first end now. \`previousSecretsExpireUtc\` tells the last end. Each request makes another secret, a repeated one too: if an answer is lost, ask again with an \`overlap\`, and the secret that your receiver knows stays good. It holds from the next attempt on, also of deliveries that wait.`
      })
    ),
    HttpApiEndpoint.post("test", `${path}/:id/test`, {
      params,
      payload: optionalBody(WebhookTest),
      success: WebhookTestResult,
      error: [...refusals.one, ...refusals.body, WebhookNotActive]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send a test event",
        description:
          "Sends one sample event to the webhook's URL at once, signed like any other, and answers when the receiver has, after 10 seconds at the latest. The sample has the members of a real event of its type, besides `_test: true`, and the request the header `X-Service-Test: true`; the resource in it does not exist. A refusal by the receiver is an answer like any other: 200 with `success: false`. Nothing is written, so `Prefer: dry-run` means nothing here: the test is in no delivery log and is not tried again, and no answer changes the webhook: neither does a failure count nor does a 410 disable it. The webhook must be active: 409 `webhook_not_active` otherwise."
      })
    ),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: orDryRunReport(HttpApiSchema.NoContent),
      error: [...refusals.one, ...refusals.conditional]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a webhook",
        description: "Nothing is sent to it any more, what waits included."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "member")
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhooks",
      description: "Receivers of signed events. Any active member of the team may manage them; no capability is needed."
    })
  )
