/** The REST handlers of contacts. */
import { Effect } from "effect"
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { contacts as contract, path } from "./api.ts"
import { Contacts } from "./Contacts.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Contacts, (contacts) => ({
    list: (request) => Effect.map(contacts.list(request), RestResponse.page),
    create: (request) => Effect.map(contacts.create(request), (created) => RestResponse.created(path, created)),
    get: (request) => Effect.map(contacts.get(request.params.id), RestResponse.resource),
    update: (request) => Effect.map(contacts.patch(request.params.id, request), RestResponse.resource),
    delete: (request) => Effect.as(contacts.delete(request.params.id, request), RestResponse.noContent),
    batchGet: (request) => Effect.map(contacts.batchGet(request), RestResponse.receipts),
    batchUpsert: (request) => Effect.map(contacts.batchUpsert(request), RestResponse.idempotentReceipts),
    batchDelete: (request) => Effect.map(contacts.batchDelete(request), RestResponse.receipts),
    restore: (request) => Effect.map(contacts.restore(request.params.id, request), RestResponse.resource),
    batchRestore: (request) => Effect.map(contacts.batchRestore(request), RestResponse.receipts),
    search: (request) => Effect.map(contacts.search(request), RestResponse.page),
    listActions: (request) => Effect.map(contacts.actions(request.params.id, request), RestResponse.page)
  }))
)
