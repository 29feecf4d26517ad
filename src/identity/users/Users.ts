/** The use-cases of users: docs/behaviour/identity.md#users. */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Actor, authorize, onlyOperator, publicScope } from "../../core/auth/CurrentActor.ts"
import { Database } from "../../platform/db/Database.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { Conflict, InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { NewInvestors, Teams } from "../teams/Teams.ts"
import { type Capabilities, CapabilitiesPatch, type Me, partsOf, UserCreate } from "./User.ts"
import { UsersRepo } from "./UsersRepo.ts"
import { canonicalEmail } from "../../core/fields/InternetAddress.ts"
import { now } from "../../platform/Time.ts"

const decodeCreate = UnvalidatedJson.decoder(UserCreate)
const decodeCapabilities = UnvalidatedJson.decoder(CapabilitiesPatch)

const notFound = new NotFound({ detail: "The caller no longer exists." })
const noSuchBot = InvalidRequest.of([bodyFault("/botId", "invalid_reference", "The team has no bot with this id.")])

const noSuchPerson = (email: string) =>
  InvalidRequest.of([bodyFault("/email", "invalid_reference", `There is no user with the e-mail address ${email}.`)])

const noTeam = InvalidRequest.of([
  bodyFault("/teamId", "invalid_reference", "The person does not belong to this team.")
])

const make = Effect.gen(function* () {
  const sql = yield* Database
  const repo = yield* UsersRepo
  const teams = yield* Teams
  const newInvestors = yield* NewInvestors
  const random = yield* SecureRandom.SecureRandom

  const inTransaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Transaction.run(self).pipe(Effect.provideService(Database, sql))

  /** A user (UUID) with their teams. */
  const profileOf = Effect.fn("Users.profileOf")(function* (userId: string) {
    const [profile, memberships] = yield* Effect.all([repo.find(userId), teams.ofUser(userId)], {
      concurrency: 2
    })
    if (profile === undefined) return yield* notFound
    // Active teams come first, among them the primary one.
    const primary = memberships[0]?.membershipStatus === "active" ? memberships[0] : undefined
    const others = memberships.filter((stored) => stored !== primary).map((stored) => stored.team)
    const answer: Me = {
      ...profile,
      primaryTeam: primary?.team ?? null,
      ...(others.length === 0 ? {} : { secondaryTeams: others })
    }
    return answer
  })

  /** The caller with their teams. */
  const me = Effect.fn("Users.me")(function* () {
    const { userId } = yield* authorize("none")
    return userId === null ? yield* notFound : yield* profileOf(userId)
  })

  /** Creates a person as a member of a team. For the operator only. */
  const create = Effect.fn("Users.create")(function* (input: Json) {
    yield* onlyOperator
    const user = yield* decodeCreate(UnvalidatedJson.of(input))
    const teamId = yield* teams.resolve(user.teamId)
    const id = yield* random.uuidV7()
    yield* inTransaction(
      Effect.gen(function* () {
        const isNew = yield* repo.insert({
          id,
          email: user.email,
          name: user.name,
          ...partsOf(user.name),
          phone: user.phone ?? null,
          isBot: false,
          capabilities: user,
          now: yield* now
        })
        if (!isNew)
          return yield* new Conflict({ detail: `A user with the e-mail address ${user.email} already exists.` })
        yield* teams.admit(teamId, { id, name: user.name }, user.role)
        if (user.investor === "active") yield* newInvestors.arrived(id)
      })
    )
    return { id: Id.fromUuid("user", id), email: user.email, name: user.name, teamId: user.teamId, role: user.role }
  })

  /** Creates a bot as a member of a team, and returns its UUID. Call it in the transaction that creates its client. */
  const createBot = Effect.fn("Users.createBot")(function* (teamId: string, name: string, capabilities: Capabilities) {
    const id = yield* random.uuidV7()
    yield* repo.insert({
      id,
      email: null,
      name,
      firstName: null,
      lastName: null,
      phone: null,
      isBot: true,
      capabilities,
      now: yield* now
    })
    yield* teams.admit(teamId, { id, name }, "member")
    return id
  })

  /** The UUID of a bot of a team. */
  const resolveBot = Effect.fn("Users.resolveBot")(function* (teamId: string, id: string) {
    const uuid = Id.toUuid("user", id)
    const found = uuid === undefined ? undefined : yield* repo.findBot(uuid, teamId)
    return found ?? (yield* noSuchBot)
  })

  /** The UUID of the person with an e-mail address. */
  const resolve = Effect.fn("Users.resolve")(function* (email: string) {
    return (yield* repo.findByEmail(canonicalEmail(email) ?? email)) ?? (yield* noSuchPerson(email))
  })

  /** Sets or removes capabilities of a person. For the operator only. */
  const setCapabilities = Effect.fn("Users.setCapabilities")(function* (input: Json) {
    yield* onlyOperator
    const change = yield* decodeCapabilities(UnvalidatedJson.of(input))
    const id = yield* resolve(change.email)
    yield* inTransaction(
      Effect.andThen(
        repo.setCapabilities(id, change),
        change.investor === "active" ? newInvestors.arrived(id) : Effect.void
      )
    )
    const profile = yield* repo.find(id)
    return { id: Id.fromUuid("user", id), email: change.email, capabilities: profile?.capabilities ?? {} }
  })

  /**
   * The person with an e-mail address, acting in a team (its public id), by default in their primary one: for the operator's commands.
   * See docs/command-line.md#in-the-name-of-a-person.
   */
  const actorOf = Effect.fn("Users.actorOf")(function* (email: string, team: string | undefined) {
    yield* onlyOperator
    const userId = yield* resolve(email)
    const teamId = team === undefined ? undefined : yield* teams.resolve(team)
    const member = yield* repo.memberOf(userId, teamId)
    if (member === undefined) return yield* noTeam
    const actor: Actor = { ...member, userId, clientId: null, scopes: [publicScope], origin: "app" }
    return actor
  })

  return { me, profileOf, create, createBot, resolve, resolveBot, actorOf, setCapabilities }
})

/** The use-cases of users. They need no capability; `profileOf` is for the pages of people who are signed in. */
export class Users extends Context.Service<Users, Effect.Success<typeof make>>()("identity/users/Users") {
  static readonly layer = Layer.effect(Users, make).pipe(Layer.provide([Teams.layer, UsersRepo.layer]))
}
