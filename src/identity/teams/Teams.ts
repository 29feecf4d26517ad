/** The use-cases of teams (docs/behaviour/identity.md#teams), and the names of their members. */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Actor, authorize, onlyOperator } from "../../core/auth/CurrentActor.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import type { AuditAction, AuditDetails } from "../../core/audit/AuditEntry.ts"
import { Database } from "../../platform/db/Database.ts"
import { Email } from "../../core/fields/InternetAddress.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { Cursors, defaultPageSize, read as readPage } from "../../core/usecase/Page.ts"
import { Conflict, InvalidRequest, MembershipPending, NotFound, TeamDeleted } from "../../core/usecase/Problem.ts"
import { Invitation, type Plan, type Role, TeamCreate, type TeamMembersQuery, type TeamSearch } from "./Team.ts"
import { TeamsRepo } from "./TeamsRepo.ts"
import { now } from "../../platform/Time.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { kinds } from "../../core/quotas/Quota.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { teamStateOf, withOwner } from "./rules.ts"

const decodeCreate = UnvalidatedJson.decoder(TeamCreate)
const decodeInvitation = UnvalidatedJson.decoder(Invitation)
const decodeMembership = UnvalidatedJson.decoder(Schema.Struct({ teamId: Schema.String, email: Email }))

const decodeQuota = UnvalidatedJson.decoder(
  Schema.Struct({
    kind: Schema.Literals(kinds),
    quota: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })))
  })
)

const notFound = new NotFound({ detail: "There is no team with this id." })
const noSuchTeam = InvalidRequest.of([bodyFault("/teamId", "invalid_reference", "There is no team with this id.")])
const isDeleted = new TeamDeleted({ detail: "The team is deleted: `admin team restore` brings it back for 30 days." })
const noSuchPerson = InvalidRequest.of([
  bodyFault("/email", "invalid_reference", "There is no user with this e-mail address.")
])

/**
 * What happens when a user (UUID) may have become an investor: by the capability, or by joining a first team. The module of offers
 * imports this one, so the operation is declared here and implemented there (`deals/lifecycle/OfferLifecycle.ts`).
 */
export class NewInvestors extends Context.Service<
  NewInvestors,
  {
    /** Makes the offers that waited for the user's address. Call it in the transaction that changed the user. */
    readonly arrived: (userUuid: string) => Effect.Effect<void>
  }
