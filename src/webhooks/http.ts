/** The REST handlers of webhooks. */
import { Effect } from "effect"
import * as RestResponse from "../http/RestResponse.ts"
import * as RestAdapter from "../http/RestAdapter.ts"
import { webhooks as contract } from "./api.ts"
import { Webhooks } from "./Webhooks.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Webhooks, (webhooks) => ({
    list: (request) => Effect.map(webhooks.list(request), RestResponse.page),
    create: (request) =>
      Effect.map(webhooks.create(request), (created) => RestResponse.created("/api/v1/webhooks", created)),
    get: (request) => Effect.map(webhooks.get(request.params.id), RestResponse.resource),
    update: (request) => Effect.map(webhooks.patch(request.params.id, request), RestResponse.resource),
    rotateSecret: (request) => Effect.map(webhooks.rotate(request.params.id, request), RestResponse.idempotentResource),
    test: (request) => Effect.map(webhooks.test(request.params.id, request), RestResponse.ok),
    delete: (request) => Effect.as(webhooks.delete(request.params.id, request), RestResponse.noContent)
  }))
)
