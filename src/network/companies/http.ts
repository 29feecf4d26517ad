/** The REST handlers of companies. */
import { Effect } from "effect"
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { companies as contract, path } from "./api.ts"
import { Companies } from "./Companies.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Companies, (companies) => ({
    list: (request) => Effect.map(companies.list(request), RestResponse.page),
    create: (request) => Effect.map(companies.create(request), (created) => RestResponse.created(path, created)),
    get: (request) => Effect.map(companies.get(request.params.id), RestResponse.resource),
    update: (request) => Effect.map(companies.patch(request.params.id, request), RestResponse.resource),
    delete: (request) => Effect.as(companies.delete(request.params.id, request), RestResponse.noContent),
    batchGet: (request) => Effect.map(companies.batchGet(request), RestResponse.receipts),
    batchUpsert: (request) => Effect.map(companies.batchUpsert(request), RestResponse.idempotentReceipts),
    batchDelete: (request) => Effect.map(companies.batchDelete(request), RestResponse.receipts),
    restore: (request) => Effect.map(companies.restore(request.params.id, request), RestResponse.resource),
    batchRestore: (request) => Effect.map(companies.batchRestore(request), RestResponse.receipts),
    search: (request) => Effect.map(companies.search(request), RestResponse.page),
    listActions: (request) => Effect.map(companies.actions(request.params.id, request), RestResponse.page)
  }))
)
