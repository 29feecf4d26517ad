/**
 * The use-cases of personal access tokens (docs/behaviour/identity.md#tokens), which the operator calls for everybody and people, on their
 * account pages, for themselves; and the purge of expired tokens, personal and OAuth, which a housekeeping job calls.
 */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Id from "../../core/Id.ts"
import * as Secret from "../../core/auth/Secret.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { daysAgo, now } from "../../platform/Time.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { Idempotency, parseKey } from "../../core/usecase/Idempotency.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { Conflict, InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { Teams } from "../teams/Teams.ts"
import { Users } from "../users/Users.ts"
import { onlyOperator, publicScope } from "../../core/auth/CurrentActor.ts"
import {
  accessSeconds,
  briefSeconds,
  maxPersonal,
  OwnTokenCreate,
  personalLifetimeDays,
  type Token,
  TokenCreate
} from "./Token.ts"
import { type StoredToken, TokensRepo } from "./TokensRepo.ts"

/** How long expired tokens are stored, in days. */
const retentionDays = 7

const decodeCreate = UnvalidatedJson.decoder(TokenCreate)
const decodeOwnCreate = UnvalidatedJson.decoder(OwnTokenCreate)

const tooMany = Conflict.of(
  "tokens",
  `The user has ${maxPersonal} valid tokens, the most that a user may have. Revoke one first.`
)

const notFound = new NotFound({ detail: "There is no personal token with this id." })

const noTeam = (pointer: string, detail: string) => InvalidRequest.of([bodyFault(pointer, "invalid_reference", detail)])

const toToken = (stored: StoredToken & { readonly lastUsedAt: Date | null }): Token => ({
  id: Id.fromUuid("token", stored.id),
  name: stored.name,
  teamId: Id.fromUuid("team", stored.teamId),
  createdUtc: stored.createdAt.toISOString(),
  expiresUtc: stored.expiresAt.toISOString(),
  lastUsedUtc: stored.lastUsedAt?.toISOString() ?? null
})

/** What is done with personal tokens, whoever asks for it. */
const makePersonal = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const repo = yield* TokensRepo
  const teams = yield* Teams
  const random = yield* SecureRandom.SecureRandom

  /** The team that a user's token acts in: the named one, or else the primary one. */
  const teamOf = Effect.fnUntraced(function* (userId: string, named: string | undefined) {
    const memberships = yield* teams.ofUser(userId)
    if (named === undefined) {
      return (
        memberships[0]?.uuid ?? (yield* noTeam("/email", "This user belongs to no team. Invite them to a team first."))
      )
    }
    return (
      memberships.find((stored) => stored.team.id === named)?.uuid ??
      (yield* noTeam("/teamId", "The user neither belongs to this team nor was invited to it."))
    )
  })

  /** Issues a token for a user in a team (UUIDs). No other answer contains its text, but for that to the same form sent again. */
  const issue = Effect.fnUntraced(function* (
    userId: string,
    team: string,
    name: string,
    lifetime = personalLifetimeDays * 86_400_000
  ) {
    if ((yield* repo.listPersonal(userId, yield* now)).length >= maxPersonal) return yield* tooMany
    const token = Secret.make("personal", yield* random.randomBytes(Secret.byteLength))
    const id = yield* random.uuidV7()
    const createdAt = yield* now
    const expiresAt = new Date(createdAt.getTime() + lifetime)
    yield* repo
      .insert({
        id,
        kind: "personal",
        hash: Secret.hash(token),
        userId,
        teamId: team,
        clientId: null,
        name,
        scopes: [publicScope],
        createdAt,
        expiresAt
      })
      .pipe(
        auditLog.recording(() => ({
          action: "token.created",
          teamId: team,
          target: { type: "token", id: Id.fromUuid("token", id) },
          details: { scopes: [publicScope] }
        }))
      )
    return { id: Id.fromUuid("token", id), token, expiresUtc: expiresAt.toISOString() }
  })

  /** Revokes a token, of this user (UUID) if one is named. */
  const revokeAs = Effect.fnUntraced(function* (id: string, userId?: string) {
    const uuid = Id.toUuid("token", id)
    const revoked =
      uuid === undefined
        ? undefined
        : yield* repo
            .revokePersonal(uuid, yield* now, userId)
            .pipe(
              auditLog.recording((found) =>
                found?.isNew === true
                  ? { action: "token.revoked", teamId: found.teamId, target: { type: "token", id } }
                  : undefined
              )
            )
    if (revoked === undefined) return yield* notFound
  })

  /** The valid tokens of a user (UUID), the oldest first. */
  const listOf = Effect.fnUntraced(function* (userId: string) {
    return (yield* repo.listPersonal(userId, yield* now)).map(toToken)
  })

  return { teamOf, issue, revokeAs, listOf }
})

