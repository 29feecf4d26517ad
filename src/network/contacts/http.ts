/** The REST handlers of contacts. */
import { Effect } from "effect"
import * as Answer from "../../http/Answer.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { contacts as contract, path } from "./api.ts"
import { Contacts } from "./Contacts.ts"

/** Serves contacts. */
export const layer = RestAdapter.group(
  contract,
  Effect.map(Contacts, (contacts) => ({
    list: (request) => Effect.map(contacts.list(request), Answer.page),
    create: (request) => Effect.map(contacts.create(request), (once) => Answer.created(path, once)),
    get: (request) => Effect.map(contacts.get(request.params.id), Answer.resource),
    patch: (request) => Effect.map(contacts.patch(request.params.id, request), Answer.resource),
    remove: (request) => Effect.as(contacts.remove(request.params.id, request), Answer.noContent),
    batchGet: (request) => Effect.map(contacts.batchGet(request), Answer.receipts),
    batchUpsert: (request) => Effect.map(contacts.batchUpsert(request), Answer.receiptsOnce),
    batchDelete: (request) => Effect.map(contacts.batchDelete(request), Answer.receipts),
    search: (request) => Effect.map(contacts.search(request), Answer.page),
    actions: (request) => Effect.map(contacts.actions(request.params.id, request), Answer.page)
  }))
)
