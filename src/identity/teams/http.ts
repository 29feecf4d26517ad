/** The REST handlers of teams. */
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { Effect } from "effect"
import { contentEtag } from "../../core/usecase/UseCaseRequest.ts"
import { teams as contract } from "./api.ts"
import { Teams } from "./Teams.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.map(Teams, (teams) => ({
    get: (request) =>
      Effect.map(teams.get(request.params.id), (team) => ({
        ...RestResponse.ok(team),
        headers: { etag: contentEtag(JSON.stringify(team)) }
      })),
    listMembers: (request) => Effect.map(teams.members(request.params.id, request), RestResponse.page)
  }))
)
