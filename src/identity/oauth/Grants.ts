/** What people grant to apps, and what is granted, for themselves, their teams and the operator: docs/behaviour/authorization.md#grants. */
import * as Id from "../../core/Id.ts"
import * as Secret from "../../core/auth/Secret.ts"
import { Context, Effect, Layer, Result } from "effect"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { administrator, onlyOperator } from "../../core/auth/CurrentActor.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import { InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { Teams } from "../teams/Teams.ts"
import { Users } from "../users/Users.ts"
import { GrantsRepo, type ListedGrant } from "./GrantsRepo.ts"
import { SecureRandom } from "effect/crypto"
import { Apps, ClientDocuments } from "../apps/Apps.ts"
import type { AppState } from "../apps/App.ts"
import { isDocumentUrl } from "../apps/rules.ts"
import {
  authorizationOf,
  type AuthorizationRefused,
  type AuthorizationRequest,
  codeMillis,
  type Parameters,
  readOnly
} from "./rules.ts"

/** How long grants that ended are stored, and codes and tokens after all of the same sign-in are over, in days. */
const retentionDays = 7

/** A grant. `id` is a UUID: no API has it. */
export interface Grant {
  readonly id: string
  readonly app: { readonly id: string; readonly name: string; readonly url: string | null }
  readonly user: { readonly id: string; readonly name: string; readonly email: string | null }
  readonly team: { readonly id: string; readonly name: string }
  readonly scopes: ReadonlyArray<string>
  readonly createdUtc: string
  readonly updatedUtc: string
}

const toGrant = (one: ListedGrant): Grant => ({
  id: one.id,
  app: { id: Id.fromUuid("client", one.appId), name: one.appName, url: one.appUrl },
  user: { id: Id.fromUuid("user", one.userId), name: one.userName, email: one.userEmail },
  team: { id: Id.fromUuid("team", one.teamId), name: one.teamName },
  scopes: one.scopes,
  createdUtc: one.createdAt.toISOString(),
  updatedUtc: one.updatedAt.toISOString()
})

const notFound = new NotFound({ detail: "There is no grant with this id." })

const needsOne = InvalidRequest.of([
  { in: "body", pointer: "/email", code: "required", detail: "Needs a user or a team: one of the two." }
])

const make = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const repo = yield* GrantsRepo
  const users = yield* Users
  const teams = yield* Teams

  /** The grants of a person (UUID), the oldest first. */
  const list = Effect.fn("Grants.list")(function* (userId: string) {
    return (yield* repo.list({ userId })).map(toGrant)
  })

  /** The grants of the members of a team (its public id), or of the person with an e-mail address. For the operator only. */
  const listOf = Effect.fn("Grants.listOf")(function* (of: { readonly email?: string; readonly teamId?: string }) {
    yield* onlyOperator
    if ((of.email === undefined) === (of.teamId === undefined)) return yield* needsOne
    const found =
      of.email === undefined
        ? yield* repo.list({ teamId: yield* teams.resolve(of.teamId ?? "") })
        : yield* repo.list({ userId: yield* users.resolve(of.email) })
    return found.map(toGrant)
  })

  /** What people granted to an app (its public id), the oldest first; at most 1,000. For the operator only. */
  const listOfApp = Effect.fn("Grants.listOfApp")(function* (id: string) {
    yield* onlyOperator
    const appId = Id.toUuid("client", id)
    return appId === undefined ? [] : (yield* repo.list({ appId })).map(toGrant)
  })

  /** The grants of the members of the caller's team, the oldest first. For its administrators. */
  const listOfTeam = Effect.fn("Grants.listOfTeam")(function* () {
    const { teamId } = yield* administrator
    return (yield* repo.list({ teamId })).map(toGrant)
  })

  const endOf = Effect.fnUntraced(function* (
    id: string,
    of: { readonly userId?: string; readonly teamId?: string } = {}
  ) {
    const ended = Id.isUuid(id)
      ? yield* repo
          .end(id, yield* now, of)
          .pipe(
            auditLog.recording((found) =>
              found?.isNew === true
                ? { action: "grant.revoked", teamId: found.teamId, target: { type: "grant", id } }
                : undefined
            )
          )
      : undefined
    if (ended === undefined) return yield* notFound
  })

  /** Ends a grant of a person (UUIDs), with all its tokens, at once on every process. Repeating it changes nothing. */
  const end = Effect.fn("Grants.end")(function* (userId: string, id: string) {
    yield* endOf(id, { userId })
  })

  /** As {@link end}, of any member of the caller's team. For its administrators. */
  const endOfTeam = Effect.fn("Grants.endOfTeam")(function* (id: string) {
    const { teamId } = yield* administrator
    yield* endOf(id, { teamId })
  })

  /** As {@link end}, of any person. For the operator only. */
  const revoke = Effect.fn("Grants.revoke")(function* (id: string) {
    yield* onlyOperator
    yield* endOf(id)
  })

  /** Deletes at most `limit` grants that ended long ago, and sign-ins whose codes and tokens are over; returns how many. */
  const purge = Effect.fn("Grants.purge")(function* (limit: number) {
    return yield* repo.purge(yield* daysAgo(retentionDays), limit)
  })

  return { list, listOf, listOfApp, listOfTeam, end, endOfTeam, revoke, purge }
})

