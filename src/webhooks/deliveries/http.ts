/** The REST handlers of deliveries. */
import { Effect } from "effect"
import * as Answer from "../../http/Answer.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { deliveries as contract } from "./api.ts"
import { Deliveries } from "./Deliveries.ts"

/** Serves deliveries. */
export const layer = RestAdapter.group(
  contract,
  Effect.map(Deliveries, (deliveries) => ({
    list: (request) => Effect.map(deliveries.list(request.params.id, request), Answer.page),
    get: ({ params }) => Effect.map(deliveries.get(params.id, params.deliveryId), Answer.ok),
    retry: (request) => Effect.map(deliveries.retry(request.params.id, request.params.deliveryId, request), Answer.ok),
    replay: (request) => Effect.map(deliveries.replay(request.params.id, request), Answer.ok)
  }))
)
