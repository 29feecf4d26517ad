/** The REST handlers of links. */
import { Effect } from "effect"
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { links as contract, path } from "./api.ts"
import { Links } from "./Links.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Links, (links) => ({
    list: (request) => Effect.map(links.list(request), RestResponse.page),
    create: (request) => Effect.map(links.create(request), (created) => RestResponse.created(path, created)),
    get: (request) => Effect.map(links.get(request.params.id), RestResponse.resource),
    update: (request) => Effect.map(links.patch(request.params.id, request), RestResponse.resource),
    delete: (request) => Effect.as(links.delete(request.params.id, request), RestResponse.noContent),
    batchGet: (request) => Effect.map(links.batchGet(request), RestResponse.receipts),
    batchUpsert: (request) => Effect.map(links.batchUpsert(request), RestResponse.idempotentReceipts),
    batchDelete: (request) => Effect.map(links.batchDelete(request), RestResponse.receipts),
    restore: (request) => Effect.map(links.restore(request.params.id, request), RestResponse.resource),
    batchRestore: (request) => Effect.map(links.batchRestore(request), RestResponse.receipts)
  }))
)
