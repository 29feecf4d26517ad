/** The REST handlers of projects. */
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { Effect } from "effect"
import { BaseUrl } from "../../platform/Config.ts"
import { path, projects as contract } from "./api.ts"
import { mandateDeprecated } from "./Project.ts"
import { ProjectLifecycle } from "../lifecycle/ProjectLifecycle.ts"
import { Projects } from "./Projects.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.gen(function* () {
    const projects = yield* Projects
    const lifecycle = yield* ProjectLifecycle
    const baseUrl = yield* BaseUrl
    /** Adds the headers of a response that contains projects: their member `mandate` is deprecated. */
    const withDeprecation = <Body>(answer: RestResponse.RestResponse<Body>): RestResponse.RestResponse<Body> => ({
      ...answer,
      headers: {
        ...answer.headers,
        deprecation: mandateDeprecated,
        link: `<${baseUrl}/docs>; rel="deprecation"; type="text/html"`
      }
    })
    return {
      list: (request) => Effect.map(projects.list(request), (page) => withDeprecation(RestResponse.page(page))),
      create: (request) =>
        Effect.map(projects.create(request), (created) => withDeprecation(RestResponse.created(path, created))),
      get: (request) =>
        Effect.map(projects.get(request.params.id), (project) => withDeprecation(RestResponse.resource(project))),
      update: (request) =>
        Effect.map(projects.patch(request.params.id, request), (project) =>
          withDeprecation(RestResponse.resource(project))
        ),
      delete: (request) => Effect.as(lifecycle.delete(request.params.id, request), RestResponse.noContent),
      restore: (request) =>
        Effect.map(lifecycle.restore(request.params.id, request), (project) =>
          withDeprecation(RestResponse.resource(project))
        ),
      close: (request) =>
        Effect.map(lifecycle.close(request.params.id, request), (project) =>
          withDeprecation(RestResponse.resource(project))
        ),
      reopen: (request) =>
        Effect.map(lifecycle.reopen(request.params.id, request), (project) =>
          withDeprecation(RestResponse.resource(project))
        ),
      listProperties: (request) => Effect.map(projects.properties(request.params.id, request), RestResponse.page),
      listActions: (request) => Effect.map(projects.actions(request.params.id, request), RestResponse.page)
    }
  })
)
