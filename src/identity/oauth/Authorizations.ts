/** What a person who is signed in grants to an app: docs/behaviour/authorization.md#authorization. */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as Secret from "../../core/auth/Secret.ts"
import { Context, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../../platform/db/Database.ts"
import { now } from "../../platform/Time.ts"
import { Apps } from "../apps/Apps.ts"
import type { AppState } from "../apps/App.ts"
import { isDocumentUrl } from "../apps/rules.ts"
import { ClientDocuments } from "../apps/ClientDocuments.ts"
import { Teams } from "../teams/Teams.ts"
import { GrantsRepo } from "./GrantsRepo.ts"
import {
  authorizationOf,
  type AuthorizationRefused,
  type AuthorizationRequest,
  codeMillis,
  type Parameters,
  readOnly
} from "./rules.ts"

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

const make = Effect.gen(function* () {
  const documents = yield* ClientDocuments
  const sql = yield* Database
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
    yield* Transaction.run(
      repo.begin({
        grantId,
        familyId,
        userId,
        appId: app.id,
        teamId: team.uuid,
        scopes: onlyReads ? readOnly(request.scopes) : request.scopes,
        resource: request.resource,
        codeHash: Secret.hash(code),
        redirectUri: request.redirectUri,
        challenge: request.challenge,
        expiresAt: new Date(at.getTime() + codeMillis),
        now: at
      })
    ).pipe(Effect.provideService(Database, sql))
    return code
  })

  return { read, teamsOf, grant }
})

/** Requests of apps, and what people grant them. */
export class Authorizations extends Context.Service<Authorizations, Effect.Success<typeof make>>()(
  "identity/oauth/Authorizations"
) {
  static readonly layer = Layer.effect(Authorizations, make)
}
