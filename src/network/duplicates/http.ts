/** The REST handler of the search for duplicates. */
import { Effect } from "effect"
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { duplicates as contract } from "./api.ts"
import { Duplicates } from "./Duplicates.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Duplicates, (duplicates) => ({
    find: (request) => Effect.map(duplicates.find(request), RestResponse.ok)
  }))
)
