/** The REST contract of deliveries. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { PageOf } from "../../core/usecase/Page.ts"
import { ConcurrencyConflict, InvalidCursor } from "../../core/usecase/Problem.ts"
import { WebhookNotActive } from "../Webhook.ts"
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

/** The delivery log of webhooks, with retry and replay. */
export const deliveries = HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", path, {
      params,
      query: DeliveryListQuery,
      success: PageOf(WebhookDelivery, "WebhookDeliveryPage").pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    })
      .annotateMerge(
        OpenApi.annotations({
          identifier: "webhooks.listDeliveries",
          summary: "List a webhook's deliveries",
          description:
            "The delivery log, newest first. Deliveries appear shortly after the change that caused them. All filters must match; `created_after` is inclusive and `created_before` is exclusive, so adjoining spans neither overlap nor leave gaps. Deliveries are kept for 30 days; those that wait because their webhook is paused or disabled, for 90."
        })
      )
      .annotate(Needs, "member"),
    HttpApiEndpoint.get("get", `${path}/:deliveryId`, {
      params: ofOne,
      success: WebhookDeliveryDetails,
      error: refusals.one
    })
      .annotateMerge(
        OpenApi.annotations({
          identifier: "webhooks.getDelivery",
          summary: "Get a delivery",
          description:
            "One delivery with its request, and every attempt with the time and the response of the receiver."
        })
      )
      .annotate(Needs, "member"),
    HttpApiEndpoint.post("retry", `${path}/:deliveryId/retry`, {
      params: ofOne,
      headers: requestHeaders("prefer"),
      success: WebhookDelivery,
      error: [...refusals.one, ...refusals.body, WebhookNotActive, ConcurrencyConflict]
    })
      .annotateMerge(
        OpenApi.annotations({
          identifier: "webhooks.retryDelivery",
          summary: "Send a delivery again",
          description:
            "Queues a delivery again, even a delivered one: the same message with the same `webhook-id`, sent at once, with nine new attempts. A `pending` delivery stays as it is. The webhook must be active."
        })
      )
      .annotate(Needs, "admin-or-broker"),
    HttpApiEndpoint.post("replay", "/api/v1/webhooks/:id/replay", {
      params,
      headers: requestHeaders("prefer"),
      payload: WebhookReplay,
      success: WebhookReplayed,
      error: [...refusals.one, ...refusals.body, WebhookNotActive]
    })
      .annotateMerge(
        OpenApi.annotations({
          identifier: "webhooks.replayDeliveries",
          summary: "Replay failed deliveries",
          description: `Queues the \`failed\` and \`exhausted\` deliveries again that were created at \`since\` or later, the oldest first, at most ${maxReplayed} at a time: the same messages with the same \`webhook-id\`, sent at once, with nine new attempts each. Pass \`next_since\` as \`since\` of the next call. The webhook must be active.`
        })
      )
      .annotate(Needs, "admin-or-broker")
  )
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhook deliveries",
      description:
        "The log of what was sent to a webhook. A delivery has up to nine attempts over about 35 hours. It may arrive more than once, always with the same `webhook-id`."
    })
  )
