/** Lists the projects of contacts and companies (docs/behaviour/network.md#associated-projects). */
import { Context, Effect, Layer } from "effect"
import type { UseCaseRequest } from "../../usecase/UseCaseRequest.ts"
import { Cursors, defaultPageSize, type Page, read as readPage, timeAndId } from "../../usecase/Page.ts"
import * as Id from "../../Id.ts"
import { Projects } from "../../projects/Projects.ts"
import { Companies } from "../companies/Companies.ts"
import { Contacts } from "../contacts/Contacts.ts"
import type { AssociatedProject, AssociatedProjectsQuery } from "./AssociatedProject.ts"
import { AssociatedProjectsRepo, type Investor, type ProspectPlace } from "./AssociatedProjectsRepo.ts"

type ListRequest = Pick<UseCaseRequest<AssociatedProjectsQuery>, "query">

const make = Effect.gen(function* () {
  const repo = yield* AssociatedProjectsRepo
  const contacts = yield* Contacts
  const companies = yield* Companies
  const projects = yield* Projects
  const cursors = yield* Cursors

  const read = Effect.fnUntraced(function* (teamId: string, investor: Investor, query: AssociatedProjectsQuery) {
    const { classification, status } = query
    const { data, page } = yield* readPage({
      cursors,
      binding: { list: "associated-projects", teamId, filters: { investor: investor.id, status, classification } },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (position, limit) => repo.list(teamId, investor, query, timeAndId(position), limit),
      positionOf: ({ project, projectCreated }) => [projectCreated.toISOString(), project],
      toItem: (place: ProspectPlace) => place
    })
    const found = yield* projects.byUuids(
      teamId,
      data.map(({ project }) => project)
    )
    const answer: Page<AssociatedProject> = {
      // A project may have been deleted since the statement above.
      data: data.flatMap(({ classification, project, prospect }) => {
        const listed = found.get(project)
        return listed === undefined
          ? []
          : [{ ...listed, prospectId: Id.fromUuid("prospect", prospect), prospectClassification: classification }]
      }),
      page
    }
    return answer
  })

  /** A page of the projects on whose list a contact is, in the order of their creation. */
  const ofContact = Effect.fn("AssociatedProjects.ofContact")(function* (id: string, request: ListRequest) {
    const { actor, uuid } = yield* contacts.authorizeRead(id)
    return yield* read(actor.teamId, { type: "contact", id: uuid }, yield* request.query)
  })

  /** A page of the projects on whose list a company is, in the order of their creation. */
  const ofCompany = Effect.fn("AssociatedProjects.ofCompany")(function* (id: string, request: ListRequest) {
    const { actor, uuid } = yield* companies.authorizeRead(id)
    return yield* read(actor.teamId, { type: "company", id: uuid }, yield* request.query)
  })

  return { ofContact, ofCompany }
})

/** Lists an investor's projects. Both use-cases need the `broker` capability. */
export class AssociatedProjects extends Context.Service<AssociatedProjects, Effect.Success<typeof make>>()(
  "network/projects/AssociatedProjects"
) {
  static readonly layer = Layer.effect(AssociatedProjects, make)
}
