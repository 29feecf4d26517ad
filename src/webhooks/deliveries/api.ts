/** The REST contract of deliveries. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../auth/Authorization.ts"
import { Needs, responseHeaders, refusals } from "../../http/Contract.ts"
import { PageOf } from "../../http/Page.ts"
import { InvalidCursor } from "../../http/Problem.ts"
import { DeliveryListQuery, WebhookDelivery } from "./Delivery.ts"

const params = {
  id: Schema.String.annotate({
    description: "The webhook's id.",
    examples: ["webhook_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

/** Deliveries: what was sent to webhooks, and how that went. */
export const deliveries = HttpApiGroup.make("deliveries").add(
  HttpApiEndpoint.get("list", "/api/v1/webhooks/:id/deliveries", {
    params,
    query: DeliveryListQuery,
    success: PageOf(WebhookDelivery, "WebhookDeliveryPage").pipe(responseHeaders("link")),
    error: [...refusals.one, InvalidCursor]
  }).annotateMerge(OpenApi.annotations({
    summary: "List a webhook's deliveries",
    description:
      "The delivery log, newest first. The filters combine; `created_after` is inclusive and `created_before` is not, so that adjoining spans neither overlap nor leave gaps. Deliveries are kept for 30 days."
  }))
).middleware(Authorization).annotateEndpoints(Needs, "member").annotateMerge(OpenApi.annotations({
  title: "Webhook deliveries",
  description:
    "What was sent to a webhook. A delivery has nine attempts over about 35 hours; it may arrive more than once, always with the same `webhook-id`."
}))
