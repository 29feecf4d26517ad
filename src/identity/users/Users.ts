/** The use-cases of users: docs/behaviour/identity.md#users. */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { type Actor, authorize, onlyOperator, publicScope } from "../../core/auth/CurrentActor.ts"
import { Database } from "../../platform/db/Database.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { Conflict, InvalidRequest, NotFound, UserDeactivated } from "../../core/usecase/Problem.ts"
import { OnlyAdministrator } from "../teams/Team.ts"
import { NewInvestors, Teams } from "../teams/Teams.ts"
import {
  type Capabilities,
  CapabilitiesPatch,
  type Me,
  canonicalProfile,
  partsOf,
  ProfilePatch,
  UserCreate,
  UserDeleted
} from "./User.ts"
import { AccountsRepo, type AccountSearch, noneOwned, type StoredAccount } from "./AccountsRepo.ts"
import { sessionIdleMillis, stateOf, transitions, type UserMove } from "./rules.ts"
import { UsersRepo } from "./UsersRepo.ts"
import { canonicalEmail } from "../../core/fields/InternetAddress.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { now } from "../../platform/Time.ts"

const decodeCreate = UnvalidatedJson.decoder(UserCreate)
const decodeProfile = UnvalidatedJson.decoder(ProfilePatch)
const decodeCapabilities = UnvalidatedJson.decoder(CapabilitiesPatch)

const notFound = new NotFound({ detail: "The caller no longer exists." })
const noSuchBot = InvalidRequest.of([bodyFault("/botId", "invalid_reference", "The team has no bot with this id.")])

const noSuchPerson = (email: string) =>
  InvalidRequest.of([bodyFault("/email", "invalid_reference", `There is no user with the e-mail address ${email}.`)])

const noTeam = InvalidRequest.of([
  bodyFault("/teamId", "invalid_reference", "The person does not belong to this team.")
])

const noSuchUser = new NotFound({
  detail: "There is no user with this id or e-mail address: `admin user list` shows them."
})

const deactivated = new UserDeactivated({
  detail: "The account is deactivated: `admin user activate` ends that."
})

const notPending = Conflict.of("decided", "The capability is not requested any more: somebody has decided already.")

const capabilityActions = {
  active: "capability.approved",
  pending: "capability.requested",
  none: "capability.removed"
} as const

const isBot = Conflict.of("bot", "This is a bot, which has no account: `admin client revoke` stops its client.")

const toAccount = (stored: StoredAccount) => ({
  id: Id.fromUuid("user", stored.id),
  name: stored.deletedAt === null ? stored.name : null,
  email: stored.email,
  ...(stored.isBot ? { isBot: true } : {}),
  ...(stored.isOperator ? { isOperator: true } : {}),
  state: stateOf(stored),
  capabilities: {
    ...(stored.broker === null ? {} : { broker: stored.broker }),
    ...(stored.investor === null ? {} : { investor: stored.investor })
  },
  teams: stored.teams.map(({ id, name, role, status }) => ({ id: Id.fromUuid("team", id), name, role, status })),
  createdUtc: stored.createdAt.toISOString(),
  lastSignInUtc: stored.signedInAt?.toISOString() ?? null,
  deactivatedUtc: stored.deactivatedAt?.toISOString() ?? null,
  deletedUtc: stored.deletedAt?.toISOString() ?? null
})

/** An account with what gives access to it. */
export type ShownAccount = Effect.Success<ReturnType<Users["Service"]["show"]>>

/** An account, for the operator. */
export type Account = ReturnType<typeof toAccount>

