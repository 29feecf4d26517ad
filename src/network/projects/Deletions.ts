/** Deletes contacts and companies, and says which projects lose them (docs/behaviour/network.md#associated-projects). */
import { Context, Effect, Layer } from "effect"
import type { UseCaseRequest } from "../../usecase/UseCaseRequest.ts"
import { Companies } from "../companies/Companies.ts"
import { Contacts } from "../contacts/Contacts.ts"
import type { AssociatedProject } from "./AssociatedProject.ts"
import { AssociatedProjects } from "./AssociatedProjects.ts"

/** The projects from whose lists a deletion removes an investor. */
export interface AffectedProjects {
  /** In the order of their creation, at most {@link maxAffectedProjects}. */
  readonly projects: ReadonlyArray<AssociatedProject>
  /** Whether there are more. */
  readonly more: boolean
}

/** How many projects a deletion names. */
export const maxAffectedProjects = 50

// Closed projects keep their lists as they were.
const affected = { query: Effect.succeed({ status: "open" as const, page_size: maxAffectedProjects }) }

const make = Effect.gen(function* () {
  const associated = yield* AssociatedProjects
  const contacts = yield* Contacts
  const companies = yield* Companies

  /** Deletes a contact. */
  const ofContact = Effect.fn("Deletions.ofContact")(function* (id: string, request: UseCaseRequest<object>) {
    const { data, page } = yield* associated.ofContact(id, affected)
    yield* contacts.delete(id, request)
    return { projects: data, more: page.nextCursor !== null } satisfies AffectedProjects
  })

  /** Deletes a company. */
  const ofCompany = Effect.fn("Deletions.ofCompany")(function* (id: string, request: UseCaseRequest<object>) {
    const { data, page } = yield* associated.ofCompany(id, affected)
    yield* companies.delete(id, request)
    return { projects: data, more: page.nextCursor !== null } satisfies AffectedProjects
  })

  return { ofContact, ofCompany }
})

/** Deletes investors. Both use-cases need the `broker` capability. */
export class Deletions extends Context.Service<Deletions, Effect.Success<typeof make>>()("network/projects/Deletions") {
  static readonly layer = Layer.effect(Deletions, make)
}