>()("identity/teams/NewInvestors") {}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const auditLog = yield* AuditLog
  const repo = yield* TeamsRepo
  const newInvestors = yield* NewInvestors
  const cursors = yield* Cursors
  const random = yield* SecureRandom.SecureRandom

  /** Loads one of the caller's teams. Any other team is not found. */
  const load = Effect.fnUntraced(function* (userId: string | null, id: string) {
    const uuid = Id.toUuid("team", id)
    if (uuid === undefined || userId === null) return yield* notFound
    const [stored] = yield* repo.ofUser(userId, uuid)
    return stored ?? (yield* notFound)
  })

  /** One of the caller's teams, without its members if the caller is only invited. */
  const get = Effect.fn("Teams.get")(function* (id: string) {
    const actor = yield* authorize("none")
    return (yield* load(actor.userId, id)).team
  })

  /** A page of the members of one of the caller's teams. */
  const members = Effect.fn("Teams.members")(function* (
    id: string,
    request: Pick<UseCaseRequest<TeamMembersQuery>, "query">
  ) {
    const actor = yield* authorize("none")
    const stored = yield* load(actor.userId, id)
    if (stored.membershipStatus === "pending") {
      return yield* new MembershipPending({ detail: "Accept the invitation to see the members of the team." })
    }
    const query = yield* request.query
    return yield* readPage({
      cursors,
      binding: { list: "team-members", teamId: actor.teamId, filters: { team: stored.uuid, role: query.role } },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (position, limit) =>
        repo.members(stored.uuid, {
          role: query.role,
          after:
            position === undefined
              ? undefined
              : { role: position[0] ?? "", sortName: position[1] ?? "", id: position[2] ?? "" },
          limit
        }),
      positionOf: (row) => [row.member.role, row.sortName, row.uuid],
      toItem: (row) => row.member
    })
  })

  /** The teams that a user belongs to or is invited to, the primary one first. */
  const ofUser = (userId: string) => repo.ofUser(userId, undefined)

  const existing = Effect.fnUntraced(function* (id: string) {
    const uuid = Id.toUuid("team", id)
    return (uuid === undefined ? undefined : yield* repo.find(uuid)) ?? (yield* noSuchTeam)
  })

  /** The UUID of a team that the input names. Refuses one that is deleted. */
  const resolve = Effect.fn("Teams.resolve")(function* (id: string) {
    const team = yield* existing(id)
    return team.deletedAt === null ? team.id : yield* isDeleted
  })

  /** As {@link resolve}, also for a team that is deleted: for what shows it. */
  const resolveAny = Effect.fn("Teams.resolveAny")(function* (id: string) {
    return (yield* existing(id)).id
  })

  /** Makes a new user a member. Call it in the transaction that creates the user. */
  const admit = Effect.fn("Teams.admit")(function* (
    teamId: string,
    user: { readonly id: string; readonly name: string },
    role: Role
  ) {
    yield* repo.join({ teamId, userId: user.id, name: user.name, role, status: "active", now: yield* now })
  })

  const recordedOf = (action: AuditAction, teamId: string, userId: string, details: AuditDetails = {}) => ({
    action,
    teamId,
    target: { type: "user", id: Id.fromUuid("user", userId) },
    details
  })

  /**
   * Makes a user (UUID) who was invited a member with a role; false if they are one. Call it in the transaction that accepts the
   * invitation.
   */
  const enter = Effect.fn("Teams.enter")(function* (
    teamId: string,
    user: { readonly id: string; readonly name: string },
    role: Role
  ) {
    const at = yield* now
    const isNew = yield* repo.join({ teamId, userId: user.id, name: user.name, role, status: "active", now: at })
    if (!isNew) {
      if (!(yield* repo.accept(teamId, user.id, at))) return false
      yield* repo.setRole(teamId, user.id, role)
    }
    yield* newInvestors.arrived(user.id)
    yield* auditLog.record({
      ...recordedOf("member.accepted", teamId, user.id, { role }),
      userId: user.id
    })
    return true
  })

  const person = Effect.fnUntraced(function* (email: string) {
    return (yield* repo.findPerson(email)) ?? (yield* noSuchPerson)
  })

  const membershipOf = Effect.fnUntraced(function* (input: Json) {
    const { email, teamId } = yield* decodeMembership(UnvalidatedJson.of(input))
    return { teamId: yield* resolve(teamId), user: yield* person(email), email }
  })

  /** Creates a team, whose id is `key` (a UUID) where a form has one: sent again, it answers the team of the first time. For the operator only. */
  const create = Effect.fn("Teams.create")(function* (input: Json, key?: string) {
    yield* onlyOperator
    const team = yield* decodeCreate(UnvalidatedJson.of(input))
    const known = key === undefined ? undefined : yield* repo.find(key)
    if (known !== undefined) return { id: Id.fromUuid("team", known.id), name: known.name, plan: known.plan }
    const uuid = key ?? (yield* random.uuidV7())
    yield* repo.insert(uuid, team, yield* now).pipe(
      auditLog.recording(() => ({
        action: "team.created",
        teamId: uuid,
        target: { type: "team", id: Id.fromUuid("team", uuid) },
        details: { plan: team.plan }
      }))
    )
    return { id: Id.fromUuid("team", uuid), name: team.name, plan: team.plan }
  })

  /** Invites a user to a team. For the operator only. */
  const invite = Effect.fn("Teams.invite")(function* (input: Json) {
    yield* onlyOperator
    const { email, role, teamId } = yield* decodeInvitation(UnvalidatedJson.of(input))
    const team = yield* resolve(teamId)
    const user = yield* person(email)
    const at = yield* now
    const isNew = yield* repo
      .join({ teamId: team, userId: user.id, name: user.name, role, status: "pending", now: at })
      .pipe(
        auditLog.recording((joined) => (joined ? recordedOf("member.invited", team, user.id, { role }) : undefined))
      )
    if (!isNew)
      return yield* Conflict.of("member", `${email} already belongs to this team or was already invited to it.`)
    return { id: Id.fromUuid("user", user.id), teamId, status: "pending" as const, role }
  })

  /** Accepts an invitation for a user. For the operator only. */
  const accept = Effect.fn("Teams.accept")(function* (input: Json) {
    yield* onlyOperator
    const { email, teamId, user } = yield* membershipOf(input)
    yield* Transaction.run(
      Effect.gen(function* () {
        if (!(yield* repo.accept(teamId, user.id, yield* now))) {
          return yield* Conflict.of("not_invited", `${email} has no open invitation to this team.`)
        }
        yield* newInvestors.arrived(user.id)
        yield* auditLog.record(recordedOf("member.accepted", teamId, user.id))
      })
    ).pipe(Effect.provideService(Database, sql))
    return { id: Id.fromUuid("user", user.id), teamId: Id.fromUuid("team", teamId), status: "active" as const }
  })

  /** Gives a member, or who is invited, another role. For the operator only. */
  const setRole = Effect.fn("Teams.setRole")(function* (input: Json) {
    yield* onlyOperator
    const { email, role, teamId } = yield* decodeInvitation(UnvalidatedJson.of(input))
    const user = yield* person(email)
    const team = yield* resolve(teamId)
    const isSet = yield* repo
      .setRole(team, user.id, role)
      .pipe(auditLog.recording((set) => (set ? recordedOf("member.role_changed", team, user.id, { role }) : undefined)))
    if (!isSet) {
      return yield* Conflict.of("no_member", `${email} neither belongs to this team nor was invited to it.`)
    }
    return { id: Id.fromUuid("user", user.id), teamId, role }
  })

  /** Ends a membership or withdraws an invitation, and thereby the user's tokens for the team. For the operator only. */
  const remove = Effect.fn("Teams.remove")(function* (input: Json) {
    yield* onlyOperator
    const { email, teamId, user } = yield* membershipOf(input)
    const hasLeft = yield* repo
      .leave(teamId, user.id, yield* now)
      .pipe(auditLog.recording((left) => (left ? recordedOf("member.removed", teamId, user.id) : undefined)))
    if (!hasLeft) {
      return yield* Conflict.of("no_member", `${email} neither belongs to this team nor was invited to it.`)
    }
    return { id: Id.fromUuid("user", user.id), teamId: Id.fromUuid("team", teamId), status: "removed" as const }
  })

  /** At most `limit` of the teams that are looked for, the newest first, after the one with this id. For the operator only. */
  const search = Effect.fn("Teams.search")(function* (
    asked: TeamSearch,
    { after, limit }: { readonly after: string | undefined; readonly limit: number }
  ) {
    yield* onlyOperator
    const before = after === undefined ? undefined : (yield* existing(after)).id
    return (yield* repo.search(asked, before, limit)).map((team) => ({
      id: Id.fromUuid("team", team.id),
      name: team.name,
      plan: team.plan,
      state: teamStateOf(team),
      members: team.members,
      createdUtc: team.createdAt.toISOString(),
      deletedUtc: team.deletedAt?.toISOString() ?? null
    }))
  })

  /** The oldest teams, at most `limit`. For the operator only. */
  const oldest = Effect.fn("Teams.oldest")(function* (limit: number) {
    yield* onlyOperator
    return yield* repo.oldest(limit)
  })

  /** Gives a team (its public id) another plan, from the next request on. For the operator only. */
  const setPlan = Effect.fn("Teams.setPlan")(function* (id: string, plan: Plan) {
    yield* onlyOperator
    const uuid = yield* resolve(id)
    const name = yield* repo
      .setPlan(uuid, plan)
      .pipe(
        auditLog.recording((found) =>
          found === undefined
            ? undefined
            : { action: "team.plan_changed", teamId: uuid, target: { type: "team", id }, details: { plan } }
        )
      )
    return name === undefined ? yield* noSuchTeam : { id, name, plan }
  })

  return {
    get,
    members,
    oldest,
    search,
    ofUser,
    planOf: repo.planOf,
    hasMember: repo.hasMember,
    find: repo.find,
    namesOf: repo.namesOf,
    lock: repo.lock,
    mark: repo.mark,
    unfinished: repo.unfinished,
    membersOfOperator: repo.membersOfOperator,
    setPlan,
    resolve,
    resolveAny,
    admit,
    enter,
    create,
    invite,
    accept,
    setRole,
    remove
  }
})

