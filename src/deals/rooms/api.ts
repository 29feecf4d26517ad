/** The REST contract of rooms. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, orNotModified, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { PageOf } from "../../core/usecase/Page.ts"
import { InvalidCursor } from "../../core/usecase/Problem.ts"
import { Room, RoomDetails, RoomListQuery } from "./Room.ts"

const path = "/api/v1/projects/:projectId/rooms"

const params = {
  projectId: Schema.String.annotate({
    description: "The project's id.",
    examples: ["project_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

/** The parameters of the path of a room. */
export const roomParams = {
  ...params,
  roomId: Schema.String.annotate({ description: "The room's id.", examples: ["room_01kb3n7x2ferwt5z8q4j6m9d0c"] })
}

/** Data rooms. */
export const rooms = HttpApiGroup.make("rooms")
  .add(
    HttpApiEndpoint.get("list", path, {
      params,
      query: RoomListQuery,
      success: PageOf(Room, "RoomPage").pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a project's data rooms",
        description: "All rooms of the project, closed ones too, ordered by creation."
      })
    ),
    HttpApiEndpoint.get("get", `${path}/:roomId`, {
      params: roomParams,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(RoomDetails.pipe(responseHeaders("etag"))),
      error: refusals.one
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a data room",
        description:
          "The room with its questions in short (`qa`). With `If-None-Match`, 304 while the room is unchanged."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Data rooms",
      description:
        "Rooms of projects with documents for the prospects that have access. Brokers open rooms, grant access and upload documents in the product's own app. All operations need the `broker` capability."
    })
  )
