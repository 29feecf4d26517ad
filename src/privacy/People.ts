/** Who may ask what is held about a person, and where that person is: docs/privacy.md#who-may-ask. */
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { type Actor, CurrentActor } from "../core/auth/CurrentActor.ts"
import { canonicalEmail } from "../core/fields/InternetAddress.ts"
import { AdministratorRequired, InsufficientScope, InvalidRequest, NotFound } from "../core/usecase/Problem.ts"
import { bodyFault } from "../core/usecase/Input.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { ErasureList } from "./ErasureList.ts"
import type { Account, PersonInTeam, PersonName } from "./Person.ts"
import { PersonsRepo } from "./PersonsRepo.ts"

/** Where to look for a person: in one team (its public id), or in all, with their account. */
export type Where = { readonly team: string } | { readonly all: true }

/** A person, wherever they were found. */
export interface FoundPerson {
  readonly name: PersonName
  readonly teams: ReadonlyArray<PersonInTeam>
  readonly account: Account | undefined
}

const noToken = new InsufficientScope({ detail: "Only people who are signed in may do this: no API token can." })

const notAdministrator = new AdministratorRequired({
  detail: "Only operators, and administrators of the team, may do this."
})

const isOperator = ({ clientId, origin, userId }: Actor) => userId === null && clientId === null && origin === "app"

const isSignedIn = ({ clientId, origin, userId }: Actor) => userId !== null && clientId === null && origin === "app"

const isAdministrator = ({ membership, role }: Actor) => role === "admin" && membership === "active"

/** Refuses callers who may not ask: with a token, without the role, or beyond their team. */
const authorize = Effect.fnUntraced(function* (where: Where) {
  const actor = yield* CurrentActor
  if (isOperator(actor)) return actor
  const isOwn = "team" in where && Id.toUuid("team", where.team) === actor.teamId
  if (!isSignedIn(actor)) return yield* noToken
  return isAdministrator(actor) && isOwn ? actor : yield* notAdministrator
})

/** What an id means. */
const parseId = (text: string): PersonName | undefined => {
  const contact = Id.toUuid("contact", text)
  if (contact !== undefined) return { by: "contact", uuid: contact }
  const user = Id.toUuid("user", text)
  return user === undefined ? undefined : { by: "user", uuid: user }
}

const malformed = InvalidRequest.of([
  bodyFault("/person", "malformed", "Must be an e-mail address, or the id of a contact or a user.")
])

const nobody = new NotFound({ detail: "There is nobody with this e-mail address or id." })

const make = Effect.gen(function* () {
  const repo = yield* PersonsRepo
  const teams = yield* Teams
  const { hashesOf } = yield* ErasureList

  const byEmail = (email: string): PersonName => ({ by: "email", email, hashes: hashesOf("email", email) })

  /** What an e-mail address, or the id of a contact or a user, means. */
  const parseName = (text: string): PersonName | undefined => {
    const id = parseId(text)
    if (id !== undefined) return id
    const email = canonicalEmail(text)
    return email === undefined ? undefined : byEmail(email)
  }

  /** The people in teams that a name means: of a contact in all teams, those who have its e-mail address, too. */
  const inAllTeams = Effect.fnUntraced(function* (name: PersonName, account: Account | undefined) {
    const own = name.by === "contact" ? yield* repo.teamOf(name.uuid) : undefined
    const email = name.by === "email" ? name.email : (own?.email ?? account?.email ?? null)
    const found: Array<PersonInTeam> = []
    if (name.by === "contact" && own !== undefined) {
      const person = yield* repo.find(own.teamId, name)
      if (person !== undefined) found.push(person)
    }
    if (email === null) return { found, email }
    for (const teamId of yield* repo.teamsWith(email, hashesOf("email", email))) {
      const person = yield* repo.find(teamId, byEmail(email))
      if (person !== undefined && !found.some(({ contacts }) => contacts.includes(person.contacts[0] ?? "")))
        found.push(person)
    }
    return { found, email }
  })

  /** Finds a person, for a caller who may. Fails if there is nobody. */
  const find = Effect.fn("People.find")(function* (text: string, where: Where) {
    yield* authorize(where)
    const name = parseName(text)
    if (name === undefined) return yield* malformed
    if ("team" in where) {
      const teamId = yield* teams.resolve(where.team)
      const account = name.by === "user" ? yield* repo.findAccount(name) : undefined
      const inTeam: PersonName = account?.email === undefined || account.email === null ? name : byEmail(account.email)
      const person = yield* repo.find(teamId, inTeam)
      if (person === undefined) return yield* nobody
      const found: FoundPerson = { name, teams: [person], account: undefined }
      return found
    }
    const named = yield* repo.findAccount(name)
    const { email, found } = yield* inAllTeams(name, named)
    const account = named ?? (email === null ? undefined : yield* repo.findAccount(byEmail(email)))
    if (found.length === 0 && account === undefined) return yield* nobody
    const person: FoundPerson = { name, teams: found, account }
    return person
  })

  return { find }
})

/** Finds people, for operators and for administrators of a team. */
export class People extends Context.Service<People, Effect.Success<typeof make>>()("privacy/People") {
  static readonly layer = Layer.effect(People, make).pipe(Layer.provide([PersonsRepo.layer, Teams.layer]))
}
