/** The REST handlers of teasers. */
import * as RestAdapter from "../../http/RestAdapter.ts"
import * as RestResponse from "../../http/RestResponse.ts"
import { Effect, Layer } from "effect"
import { projectTeasers, propertyTeasers, roomTeasers } from "./api.ts"
import { Teasers } from "./Teasers.ts"

export const layer = Layer.mergeAll(
  RestAdapter.group(
    projectTeasers,
    Effect.map(Teasers, (teasers) => ({
      get: ({ params: { id } }) => Effect.map(teasers.get({ type: "project", id }), RestResponse.resource),
      update: (request) =>
        Effect.map(teasers.patch({ type: "project", id: request.params.id }, request), RestResponse.resource)
    }))
  ),
  RestAdapter.group(
    propertyTeasers,
    Effect.map(Teasers, (teasers) => ({
      get: ({ params: { id } }) => Effect.map(teasers.get({ type: "property", id }), RestResponse.resource),
      update: (request) =>
        Effect.map(teasers.patch({ type: "property", id: request.params.id }, request), RestResponse.resource)
    }))
  ),
  RestAdapter.group(
    roomTeasers,
    Effect.map(Teasers, (teasers) => ({
      get: ({ params }) => Effect.map(teasers.get({ type: "room", ...params }), RestResponse.resource),
      update: (request) =>
        Effect.map(teasers.patch({ type: "room", ...request.params }, request), RestResponse.resource)
    }))
  )
)
