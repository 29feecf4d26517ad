/**
 * The use-cases of invitations by link (docs/behaviour/identity.md#invitations): an administrator makes one and hands it over; who has the
 * link and an account with its address joins, and who has none gets one.
 */
import * as Id from "../../core/Id.ts"
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Secret from "../../core/auth/Secret.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Data, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { administrator } from "../../core/auth/CurrentActor.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { all } from "../../core/usecase/Input.ts"
import { Conflict, NotFound } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Database } from "../../platform/db/Database.ts"
import { now } from "../../platform/Time.ts"
import { Passwords } from "../signIn/Passwords.ts"
import { Teams } from "../teams/Teams.ts"
import { Users } from "../users/Users.ts"
import { InvitationCreate, Newcomer, type OpenInvitation, validDays } from "./Invitation.ts"
import { InvitationsRepo, type StoredInvitation } from "./InvitationsRepo.ts"

/** Nobody joins a team by this link: it is unknown, was used or taken back, or is too old. */
export class InvitationRefused extends Data.TaggedError("InvitationRefused")<object> {}

/** The invitation is for another person than who accepts it: for one with an account, or for one without. */
export class InvitationOfAnother extends Data.TaggedError("InvitationOfAnother")<object> {}

/** What whoever has a link sees of its invitation. */
export type Invited = Pick<StoredInvitation, "account" | "email" | "invitedBy" | "role" | "teamName">

const decodeCreate = UnvalidatedJson.decoder(InvitationCreate)
const decodeNewcomer = UnvalidatedJson.decoder(Newcomer)

const notFound = new NotFound({
  detail: "There is no invitation with this id: it was used or taken back, or it is too old."
})

const make = Effect.gen(function* () {
  const sql = yield* Database
  const auditLog = yield* AuditLog
  const repo = yield* InvitationsRepo
  const passwords = yield* Passwords
  const teams = yield* Teams
  const users = yield* Users
  const random = yield* SecureRandom.SecureRandom
  const mutation = yield* Mutation.make

  /**
   * Invites the person with an address to the team of the caller, an administrator. The answer has the secret of the link, which no other
   * answer has but that to the same idempotency key. An earlier invitation of the team to the address ends.
   */
  const create = Effect.fn("Invitations.create")(function* (request: UseCaseRequest) {
    const actor = yield* administrator
    const body = yield* request.body
    const [, { email, role }, key] = yield* all(request.query, decodeCreate(body), request.idempotencyKey)
    const { operation } = request
    const { value } = yield* mutation.once({ actor, operation, key, body: body.sent }, (change) =>
      Effect.gen(function* () {
        if (yield* teams.hasMember(actor.teamId, email)) {
          return yield* Conflict.of("member", `${email} already belongs to this team.`)
        }
        const secret = Secret.make("invitation", yield* random.randomBytes(Secret.byteLength))
        const id = yield* change.newId
        const expiresAt = new Date(change.at.getTime() + validDays * 86_400_000)
        yield* repo.insert({
          id,
          hash: Secret.hash(secret),
          teamId: actor.teamId,
          email,
          role,
          invitedBy: actor.userId,
          now: change.at,
          expiresAt
        })
        yield* auditLog.record({
          action: "invitation.created",
          target: { type: "invitation", id },
          details: { role }
        })
        return { id, email, role, secret, expiresUtc: expiresAt.toISOString() }
      })
    )
    return value
  })

  /** The invitations to the team of the caller, an administrator, that are valid. */
  const list = Effect.fn("Invitations.list")(function* () {
    const { teamId } = yield* administrator
    return (yield* repo.list(teamId, yield* now)).map(({ createdAt, expiresAt, ...one }): OpenInvitation => ({
      ...one,
      createdUtc: createdAt.toISOString(),
      expiresUtc: expiresAt.toISOString()
    }))
  })

  /** Takes an invitation (its UUID) back. For administrators. */
  const revoke = Effect.fn("Invitations.revoke")(function* (id: string) {
    const { teamId } = yield* administrator
    const isRevoked =
      Id.isUuid(id) &&
      (yield* repo
        .remove(teamId, id)
        .pipe(
          auditLog.recording((removed) =>
            removed ? { action: "invitation.revoked", target: { type: "invitation", id } } : undefined
          )
        ))
    if (!isRevoked) return yield* notFound
  })

  /** The invitation of a link, for whoever has the link. */
  const find = Effect.fn("Invitations.find")(function* (link: string) {
    const found = Secret.isWellFormed(link) ? yield* repo.find(Secret.hash(link), yield* now) : undefined
    const invited: Invited = found ?? (yield* new InvitationRefused())
    return invited
  })

  /** Uses an invitation up: `memberOf` says who (UUID, name) joins the team by it. Returns who and the team (UUIDs). */
  const useUp = <E, R>(
    link: string,
    memberOf: (found: StoredInvitation) => Effect.Effect<{ readonly id: string; readonly name: string }, E, R>
  ) =>
    Effect.gen(function* () {
      const found = Secret.isWellFormed(link) ? yield* repo.lock(Secret.hash(link), yield* now) : undefined
      if (found === undefined) return yield* new InvitationRefused()
      const member = yield* memberOf(found)
      yield* repo.remove(found.teamId, found.id)
      yield* teams.enter(found.teamId, member, found.role)
      return { userId: member.id, teamId: Id.fromUuid("team", found.teamId) }
    }).pipe(Transaction.run, Effect.provideService(Database, sql))

  /** Joins the team as the person (UUID) who is signed in, and who has the address of the invitation. */
  const accept = Effect.fn("Invitations.accept")(function* (link: string, userId: string) {
    return yield* useUp(link, ({ account }) =>
      account?.id === userId ? Effect.succeed(account) : Effect.fail(new InvitationOfAnother())
    )
  })

  /** Creates the account of a person with the address of the invitation, who has none, and joins the team as that person. */
  const join = Effect.fn("Invitations.join")(function* (
    link: string,
    {
      culture,
      name: sent,
      password
    }: {
      readonly name: string
      readonly password: Redacted.Redacted<string>
      /** How they read: that of their browser. */
      readonly culture: string
    }
  ) {
    const { email } = yield* find(link)
    const { name } = yield* decodeNewcomer(UnvalidatedJson.of({ name: sent }))
    const hash = yield* passwords.hashFor(password, { email, name })
    return yield* useUp(link, (found) =>
      Effect.gen(function* () {
        const id = yield* users.enrol({ email: found.email, name, culture }, found.teamId)
        if (id === undefined) return yield* new InvitationOfAnother()
        yield* passwords.store(id, hash, "invitation")
        return { id, name }
      })
    )
  })

  /** Deletes at most `limit` invitations that have expired; returns how many. */
  const purge = Effect.fn("Invitations.purge")(function* (limit: number) {
    return yield* repo.purge(yield* now, limit)
  })

  return { create, list, revoke, find, accept, join, purge }
})

/** Invitations to teams. The pages of sign-in call `find`, `accept` and `join`. */
export class Invitations extends Context.Service<Invitations, Effect.Success<typeof make>>()(
  "identity/invitations/Invitations"
) {
  static readonly layer = Layer.effect(Invitations, make).pipe(
    Layer.provide([InvitationsRepo.layer, Passwords.layer, Teams.layer, Users.layer])
  )
}
