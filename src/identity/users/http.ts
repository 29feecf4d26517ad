/** The REST handler of the caller's identity. */
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { Effect } from "effect"
import { contentEtag } from "../../core/usecase/UseCaseRequest.ts"
import { identity as contract } from "./api.ts"
import { Users } from "./Users.ts"

/** Serves the caller's identity. */
export const layer = RestAdapter.group(
  contract,
  Effect.map(Users, (users) => ({
    me: () =>
      Effect.map(users.me(), (me) => ({
        ...RestResponse.ok(me),
        headers: { etag: contentEtag(JSON.stringify(me)) }
      }))
  }))
)