const make = Effect.gen(function* () {
  const repo = yield* TokensRepo
  const users = yield* Users
  const { issue, listOf, revokeAs, teamOf } = yield* makePersonal

  /** Creates a token for a user. For the operator only. */
  const create = Effect.fn("Tokens.create")(function* (input: Json) {
    yield* onlyOperator
    const { email, name, teamId } = yield* decodeCreate(UnvalidatedJson.of(input))
    const userId = yield* users.resolveActive(email)
    return yield* issue(userId, yield* teamOf(userId, teamId), name)
  })

  /** The valid tokens of a user, the oldest first. */
  const list = Effect.fn("Tokens.list")(function* (email: string) {
    yield* onlyOperator
    return yield* listOf(yield* users.resolve(email))
  })

  /** Revokes a token, with immediate effect in every process. Repeating it changes nothing. */
  const revoke = Effect.fn("Tokens.revoke")(function* (id: string) {
    yield* onlyOperator
    yield* revokeAs(id)
  })

  /** Deletes at most `limit` tokens of any kind that expired more than `retentionDays` ago, and returns how many. */
  const purge = Effect.fn("Tokens.purge")(function* (limit: number) {
    return yield* repo.purge(yield* daysAgo(retentionDays), limit)
  })

  return { create, list, revoke, purge }
})

/** Manages personal tokens for the operator, and purges expired tokens of all kinds. */
export class Tokens extends Context.Service<Tokens, Effect.Success<typeof make>>()("identity/tokens/Tokens") {
  static readonly layer = Layer.effect(Tokens, make).pipe(Layer.provide([Teams.layer, TokensRepo.layer, Users.layer]))
}

const makeOwn = Effect.gen(function* () {
  const sql = yield* Database
  const idempotency = yield* Idempotency
  const { issue, listOf, revokeAs, teamOf } = yield* makePersonal

  /**
   * Creates a token. `form` is the key of the form that asks for it: sent again, as by a reload of the page that showed the token, it gets
   * the same answer (docs/behaviour/http.md#idempotency-keys).
   */
  const create = Effect.fn("OwnTokens.create")(function* (userId: string, input: Json, form: string) {
    const { name, teamId } = yield* decodeOwnCreate(UnvalidatedJson.of(input))
    const key = yield* parseKey(form)
    const team = yield* teamOf(userId, teamId)
    const request = {
      actor: { teamId: team, userId, clientId: null },
      operation: "OwnTokens.create",
      key,
      body: { name, teamId }
    }
    const at = yield* now
    const { value } = yield* idempotency.lock([request]).pipe(
      Effect.flatMap((locked) => locked.once(at, issue(userId, team, name))),
      Transaction.run,
      inTeam(team),
      Effect.provideService(Database, sql)
    )
    return value
  })

  /** Creates a token to try operations with in the browser, in a team (its public id). It ends after {@link briefSeconds}. */
  const createBrief = Effect.fn("OwnTokens.createBrief")(function* (userId: string, teamId: string, name: string) {
    return yield* issue(userId, yield* teamOf(userId, teamId), name, briefSeconds * 1000)
  })

  /** The valid tokens, the oldest first. */
  const list = Effect.fn("OwnTokens.list")((userId: string) => listOf(userId))

  /** Revokes a token. Repeating it changes nothing. */
  const revoke = Effect.fn("OwnTokens.revoke")((userId: string, id: string) => revokeAs(id, userId))

  return { create, createBrief, list, revoke }
})