/**
 * The use-cases of teams. They need no capability; `ofUser`, `planOf`, `hasMember`, `admit`, `enter`, and those that show and mark what is deleted, are for other
 * modules, which authorize their caller.
 */
export class Teams extends Context.Service<Teams, Effect.Success<typeof make>>()("identity/teams/Teams") {
  static readonly layer = Layer.effect(Teams, make).pipe(Layer.provide(TeamsRepo.layer))
}

const makeQuotas = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const quotas = yield* Quotas
  const teams = yield* Teams

  /** The quotas of a team, and what it uses of them. For the operator only. */
  const usage = Effect.fn("TeamQuotas.usage")(function* (id: string) {
    yield* onlyOperator
    const uuid = yield* teams.resolveAny(id)
    return yield* inTeam(uuid)(quotas.usage(uuid))
  })

  /** Sets a quota of a team; null for the default. For the operator only. */
  const set = Effect.fn("TeamQuotas.set")(function* (id: string, input: Json) {
    yield* onlyOperator
    const { kind, quota } = yield* decodeQuota(UnvalidatedJson.of(input))
    const uuid = yield* teams.resolve(id)
    const used = yield* inTeam(uuid)(
      Effect.andThen(
        quotas.set(uuid, kind, quota).pipe(
          auditLog.recording(() => ({
            action: "quota.set",
            teamId: uuid,
            target: { type: "team", id },
            details: { kind, quota }
          }))
        ),
        quotas.usage(uuid)
      )
    )
    return used.filter((one) => one.kind === kind)
  })

  return { usage, set }
})

