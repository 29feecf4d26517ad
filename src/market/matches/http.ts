/** The REST handlers of matches. */
import * as RestAdapter from "../../http/RestAdapter.ts"
import * as RestResponse from "../../http/RestResponse.ts"
import { Effect } from "effect"
import { matches as contract } from "./api.ts"
import { Matches } from "./Matches.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Matches, (matches) => ({
    ofProperty: (request) => Effect.map(matches.ofProperty(request.params.id, request), RestResponse.page),
    ofMandate: (request) => Effect.map(matches.ofMandate(request.params.id, request), RestResponse.page)
  }))
)
