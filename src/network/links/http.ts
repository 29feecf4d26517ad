/** The REST handlers of links. */
import { Effect } from "effect"
import * as Answer from "../../http/Answer.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { links as contract, path } from "./api.ts"
import { Links } from "./Links.ts"

/** Serves links. */
export const layer = RestAdapter.group(
  contract,
  Effect.map(Links, (links) => ({
    list: (request) => Effect.map(links.list(request), Answer.page),
    create: (request) => Effect.map(links.create(request), (once) => Answer.created(path, once)),
    get: (request) => Effect.map(links.get(request.params.id), Answer.resource),
    patch: (request) => Effect.map(links.patch(request.params.id, request), Answer.resource),
    remove: (request) => Effect.as(links.remove(request.params.id, request), Answer.noContent),
    batchGet: (request) => Effect.map(links.batchGet(request), Answer.receipts),
    batchUpsert: (request) => Effect.map(links.batchUpsert(request), Answer.receiptsOnce),
    batchDelete: (request) => Effect.map(links.batchDelete(request), Answer.receipts)
  }))
)