/** The personal tokens of a person who is signed in (UUID), for the pages of people. */
export class OwnTokens extends Context.Service<OwnTokens, Effect.Success<typeof makeOwn>>()(
  "identity/tokens/OwnTokens"
) {
  static readonly layer = Layer.effect(OwnTokens, makeOwn).pipe(Layer.provide([Teams.layer, TokensRepo.layer]))
}

// Access tokens of clients that act for themselves, and of apps that act for people. Both are valid for an hour.

/** The most access tokens of a client, and of a grant, that are stored; the oldest are deleted first. */
export const maxAccessTokens = { client: 100, grant: 20 } as const

/** Whom a token acts for. Ids are UUIDs. */
export interface Acting {
  readonly userId: string
  readonly teamId: string
  readonly scopes: ReadonlyArray<string>
}

const makeAccessTokens = Effect.gen(function* () {
  const repo = yield* TokensRepo
  const random = yield* SecureRandom.SecureRandom

  const insert = Effect.fnUntraced(function* (
    { scopes, teamId, userId }: Acting,
    issuer:
      | { readonly kind: "access"; readonly clientId: string }
      | { readonly kind: "granted"; readonly familyId: string }
  ) {
    const token = Secret.make("access", yield* random.randomBytes(Secret.byteLength))
    const createdAt = yield* now
    yield* repo.insert({
      clientId: null,
      ...issuer,
      id: yield* random.uuidV7(),
      hash: Secret.hash(token),
      userId,
      teamId,
      name: null,
      scopes,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + accessSeconds * 1000)
    })
    return token
  })

  /** Issues a token to a client (UUID). A client that asks for one with each request loses its oldest ones. */
  const issueToClient = Effect.fn("AccessTokens.issueToClient")(function* (clientId: string, acting: Acting) {
    const token = yield* insert(acting, { kind: "access", clientId })
    yield* repo.deleteOldestOfClient(clientId, maxAccessTokens.client)
    return token
  })

  /** Issues a token of a grant, in one of its families (UUID). The oldest ones of the grant end. */
  const issueOfGrant = Effect.fn("AccessTokens.issueOfGrant")(function* (familyId: string, acting: Acting) {
    const token = yield* insert(acting, { kind: "granted", familyId })
    yield* repo.deleteOldestOfGrant(familyId, maxAccessTokens.grant)
    return token
  })

  /** The valid token with this text of a client (UUID). */
  const findOfClient = Effect.fn("AccessTokens.findOfClient")(function* (clientId: string, token: string) {
    return yield* repo.findAccess(clientId, Secret.hash(token), yield* now)
  })

  /** The valid token with this text of a grant to an app (UUID). */
  const findOfApp = Effect.fn("AccessTokens.findOfApp")(function* (appId: string, token: string) {
    return yield* repo.findGranted(appId, Secret.hash(token), yield* now)
  })

  /** Revokes the token with this text of a client (UUID). Ignores any other text. */
  const revokeOfClient = Effect.fn("AccessTokens.revokeOfClient")(function* (clientId: string, token: string) {
    yield* repo.deleteAccess(clientId, Secret.hash(token))
  })

  return { issueToClient, issueOfGrant, findOfClient, findOfApp, revokeOfClient }
})

/** Access tokens, for the token endpoint, which has authenticated its caller. */
export class AccessTokens extends Context.Service<AccessTokens, Effect.Success<typeof makeAccessTokens>>()(
  "identity/tokens/AccessTokens"
) {
  static readonly layer = Layer.effect(AccessTokens, makeAccessTokens).pipe(Layer.provide(TokensRepo.layer))
}
