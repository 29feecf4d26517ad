/** The REST handlers of offers. */
import { Effect } from "effect"
import * as RestAdapter from "../../http/RestAdapter.ts"
import * as RestResponse from "../../http/RestResponse.ts"
import { offers as contract } from "./api.ts"
import { Offers } from "./Offers.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Offers, (offers) => ({
    list: (request) => Effect.map(offers.list(request), RestResponse.page),
    get: (request) => Effect.map(offers.get(request.params.id), RestResponse.resource),
    listActions: (request) => Effect.map(offers.actions(request.params.id, request), RestResponse.page)
  }))
)
