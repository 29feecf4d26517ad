/** A broker in the console, with a project of their own: what the tests of the pages of deals begin with. */
import * as Id from "../../src/core/Id.ts"
import { Effect } from "effect"
import { actAs, type Actor, publicScope } from "../../src/core/auth/CurrentActor.ts"
import { make as requestOf } from "../../src/core/usecase/UseCaseRequest.ts"
import { ProspectBatches } from "../../src/deals/prospects/ProspectBatches.ts"
import { Projects } from "../../src/deals/projects/Projects.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import { Sessions } from "../../src/identity/signIn/Sessions.ts"
import * as Browser from "../console/Browser.ts"
import * as people from "../console/people.ts"

/** A request of a use-case with this body. */
export const asked = (body: { readonly [name: string]: never } | object = {}) =>
  requestOf({ operation: "test", query: {}, body: body as never })

/** A broker who is signed in, and what they do without pages. */
export const broker = Effect.gen(function* () {
  const person = yield* people.aPerson
  const { team, user } = person
  const [browser, { begin }] = [yield* Browser.open, yield* Sessions]
  const actor: Actor = {
    userId: Id.toUuid("user", user.id) ?? "",
    teamId: Id.toUuid("team", team.id) ?? "",
    clientId: null,
    role: "admin",
    membership: "active",
    broker: "active",
    investor: null,
    scopes: [publicScope],
    origin: "app"
  }
  const as = actAs(actor)
  // As a sign-in leaves it, without the password, whose check takes long.
  browser.jar.set("pn_session", yield* begin(actor.userId ?? "", { address: null, userAgent: undefined }))
  const [projects, contacts, batches] = [yield* Projects, yield* Contacts, yield* ProspectBatches]
  const base = `/console/${team.id}`
  const project = (name = "Quartier <Süd>") => as(Effect.map(projects.create(asked({ name })), ({ value }) => value))
  /** Contacts with these last names on a project. */
  const prospects = (projectId: string, names: ReadonlyArray<string>) =>
    as(
      Effect.gen(function* () {
        const created = yield* Effect.forEach(names, (lastName) =>
          contacts.create(asked({ lastName, email: `${crypto.randomUUID()}@example.com` }))
        )
        const added = yield* batches.addBatch(
          projectId,
          asked({ items: created.map(({ value }) => ({ contactId: value.id })) })
        )
        return added.value.results.flatMap(({ id }) => id ?? [])
      })
    )
  /** A page without its tags. */
  const read = (path: string) => Effect.map(browser.get(`${base}${path}`), ({ status, text }) => ({ status, text }))
  /** Submits a form of a page, and answers the page that it leads to. */
  const submit = Effect.fnUntraced(function* (page: string, action: string, values: Record<string, string> = {}) {
    const reply = yield* browser.submit(page, `${base}${action}`, values)
    const location = reply.headers.get("location")
    return location === null ? reply : yield* browser.get(location)
  })
  return { ...person, browser, actor, as, base, project, prospects, read, submit }
})
