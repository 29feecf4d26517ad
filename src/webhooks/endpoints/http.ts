/** The REST handlers of webhooks. */
import { Effect } from "effect"
import * as Answer from "../../http/Answer.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { webhooks as contract } from "./api.ts"
import { Webhooks } from "./Webhooks.ts"

/** Serves webhooks. */
export const layer = RestAdapter.group(
  contract,
  Effect.map(Webhooks, (webhooks) => ({
    list: (request) => Effect.map(webhooks.list(request), Answer.page),
    create: (request) =>
      Effect.map(webhooks.createOrRehearse(request), (once) => Answer.created("/api/v1/webhooks", once)),
    get: (request) => Effect.map(webhooks.get(request.params.id), Answer.resource),
    patch: (request) => Effect.map(webhooks.patch(request.params.id, request), Answer.resource),
    rotate: (request) => Effect.map(webhooks.rotate(request.params.id, request), Answer.resource),
    test: (request) => Effect.map(webhooks.test(request.params.id, request), Answer.ok),
    remove: (request) => Effect.as(webhooks.remove(request.params.id, request), Answer.noContent)
  }))
)
