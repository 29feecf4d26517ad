/** The REST contract of deliveries. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, orDryRunReport, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { PageOf } from "../../usecase/Page.ts"
import { ConcurrencyConflict, InvalidCursor } from "../../usecase/Problem.ts"
import { WebhookNotActive } from "../endpoints/Webhook.ts"
import {
  DeliveryListQuery,
  maxReplayed,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookReplay,
  WebhookReplayed
} from "./Delivery.ts"

const path = "/api/v1/webhooks/:id/deliveries"
const params = {
  id: Schema.String.annotate({
    description: "The webhook's id.",
    examples: ["webhook_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}
const ofOne = {
  ...params,
  deliveryId: Schema.String.annotate({
    description: "The delivery's id.",
    examples: ["dlv_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

/** Deliveries: what was sent to webhooks, and how that went. */
export const deliveries = HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", path, {
      params,
      query: DeliveryListQuery,
      success: PageOf(WebhookDelivery, "WebhookDeliveryPage").pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a webhook's deliveries",
        description:
          "The delivery log, newest first; a moment after a change its deliveries are in it. The filters combine; `created_after` is inclusive and `created_before` is not, so that adjoining spans neither overlap nor leave gaps. Deliveries are kept for 30 days; those that still wait, because their webhook is paused or disabled, for 90."
      })
    ),
    HttpApiEndpoint.get("get", `${path}/:deliveryId`, {
      params: ofOne,
      success: WebhookDeliveryDetails,
      error: refusals.one
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a delivery",
        description:
          "One delivery with the request that was sent and every attempt: what the receiver answered, and when."
      })
    ),
    HttpApiEndpoint.post("retry", `${path}/:deliveryId/retry`, {
      params: ofOne,
      headers: requestHeaders("prefer"),
      success: orDryRunReport(WebhookDelivery),
      error: [...refusals.one, ...refusals.body, WebhookNotActive, ConcurrencyConflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send a delivery again",
        description:
          "Queues it again, whatever became of it, delivered included: the same message under the same `webhook-id`, at once, with all nine attempts before it. One that is `pending` already stays as it is. The webhook must be active."
      })
    ),
    HttpApiEndpoint.post("replay", "/api/v1/webhooks/:id/replay", {
      params,
      headers: requestHeaders("prefer"),
      payload: WebhookReplay,
      success: orDryRunReport(WebhookReplayed),
      error: [...refusals.one, ...refusals.body, WebhookNotActive]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replay failed deliveries",
        description: `Queues again what is \`failed\` or \`exhausted\` of what was created at \`since\` or later, the oldest first, at most ${maxReplayed} at a time: the same messages under the same \`webhook-id\`, at once, their count of attempts back at 0. \`next_since\` is what the next call goes on from. The webhook must be active.`
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "member")
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhook deliveries",
      description:
        "What was sent to a webhook. A delivery has nine attempts over about 35 hours; it may arrive more than once, always with the same `webhook-id`."
    })
  )
