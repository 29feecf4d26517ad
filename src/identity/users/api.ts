/** The REST contract of the caller's identity. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, orNotModified, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { Me } from "./User.ts"

/** The caller. */
export const identity = HttpApiGroup.make("identity")
  .add(
    HttpApiEndpoint.get("me", "/api/v1/auth/me", {
      headers: requestHeaders("if-none-match"),
      success: orNotModified(Me.pipe(responseHeaders("etag"))),
      error: [InvalidRequest, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "me.get",
        summary: "Get the caller",
        description:
          "The person or bot that the token acts for, with capabilities and teams. The ETag is a hash of the whole answer."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "none")
  .annotateMerge(
    OpenApi.annotations({
      title: "Identity",
      description: "The caller. No capability is needed."
    })
  )