/** Grants of people to apps. */
export class Grants extends Context.Service<Grants, Effect.Success<typeof make>>()("identity/oauth/Grants") {
  static readonly layer = Layer.effect(Grants, make).pipe(Layer.provide([GrantsRepo.layer, Teams.layer, Users.layer]))
}

// What a person who is signed in grants to an app: docs/behaviour/authorization.md#authorization.

/** A request of an app that a person can decide about. */
export interface PendingAuthorization {
  readonly app: Pick<AppState, "id" | "name" | "kind" | "documentUrl" | "isRegistered">
  readonly request: AuthorizationRequest
}

/** What a person decides: in which team the app acts, and whether it may only read. */
export interface Consent {
  /** The public id of the team. */
  readonly teamId: string
  readonly onlyReads: boolean
}

const noApp: AuthorizationRefused = {
  error: "invalid_request",
  description: "There is no app with this client_id, or it was revoked.",
  redirectTo: undefined
}

const makeAuthorizations = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const documents = yield* ClientDocuments
  const repo = yield* GrantsRepo
  const apps = yield* Apps
  const teams = yield* Teams
  const random = yield* SecureRandom.SecureRandom

  /** The app that a `client_id` names. The document of an app is loaded only for a person (UUID) who is signed in. */
  const appOf = (clientId: string, userId: string | undefined) =>
    userId !== undefined && isDocumentUrl(clientId)
      ? Effect.mapError(documents.find(clientId, userId), ({ detail }) => ({ ...noApp, description: detail }))
      : apps.find(clientId)

  /** What an app asks of a person (UUID) by these parameters; fails with why it is refused. */
  const read = Effect.fn("Authorizations.read")(function* (
    parameters: Parameters,
    baseUrl: string,
    userId: string | undefined
  ) {
    const [clientId, ...others] = parameters.get("client_id") ?? []
    const app = clientId === undefined || others.length > 0 ? undefined : yield* appOf(clientId, userId)
    if (app === undefined) return yield* Effect.fail(noApp)
    const request = authorizationOf(parameters, app.redirectUris, baseUrl)
    if (Result.isFailure(request)) return yield* Effect.fail(request.failure)
    const pending: PendingAuthorization = { app, request: request.success }
    return pending
  })

  /** The teams in which a person (UUID) can let apps act: those of which they are active members. */
  const teamsOf = Effect.fn("Authorizations.teamsOf")(function* (userId: string) {
    return (yield* teams.ofUser(userId)).filter(({ team }) => team.membership.status === "active")
  })

  /**
   * Grants what an app asks for, and returns the code that it exchanges for tokens. A person has one grant for an app and a team; a
   * later consent replaces its scopes. Undefined if they are no active member of the team.
   */
  const grant = Effect.fn("Authorizations.grant")(function* (
    userId: string,
    { app, request }: PendingAuthorization,
    { onlyReads, teamId }: Consent
  ) {
    const team = (yield* teamsOf(userId)).find((one) => one.team.id === teamId)
    if (team === undefined) return undefined
    const code = Secret.make("code", yield* random.randomBytes(Secret.byteLength))
    const [grantId, familyId] = [yield* random.uuidV7(), yield* random.uuidV7()]
    const at = yield* now
    const scopes = onlyReads ? readOnly(request.scopes) : request.scopes
    yield* repo
      .begin({
        grantId,
        familyId,
        userId,
        appId: app.id,
        teamId: team.uuid,
        scopes,
        resource: request.resource,
        codeHash: Secret.hash(code),
        redirectUri: request.redirectUri,
        challenge: request.challenge,
        expiresAt: new Date(at.getTime() + codeMillis),
        now: at
      })
      .pipe(
        auditLog.recording((grant) => ({
          action: "grant.created",
          userId,
          teamId: team.uuid,
          target: { type: "grant", id: grant ?? grantId },
          details: { scopes, app: Id.fromUuid("client", app.id) }
        }))
      )
    return code
  })

  return { read, teamsOf, grant }
})

/** Requests of apps, and what people grant them. */
export class Authorizations extends Context.Service<Authorizations, Effect.Success<typeof makeAuthorizations>>()(
  "identity/oauth/Authorizations"
) {
  static readonly layer = Layer.effect(Authorizations, makeAuthorizations).pipe(
    Layer.provide([Apps.layer, ClientDocuments.layer, GrantsRepo.layer, Teams.layer])
  )
}
