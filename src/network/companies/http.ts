/** The REST handlers of companies. */
import { Effect } from "effect"
import * as Answer from "../../http/Answer.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { companies as contract, path } from "./api.ts"
import { Companies } from "./Companies.ts"

/** Serves companies. */
export const layer = RestAdapter.group(
  contract,
  Effect.map(Companies, (companies) => ({
    list: (request) => Effect.map(companies.list(request), Answer.page),
    create: (request) => Effect.map(companies.create(request), (once) => Answer.created(path, once)),
    get: (request) => Effect.map(companies.get(request.params.id), Answer.resource),
    patch: (request) => Effect.map(companies.patch(request.params.id, request), Answer.resource),
    remove: (request) => Effect.as(companies.remove(request.params.id, request), Answer.noContent),
    batchGet: (request) => Effect.map(companies.batchGet(request), Answer.receipts),
    batchUpsert: (request) => Effect.map(companies.batchUpsert(request), Answer.receiptsOnce),
    batchDelete: (request) => Effect.map(companies.batchDelete(request), Answer.receipts),
    search: (request) => Effect.map(companies.search(request), Answer.page),
    actions: (request) => Effect.map(companies.actions(request.params.id, request), Answer.page)
  }))
)