/** What the operator sees and sets of a team's quotas: docs/behaviour/quotas.md. It needs quotas, which other modules do without. */
export class TeamQuotas extends Context.Service<TeamQuotas, Effect.Success<typeof makeQuotas>>()(
  "identity/teams/TeamQuotas"
) {
  static readonly layer = Layer.effect(TeamQuotas, makeQuotas).pipe(Layer.provide(Teams.layer))
}

// Names of users, and who `me` is, for modules that reference people as owners, assignees or authors. Ids are public ones.

/** The request with the id of the caller where its body names the owner `me`. */
export const resolveMe = <Request extends Pick<UseCaseRequest, "body">>(actor: Actor, request: Request): Request => ({
  ...request,
  body: Effect.map(request.body, (document) => ({ ...document, value: withOwner(document.value, actor.userId) }))
})

/** Names of users by their ids. */
export type Names = ReadonlyMap<string, string>

const uuidsOf = (ids: ReadonlyArray<string>) => [...new Set(ids)].flatMap((id) => Id.toUuid("user", id) ?? [])

const byId = (rows: ReadonlyArray<{ readonly id: string; readonly name: string }>): Names =>
  new Map(rows.map(({ id, name }) => [Id.fromUuid("user", id), name]))

/** Among how many members of a team one chooses in a form. */
const maxChoices = 200

const makeMembers = Effect.gen(function* () {
  const repo = yield* TeamsRepo

  /** The users among these who are active members of the team (a UUID). */
  const active = Effect.fn("Members.active")(function* (teamId: string, userIds: ReadonlyArray<string>) {
    const uuids = uuidsOf(userIds)
    return byId(uuids.length === 0 ? [] : yield* repo.activeMembers(teamId, uuids))
  })

  /** The people among the active members of a team (a UUID), of whom one is chosen in a form, by name. */
  const choices = Effect.fn("Members.choices")(function* (teamId: string) {
    return byId(yield* repo.activeMembersOf(teamId, maxChoices))
  })

  /** The UUID of the active member of the caller's team whom an id or `me` names; undefined if there is none. */
  const named = Effect.fn("Members.named")(function* (
    { teamId, userId }: Pick<Actor, "teamId" | "userId">,
    name: string
  ) {
    const id = name === "me" ? Id.fromUuidOrNull("user", userId) : name
    const [member] = (yield* active(teamId, id === null ? [] : [id])).keys()
    return Id.toUuid("user", member ?? "")
  })

  /** The names of users, including former members. */
  const names = Effect.fn("Members.names")(function* (userIds: ReadonlyArray<string>) {
    const uuids = uuidsOf(userIds)
    return byId(uuids.length === 0 ? [] : yield* repo.namesOfUsers(uuids))
  })

  /** The language of the user interface of a user (a UUID), as a BCP-47 tag; English for the operator and the service. */
  const languageOf = Effect.fn("Members.languageOf")(function* (userUuid: string | null) {
    return (userUuid === null ? undefined : yield* repo.languageOfUser(userUuid)) ?? "en"
  })

  return { active, choices, named, names, languageOf }
})

/** Finds users by id. */
export class Members extends Context.Service<Members, Effect.Success<typeof makeMembers>>()("identity/teams/Members") {
  static readonly layer = Layer.effect(Members, makeMembers).pipe(Layer.provide(TeamsRepo.layer))
}