const make = Effect.gen(function* () {
  const sql = yield* Database
  const auditLog = yield* AuditLog
  const repo = yield* UsersRepo
  const accounts = yield* AccountsRepo
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

  /** Changes the profile of a person who is signed in (UUID). */
  const changeProfile = Effect.fn("Users.changeProfile")(function* (userId: string, input: Json) {
    const patch = canonicalProfile(yield* decodeProfile(UnvalidatedJson.of(input)))
    if (!(yield* repo.changeProfile(userId, patch))) return yield* notFound
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
          // The operator vouches for it.
          emailConfirmed: true,
          name: user.name,
          ...partsOf(user.name),
          phone: user.phone ?? null,
          isBot: false,
          capabilities: user,
          now: yield* now
        })
        if (!isNew)
          return yield* Conflict.of("address_taken", `A user with the e-mail address ${user.email} already exists.`)
        yield* teams.admit(teamId, { id, name: user.name }, user.role)
        if (user.investor === "active") yield* newInvestors.arrived(id)
        yield* auditLog.record({
          action: "user.created",
          teamId,
          target: { type: "user", id: Id.fromUuid("user", id) },
          details: {
            role: user.role,
            ...(user.broker === undefined ? {} : { broker: user.broker }),
            ...(user.investor === undefined ? {} : { investor: user.investor })
          }
        })
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
      emailConfirmed: false,
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

  /**
   * Creates the account of a person who accepts an invitation, and returns its UUID; undefined if the address has one. Nobody vouches
   * for the address: the link was handed over, not sent there. Call it in the transaction that accepts.
   */
  const enrol = Effect.fn("Users.enrol")(function* (
    { culture, email, name }: { readonly email: string; readonly name: string; readonly culture: string },
    teamId: string
  ) {
    const id = yield* random.uuidV7()
    const isNew = yield* repo.insert({
      id,
      email,
      emailConfirmed: false,
      name,
      ...partsOf(name),
      phone: null,
      isBot: false,
      capabilities: {},
      culture,
      now: yield* now
    })
    if (!isNew) return undefined
    yield* auditLog.record({
      action: "user.created",
      userId: id,
      teamId,
      target: { type: "user", id: Id.fromUuid("user", id) }
    })
    return id
  })

  /**
   * Notes that the address of a person (UUID) is theirs. If nobody vouched for it before, whoever made the account may be somebody else:
   * their password, sessions, tokens and grants end.
   */
  const confirmEmail = Effect.fn("Users.confirmEmail")(function* (userId: string) {
    yield* repo.confirmEmail(userId, yield* now)
  })

  /** Requests a capability for the caller, which the operator approves or refuses. Repeating it changes nothing. */
  const requestCapability = Effect.fn("Users.requestCapability")(function* (kind: keyof Capabilities) {
    const { userId } = yield* authorize("member")
    const profile = userId === null ? undefined : yield* repo.find(userId)
    if (userId === null || profile === undefined) return yield* notFound
    if (profile.isBot === true)
      return yield* Conflict.of("bot", "A bot has the capabilities that its client was given.")
    if (profile.capabilities[kind] !== undefined) return
    yield* repo.setCapabilities(userId, { [kind]: "pending" }).pipe(
      auditLog.recording(() => ({
        action: "capability.requested",
        target: { type: "user", id: profile.id },
        details: { kind }
      }))
    )
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

  /** As {@link resolve}; refuses a person whose account is deactivated. */
  const resolveActive = Effect.fn("Users.resolveActive")(function* (email: string) {
    const id = yield* resolve(email)
    return (yield* stateOfUser(id)) === "active" ? id : yield* deactivated
  })

  /** The state of a user (UUID). */
  const stateOfUser = Effect.fn("Users.stateOf")(function* (id: string) {
    return yield* repo.stateOf(id)
  })

  /** Sets or removes capabilities of a person. For the operator only. */
  const setCapabilities = Effect.fn("Users.setCapabilities")(function* (input: Json) {
    yield* onlyOperator
    const change = yield* decodeCapabilities(UnvalidatedJson.of(input))
    const id = yield* resolve(change.email)
    yield* inTransaction(
      Effect.andThen(
        repo.setCapabilities(id, change),
        Effect.andThen(
          change.investor === "active" ? newInvestors.arrived(id) : Effect.void,
          Effect.forEach(["broker", "investor"] as const, (kind) => {
            const status = change[kind]
            return status === undefined
              ? Effect.void
              : auditLog.record({
                  action: capabilityActions[status ?? "none"],
                  target: { type: "user", id: Id.fromUuid("user", id) },
                  details: { kind }
                })
          })
        )
      )
    )
    const profile = yield* repo.find(id)
    return { id: Id.fromUuid("user", id), email: change.email, capabilities: profile?.capabilities ?? {} }
  })

  /** A person acting in a team (UUIDs), by default in their primary one; undefined if they do not belong to it. */
  const actorIn = Effect.fn("Users.actorIn")(function* (userId: string, teamId: string | undefined) {
    const member = yield* repo.memberOf(userId, teamId)
    const actor: Actor | undefined =
      member === undefined ? undefined : { ...member, userId, clientId: null, scopes: [publicScope], origin: "app" }
    return actor
  })

  /**
   * The person with an e-mail address, acting in a team (its public id), by default in their primary one: for the operator's commands.
   * See docs/command-line.md#in-the-name-of-a-person.
   */
  const actorOf = Effect.fn("Users.actorOf")(function* (email: string, team: string | undefined) {
    yield* onlyOperator
    const userId = yield* resolveActive(email)
    const teamId = team === undefined ? undefined : yield* teams.resolve(team)
    return (yield* actorIn(userId, teamId)) ?? (yield* noTeam)
  })

  // Accounts, for the operator: docs/behaviour/identity.md#accounts.

  /** The UUID of the user with an id or an e-mail address. */
  const named = Effect.fnUntraced(function* (idOrEmail: string) {
    const id = Id.toUuid("user", idOrEmail) ?? (yield* repo.findByEmail(canonicalEmail(idOrEmail) ?? idOrEmail))
    return id ?? (yield* noSuchUser)
  })

  const load = Effect.fnUntraced(function* (id: string) {
    return (yield* accounts.find(id)) ?? (yield* noSuchUser)
  })

  /**
   * The accounts of people and bots, the oldest first: all that are not deleted, or those alone that are not active. Of one team (its
   * public id) where it is named. For the operator only.
   */
  const list = Effect.fn("Users.list")(function* (of: { readonly teamId?: string; readonly inactive?: boolean }) {
    yield* onlyOperator
    const teamId = of.teamId === undefined ? undefined : yield* teams.resolve(of.teamId)
    return (yield* accounts.list({ teamId, inactive: of.inactive === true })).map(toAccount)
  })

  /** At most `limit` of the accounts that are looked for, the newest first, after the one with this id. For the operator only. */
  const search = Effect.fn("Users.search")(function* (
    asked: AccountSearch,
    { after, limit }: { readonly after: string | undefined; readonly limit: number }
  ) {
    yield* onlyOperator
    const teamId = asked.teamId === undefined ? undefined : yield* teams.resolveAny(asked.teamId)
    const before = after === undefined ? undefined : yield* named(after)
    return (yield* accounts.search({ ...asked, teamId }, before, limit)).map(toAccount)
  })

  /**
   * Approves a capability that a user (by their id or e-mail address) has requested, or refuses it, which takes the request away. For the
   * operator only.
   */
  const decide = Effect.fn("Users.decide")(function* (
    idOrEmail: string,
    kind: "broker" | "investor",
    decision: "approve" | "refuse"
  ) {
    yield* onlyOperator
    const id = yield* named(idOrEmail)
    yield* inTransaction(
      Effect.gen(function* () {
        yield* accounts.lock(id)
        if ((yield* load(id))[kind] !== "pending") return yield* notPending
        const status = decision === "approve" ? "active" : null
        yield* repo.setCapabilities(id, { [kind]: status })
        if (kind === "investor" && status === "active") yield* newInvestors.arrived(id)
        yield* auditLog.record({
          action: capabilityActions[status ?? "none"],
          target: { type: "user", id: Id.fromUuid("user", id) },
          details: { kind }
        })
      })
    )
    return toAccount(yield* load(id))
  })

  /** An account, by its id or e-mail address, and what gives access to it. For the operator only. */
  const show = Effect.fn("Users.show")(function* (idOrEmail: string) {
    yield* onlyOperator
    const stored = yield* load(yield* named(idOrEmail))
    const at = yield* now
    const access = yield* accounts.access(stored.id, at, new Date(at.getTime() - sessionIdleMillis))
    return {
      ...toAccount(stored),
      password: access.hasPassword,
      openIdProviders: access.providers,
      mfa: "none" as const,
      sessions: access.sessions.map(({ createdAt, expiresAt, lastUsedAt, ...session }) => ({
        ...session,
        createdUtc: createdAt.toISOString(),
        lastUsedUtc: lastUsedAt.toISOString(),
        expiresUtc: expiresAt.toISOString()
      })),
      tokens: access.tokens.map(({ createdAt, expiresAt, id, name, teamId }) => ({
        id: Id.fromUuid("token", id),
        name,
        teamId: Id.fromUuid("team", teamId),
        createdUtc: createdAt.toISOString(),
        expiresUtc: expiresAt.toISOString()
      })),
      grants: access.grants.map(({ createdAt, teamId, ...grant }) => ({
        ...grant,
        teamId: Id.fromUuid("team", teamId),
        createdUtc: createdAt.toISOString()
      }))
    }
  })

  const recorded = (
    action: "operator.appointed" | "operator.dismissed" | "user.activated" | "user.deactivated" | "user.deleted",
    id: string,
    details?: { readonly count: number }
  ) =>
    auditLog.record({
      action,
      target: { type: "user", id: Id.fromUuid("user", id) },
      teamId: null,
      ...(details === undefined ? {} : { details })
    })

  /** Records that an account that ends was that of an operator, and is so no longer. */
  const dismissed = ({ id, isOperator }: StoredAccount) =>
    isOperator ? recorded("operator.dismissed", id) : Effect.void

  /** Runs a move of an account that is locked: `change` makes it where it changes the state; else `unchanged` is the answer. */
  const moved = <A, E, R>(
    id: string,
    move: UserMove,
    unchanged: A,
    change: (account: StoredAccount) => Effect.Effect<A, E, R>
  ) =>
    inTransaction(
      Effect.gen(function* () {
        if (!(yield* accounts.lock(id))) return yield* noSuchUser
        const account = yield* load(id)
        const to = transitions[stateOf(account)][move]
        if (to === "refused") return yield* new UserDeleted({ detail: "The account was deleted, for good." })
        return to === stateOf(account) ? unchanged : yield* change(account)
      })
    )

  /**
   * Deactivates an account, by its id or e-mail address, until it is activated: nobody signs in with it, its sessions end at once, and its
   * tokens and grants are refused. It stays a member of its teams. For the operator only.
   */
  const deactivate = Effect.fn("Users.deactivate")(function* (idOrEmail: string) {
    yield* onlyOperator
    const id = yield* named(idOrEmail)
    const at = yield* now
    const ended = yield* moved(id, "deactivate", 0, (account) =>
      accounts.deactivate(id, at).pipe(
        Effect.tap((count) => recorded("user.deactivated", id, { count })),
        Effect.tap(() => dismissed(account))
      )
    )
    return { ...toAccount(yield* load(id)), endedSessions: ended }
  })

  /** Activates an account that was deactivated: its tokens and grants are good again. For the operator only. */
  const activate = Effect.fn("Users.activate")(function* (idOrEmail: string) {
    yield* onlyOperator
    const id = yield* named(idOrEmail)
    yield* moved(id, "activate", undefined, () => Effect.andThen(accounts.activate(id), recorded("user.activated", id)))
    return toAccount(yield* load(id))
  })

  /**
   * Makes a person with an active account an operator, who does in the console what this command line does across teams, or ends that. For
   * the command line only: no page and no token makes an operator.
   */
  const setOperator = Effect.fn("Users.setOperator")(function* (email: string, isOperator: boolean) {
    yield* onlyOperator
    const id = yield* isOperator ? resolveActive(email) : resolve(email)
    yield* inTransaction(
      Effect.gen(function* () {
        yield* accounts.lock(id)
        const isNew = yield* accounts.setOperator(id, isOperator)
        if (isNew) yield* recorded(isOperator ? "operator.appointed" : "operator.dismissed", id)
      })
    )
    return { id: Id.fromUuid("user", id), email, operator: isOperator }
  })

  /**
   * Deletes the account of a person (UUID), for good: of it stays an id, so that what it wrote has an author, without a name. Its records
   * stay, too: the receipt counts those that it owns or is assigned. For the operator only.
   */
  const remove = Effect.fn("Users.remove")(function* (id: string) {
    yield* onlyOperator
    const at = yield* now
    const nothing = { removed: { sessions: 0, tokens: 0, grants: 0, memberships: 0 }, stays: noneOwned }
    const receipt = yield* moved(id, "delete", nothing, (account) =>
      Effect.gen(function* () {
        if (account.isBot) return yield* isBot
        const [team] = yield* accounts.onlyAdministered(id)
        if (team !== undefined) {
          const teamId = Id.fromUuid("team", team.id)
          return yield* new OnlyAdministrator({
            detail: `This is the only administrator of ${team.name}, which has other members. Make another one first: \`admin member set-role EMAIL --team ${teamId} --role admin\`.`
          })
        }
        const owned = yield* Effect.forEach(account.teams, (one) => inTeam(one.id)(accounts.owned(id, one.id)))
        const stays = owned.reduce(
          (all, one) => ({
            projects: all.projects + one.projects,
            properties: all.properties + one.properties,
            prospects: all.prospects + one.prospects,
            openTasks: all.openTasks + one.openTasks,
            openQuestions: all.openQuestions + one.openQuestions
          }),
          noneOwned
        )
        const removed = yield* accounts.remove(id, at)
        yield* recorded("user.deleted", id)
        yield* dismissed(account)
        return { removed, stays }
      })
    )
    return { id: Id.fromUuid("user", id), deleted: true as const, ...receipt }
  })

  /** As {@link remove}, by the id or e-mail address. For the operator only. */
  const removeNamed = Effect.fn("Users.removeNamed")(function* (idOrEmail: string) {
    yield* onlyOperator
    return yield* remove(yield* named(idOrEmail))
  })

  return {
    me,
    profileOf,
    actorIn,
    changeProfile,
    create,
    createBot,
    enrol,
    confirmEmail,
    requestCapability,
    resolve,
    resolveActive,
    resolveBot,
    actorOf,
    stateOf: stateOfUser,
    setCapabilities,
    list,
    search,
    decide,
    show,
    deactivate,
    activate,
    setOperator,
    remove,
    removeNamed
  }
})

/** The use-cases of users. They need no capability; `profileOf` and `changeProfile` are for the pages of people who are signed in. */
export class Users extends Context.Service<Users, Effect.Success<typeof make>>()("identity/users/Users") {
  static readonly layer = Layer.effect(Users, make).pipe(
    Layer.provide([AccountsRepo.layer, Teams.layer, UsersRepo.layer])
  )
}
