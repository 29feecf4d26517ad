/** The REST handlers of deliveries. */
import { Effect } from "effect"
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { deliveries as contract } from "./api.ts"
import { Deliveries } from "./Deliveries.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Deliveries, (deliveries) => ({
    list: (request) => Effect.map(deliveries.list(request.params.id, request), RestResponse.page),
    get: ({ params }) => Effect.map(deliveries.get(params.id, params.deliveryId), RestResponse.ok),
    retry: (request) =>
      Effect.map(deliveries.retry(request.params.id, request.params.deliveryId, request), RestResponse.ok),
    replay: (request) => Effect.map(deliveries.replay(request.params.id, request), RestResponse.ok)
  }))
)
