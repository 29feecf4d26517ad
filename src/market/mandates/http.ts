/** The REST handlers of mandates. */
import * as RestAdapter from "../../http/RestAdapter.ts"
import * as RestResponse from "../../http/RestResponse.ts"
import { Effect } from "effect"
import { mandates as contract, path } from "./api.ts"
import { Mandates } from "./Mandates.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.gen(function* () {
    const mandates = yield* Mandates
    return {
      list: (request) => Effect.map(mandates.list(request), RestResponse.page),
      create: (request) => Effect.map(mandates.create(request), (created) => RestResponse.created(path, created)),
      get: (request) => Effect.map(mandates.get(request.params.id), RestResponse.resource),
      update: (request) => Effect.map(mandates.patch(request.params.id, request), RestResponse.resource),
      delete: (request) => Effect.as(mandates.delete(request.params.id, request), RestResponse.noContent),
      batchGet: (request) => Effect.map(mandates.batchGet(request), RestResponse.receipts),
      batchUpsert: (request) => Effect.map(mandates.batchUpsert(request), RestResponse.idempotentReceipts),
      batchDelete: (request) => Effect.map(mandates.batchDelete(request), RestResponse.receipts),
      restore: (request) => Effect.map(mandates.restore(request.params.id, request), RestResponse.resource),
      batchRestore: (request) => Effect.map(mandates.batchRestore(request), RestResponse.receipts),
      search: (request) => Effect.map(mandates.search(request), RestResponse.page),
      listActions: (request) => Effect.map(mandates.actions(request.params.id, request), RestResponse.page)
    }
  })
)
