/**
 * The projects of contacts and companies, and deletions that say which projects lose them: docs/behaviour/network.md#associated-projects.
 */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Cursors, defaultPageSize, type Page, read as readPage, timeAndId } from "../../core/usecase/Page.ts"
import { Projects } from "../../deals/projects/Projects.ts"
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

  /** The projects of these places, without those that were deleted since. */
  const projectsAt = Effect.fnUntraced(function* (teamId: string, places: ReadonlyArray<ProspectPlace>) {
    const found = yield* projects.byUuids(
      teamId,
      places.map(({ project }) => project)
    )
    return places.flatMap(({ classification, project, prospect }): ReadonlyArray<AssociatedProject> => {
      const listed = found.get(project)
      return listed === undefined
        ? []
        : [{ ...listed, prospectId: Id.fromUuid("prospect", prospect), prospectClassification: classification }]
    })
  })

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
    const answer: Page<AssociatedProject> = { data: yield* projectsAt(teamId, data), page }
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

  /**
   * The projects that lose an investor whom the transaction of `change` has deleted, and as the transaction sees them: the first `most`, by
   * creation, and whether there are more.
   */
  const losing = Effect.fn("AssociatedProjects.losing")(function* (change: Change, investor: Investor, most: number) {
    const places = yield* repo.listLosing(change, investor, most + 1)
    return { projects: yield* projectsAt(change.actor.teamId, places.slice(0, most)), more: places.length > most }
  })

  return { ofContact, ofCompany, losing }
})

/**
 * Lists an investor's projects. `ofContact` and `ofCompany` need the `broker` capability; `losing` runs inside the transaction of `change`
 * for modules that have authorized their caller.
 */
export class AssociatedProjects extends Context.Service<AssociatedProjects, Effect.Success<typeof make>>()(
  "network/projects/AssociatedProjects"
) {
  static readonly layer = Layer.effect(AssociatedProjects, make).pipe(
    Layer.provide([AssociatedProjectsRepo.layer, Companies.layer, Contacts.layer, Projects.layer])
  )
}

// Deletes contacts and companies, and says which projects lose them (docs/behaviour/network.md#associated-projects).

/** The projects from whose lists a deletion removes an investor: not closed ones, which keep their lists. */
export interface AffectedProjects {
  /** In the order of their creation, at most {@link maxAffectedProjects}. */
  readonly projects: ReadonlyArray<AssociatedProject>
  /** Whether there are more. */
  readonly more: boolean
}

/** How many projects a deletion names. */
export const maxAffectedProjects = 50

const makeDeletions = Effect.gen(function* () {
  const associated = yield* AssociatedProjects
  const contacts = yield* Contacts
  const companies = yield* Companies

  const losing =
    (type: "company" | "contact") =>
    (change: Change, id: string): Effect.Effect<AffectedProjects> =>
      associated.losing(change, { type, id }, maxAffectedProjects)

  /** Deletes a contact. */
  const ofContact = Effect.fn("Deletions.ofContact")((id: string, request: UseCaseRequest<object>) =>
    contacts.deleteAnswering(id, request, losing("contact"))
  )

  /** Deletes a company. */
  const ofCompany = Effect.fn("Deletions.ofCompany")((id: string, request: UseCaseRequest<object>) =>
    companies.deleteAnswering(id, request, losing("company"))
  )

  return { ofContact, ofCompany }
})

/** Deletes investors. Both use-cases need the `broker` capability. */
export class Deletions extends Context.Service<Deletions, Effect.Success<typeof makeDeletions>>()(
  "network/projects/Deletions"
) {
  static readonly layer = Layer.effect(Deletions, makeDeletions).pipe(
    Layer.provide([AssociatedProjects.layer, Companies.layer, Contacts.layer])
  )
}
