/** The REST handlers of merges. */
import { Effect } from "effect"
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { merges as contract } from "./api.ts"
import { Merges } from "./Merges.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Merges, (merges) => ({
    contacts: (request) => Effect.map(merges.ofContacts(request.params.id, request), RestResponse.resource),
    companies: (request) => Effect.map(merges.ofCompanies(request.params.id, request), RestResponse.resource)
  }))
)
