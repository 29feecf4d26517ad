/** The REST handlers of properties. */
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { Effect } from "effect"
import { path, properties as contract } from "./api.ts"
import { Properties } from "./Properties.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Properties, (properties) => ({
    list: (request) => Effect.map(properties.list(request), RestResponse.page),
    create: (request) => Effect.map(properties.create(request), (created) => RestResponse.created(path, created)),
    get: (request) => Effect.map(properties.get(request.params.id), RestResponse.resource),
    update: (request) => Effect.map(properties.patch(request.params.id, request), RestResponse.resource),
    delete: (request) => Effect.as(properties.delete(request.params.id, request), RestResponse.noContent),
    batchGet: (request) => Effect.map(properties.batchGet(request), RestResponse.receipts),
    batchUpsert: (request) => Effect.map(properties.batchUpsert(request), RestResponse.idempotentReceipts),
    batchDelete: (request) => Effect.map(properties.batchDelete(request), RestResponse.receipts),
    restore: (request) => Effect.map(properties.restore(request.params.id, request), RestResponse.resource),
    batchRestore: (request) => Effect.map(properties.batchRestore(request), RestResponse.receipts),
    search: (request) => Effect.map(properties.search(request), RestResponse.page),
    listActions: (request) => Effect.map(properties.actions(request.params.id, request), RestResponse.page)
  }))
)
