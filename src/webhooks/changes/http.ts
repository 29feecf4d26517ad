/** The REST handler of the journal. */
import { Effect } from "effect"
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { changes as contract } from "./api.ts"
import { Journal } from "./Journal.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Journal, (journal) => ({
    list: (request) => Effect.map(journal.read(request), RestResponse.ok)
  }))
)
