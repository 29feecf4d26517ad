/** What the administrators of a team do with its profile and members: docs/behaviour/identity.md#administrators. */
import * as Id from "../../core/Id.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Schema } from "effect"
import { administrator, authorize } from "../../core/auth/CurrentActor.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { Cursors, defaultPageSize, read as readPage } from "../../core/usecase/Page.ts"
import { Conflict, InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { check, contentEtag, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Database } from "../../platform/db/Database.ts"
import { now } from "../../platform/Time.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { type MemberOfTeam, OnlyAdministrator, Role, TeamPatch, type TeamProfile } from "./Team.ts"
import { profileOf, wouldBeWithoutAdministrator } from "./rules.ts"
import { TeamsRepo } from "./TeamsRepo.ts"

const decodePatch = UnvalidatedJson.decoder(TeamPatch)
const decodeRole = UnvalidatedJson.decoder(Schema.Struct({ role: Role }))

const noSuchTeam = new NotFound({ detail: "There is no team with this id." })
const noSuchMember = new NotFound({ detail: "The team has no member with this id, and nobody who is invited." })
const isBot = Conflict.of("bot", "This is a bot: it ends with its client. Revoke that instead.")
const noContactPerson = InvalidRequest.of([
  bodyFault("/contactPersonId", "invalid_reference", "There is no active member of the team with this id.")
])
const onlyAdministrator = new OnlyAdministrator({
  detail: "This is the only administrator of the team. Make another member one first."
})

/** The ETag of a profile. */
export const profileEtag = (profile: TeamProfile): string => contentEtag(JSON.stringify(profile))

const make = Effect.gen(function* () {
  const sql = yield* Database
  const auditLog = yield* AuditLog
  const repo = yield* TeamsRepo
  const cursors = yield* Cursors
  const quotas = yield* Quotas

  const inTransaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Transaction.run(self).pipe(Effect.provideService(Database, sql))

  /** A page of the members of the caller's team, invited ones too. Administrators see when each last signed in. */
  const members = Effect.fn("TeamAdministration.members")(function* (query: {
    readonly role?: Role
    readonly cursor?: string
  }) {
    const { role: own, teamId } = yield* authorize("member")
    return yield* readPage({
      cursors,
      binding: { list: "members-of-team", teamId, filters: { role: query.role } },
      cursor: query.cursor,
      pageSize: defaultPageSize,
      fetch: (after, limit) => repo.membersOfTeam(teamId, { role: query.role, after, limit }),
      positionOf: (row) => [row.status, row.role, row.sortName, row.userId],
      toItem: ({ joinedAt, signedInAt, sortName: _, userId, ...row }): MemberOfTeam => ({
        ...row,
        id: Id.fromUuid("user", userId),
        joinedUtc: joinedAt.toISOString(),
        lastSignInUtc: own === "admin" ? (signedInAt?.toISOString() ?? null) : null
      })
    })
  })

  const load = Effect.fnUntraced(function* (userId: string | null, teamId: string) {
    const [stored] = userId === null ? [] : yield* repo.ofUser(userId, teamId)
    return stored === undefined ? yield* noSuchTeam : stored.team
  })

  /** The caller's team with the ETag of its profile. */
  const team = Effect.fn("TeamAdministration.team")(function* () {
    const { teamId, userId } = yield* authorize("member")
    const found = yield* load(userId, teamId)
    return { team: found, etag: profileEtag(profileOf(found)) }
  })

  /** Changes the profile of the caller's team. For administrators. */
  const change = Effect.fn("TeamAdministration.change")(function* (request: UseCaseRequest) {
    const { teamId, userId } = yield* administrator
    const body = yield* request.body
    const tags = yield* request.ifMatch
    return yield* inTransaction(
      Effect.gen(function* () {
        yield* repo.lockProfile(teamId)
        const before = profileOf(yield* load(userId, teamId))
        yield* check(profileEtag(before), tags)
        const patch = yield* decodePatch(body)
        const changedFields = UnvalidatedJson.differing(patch, before)
        if (changedFields.length === 0) return
        const after: TeamProfile = { ...before, ...patch }
        if (changedFields.includes("contactPersonId") && after.contactPersonId !== null) {
          const uuid = Id.toUuid("user", after.contactPersonId)
          const found = uuid === undefined ? [] : yield* repo.activeMembers(teamId, [uuid])
          if (found.length === 0) return yield* noContactPerson
        }
        yield* repo.setProfile(teamId, after)
        yield* auditLog.record({
          action: "team.updated",
          target: { type: "team", id: Id.fromUuid("team", teamId) },
          details: { changedFields }
        })
      })
    )
  })

  /** Locks a member of a team whom an administrator changes: never a bot, whose client ends it. */
  const lock = Effect.fnUntraced(function* (teamId: string, id: string) {
    const uuid = Id.toUuid("user", id)
    const locked = uuid === undefined ? undefined : yield* repo.lockMembership(teamId, uuid)
    if (uuid === undefined || locked?.member === undefined) return yield* noSuchMember
    if (locked.member.isBot) return yield* isBot
    return { uuid, member: locked.member, others: locked.others }
  })

  /** Gives a member, or who is invited, another role. For administrators; the team keeps one. */
  const setRole = Effect.fn("TeamAdministration.setRole")(function* (
    id: string,
    request: Pick<UseCaseRequest, "body">
  ) {
    const { teamId } = yield* administrator
    const { role } = yield* decodeRole(yield* request.body)
    return yield* inTransaction(
      Effect.gen(function* () {
        const { member, others, uuid } = yield* lock(teamId, id)
        if (member.role === role) return
        if (wouldBeWithoutAdministrator(member, others)) return yield* onlyAdministrator
        yield* repo.setRole(teamId, uuid, role)
        yield* auditLog.record({ action: "member.role_changed", target: { type: "user", id }, details: { role } })
      })
    )
  })

  /** Ends a membership, or withdraws an invitation of the operator. For administrators, of others and themselves; the team keeps one. */
  const remove = Effect.fn("TeamAdministration.remove")(function* (id: string) {
    const { teamId } = yield* administrator
    return yield* inTransaction(
      Effect.gen(function* () {
        const { member, others, uuid } = yield* lock(teamId, id)
        if (wouldBeWithoutAdministrator(member, others)) return yield* onlyAdministrator
        yield* repo.leave(teamId, uuid, yield* now)
        yield* auditLog.record({ action: "member.removed", target: { type: "user", id } })
      })
    )
  })

  /** The quotas of the caller's team, and what it uses of them. */
  const usage = Effect.fn("TeamAdministration.usage")(function* () {
    const { teamId } = yield* authorize("member")
    return yield* quotas.usage(teamId)
  })

  return { members, team, change, setRole, remove, usage }
})

/** The use-cases of a team's administrators. `members`, `team` and `usage` are for all its members. */
export class TeamAdministration extends Context.Service<TeamAdministration, Effect.Success<typeof make>>()(
  "identity/teams/TeamAdministration"
) {
  static readonly layer = Layer.effect(TeamAdministration, make).pipe(Layer.provide(TeamsRepo.layer))
}
