/** The REST handlers of the lists of an investor's projects. */
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { Effect } from "effect"
import { BaseUrl } from "../../platform/Config.ts"
import type { Page } from "../../core/usecase/Page.ts"
import { associatedProjects as contract } from "./api.ts"
import { type AssociatedProject, deprecationOf } from "./AssociatedProject.ts"
import { AssociatedProjects } from "./AssociatedProjects.ts"

export const layer = RestAdapter.group(
  contract,
  Effect.gen(function* () {
    const projects = yield* AssociatedProjects
    const headers = deprecationOf(yield* BaseUrl)
    const listed = (page: Page<AssociatedProject>) => ({ ...RestResponse.page(page), headers })
    return {
      ofContact: (request) => Effect.map(projects.ofContact(request.params.id, request), listed),
      ofCompany: (request) => Effect.map(projects.ofCompany(request.params.id, request), listed)
    }
  })
)
