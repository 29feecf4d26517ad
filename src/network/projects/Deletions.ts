/** Deletes contacts and companies, and says which projects lose them (docs/behaviour/network.md#associated-projects). */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Companies } from "../companies/Companies.ts"
import { Contacts } from "../contacts/Contacts.ts"
import type { AssociatedProject } from "./AssociatedProject.ts"
import { AssociatedProjects } from "./AssociatedProjects.ts"

/** The projects from whose lists a deletion removes an investor: not closed ones, which keep their lists. */
export interface AffectedProjects {
  /** In the order of their creation, at most {@link maxAffectedProjects}. */
  readonly projects: ReadonlyArray<AssociatedProject>
  /** Whether there are more. */
  readonly more: boolean
}

/** How many projects a deletion names. */
export const maxAffectedProjects = 50

const make = Effect.gen(function* () {
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
export class Deletions extends Context.Service<Deletions, Effect.Success<typeof make>>()("network/projects/Deletions") {
  static readonly layer = Layer.effect(Deletions, make)
}
