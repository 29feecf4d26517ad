/** The REST handlers of rooms. */
import * as RestAdapter from "../../http/RestAdapter.ts"
import * as RestResponse from "../../http/RestResponse.ts"
import { Effect } from "effect"
import { rooms as contract } from "./api.ts"
import { Rooms } from "./Rooms.ts"

/** Serves rooms. */
export const layer = RestAdapter.group(
  contract,
  Effect.map(Rooms, (rooms) => ({
    list: (request) => Effect.map(rooms.list(request.params.projectId, request), RestResponse.page),
    get: ({ params }) => Effect.map(rooms.get(params.projectId, params.roomId), RestResponse.resource)
  }))
)
