/**
 * The token endpoint: tokens of clients that act for themselves and of apps that act for people (docs/behaviour/authorization.md#tokens).
 */
import * as Secret from "../../core/auth/Secret.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash, timingSafeEqual } from "node:crypto"
import { offlineScope } from "../../core/auth/CurrentActor.ts"
import { credentialRefused } from "../../core/auth/Refusals.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { identify } from "../../core/auth/AuditContext.ts"
import { Database } from "../../platform/db/Database.ts"
import { now } from "../../platform/Time.ts"
import type { Form } from "../../core/usecase/Input.ts"
import type { AppState } from "../apps/App.ts"
import type { Introspection, IssuedToken } from "./Grant.ts"
import {
  clientScopesOf,
  credentialsOf,
  maxRefreshTokens,
  narrowed,
  refreshMillis,
  refuse,
  type Refused,
  refuseForNow,
  replacedMillis,
  resourceOf,
  useOfCode,
  useOfRefresh
} from "./rules.ts"
import { SignInAttempts, type TooManyAttempts } from "../signIn/SignInAttempts.ts"
import { AccessTokens } from "../tokens/Tokens.ts"
import { accessSeconds } from "../tokens/Token.ts"
import { type Family, GrantsRepo } from "./GrantsRepo.ts"
import { Tenant } from "../../platform/db/TransactionPermits.ts"
import { AcceptedDocuments, Apps, OpenRegistration } from "../apps/Apps.ts"
import { Clients } from "../clients/Clients.ts"

// The first half of a refresh token names the family that it belongs to, the other half is random. So one that was replaced is recognized
// without being stored, and a client that refreshes with each request fills no table.
const familyLength = 16

/** The number of random bytes in a refresh token. */
export const randomLength = Secret.byteLength - familyLength

/** The refresh token of a family (UUID) with these random bytes. */
export const refreshTokenOf = (familyId: string, random: Uint8Array): string =>
  Secret.make("refresh", new Uint8Array([...Buffer.from(familyId.replaceAll("-", ""), "hex"), ...random]))

/** The family (UUID) that a text names, if it is a refresh token. Whoever has its other half, too, is another question. */
export const familyNamedBy = (token: string): string | undefined => {
  if (!token.startsWith(Secret.prefixes.refresh) || !Secret.isWellFormed(token)) return undefined
  const bytes = Secret.bytesOf(token)
  if (bytes === undefined) return undefined
  const hex = Buffer.from(bytes.subarray(0, familyLength)).toString("hex")
  const family = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
  return Id.isUuid(family) ? family : undefined
}

const invalidGrant = refuse("invalid_grant", "The code or refresh token is unknown, used, expired or revoked.")

/** Whether a verifier has this S256 challenge (RFC 7636 §4.6). */
const verifies = (verifier: string, challenge: string): boolean => {
  const [found, expected] = [createHash("sha256").update(verifier).digest(), Buffer.from(challenge, "base64url")]
  return found.length === expected.length && timingSafeEqual(found, expected)
}

const requiredOf = (form: Form, name: string): Result.Result<string, Refused> => {
  const value = form.get(name)
  return value === undefined ? Result.fail(refuse("invalid_request", `${name} is required.`)) : Result.succeed(value)
}

// A replay must leave its effects, so it is no failure of the transaction.
type Outcome = Result.Result<IssuedToken, Refused>

const makeTokenExchange = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const sql = yield* Database
  const repo = yield* GrantsRepo
  const tokens = yield* AccessTokens
  const attempts = yield* SignInAttempts
  const random = yield* SecureRandom.SecureRandom

  const inTransaction = <E, R>(outcome: Effect.Effect<Outcome, E, R>) =>
    Transaction.run(outcome).pipe(Effect.provideService(Database, sql), Effect.flatMap(Effect.fromResult))

  /** Refuses a grant whose tokens are asked for too often. */
  const limited = (grantOf: Family) =>
    Effect.mapError(
      attempts.count([{ kind: "tokenGrant", name: `${grantOf.appId} ${grantOf.userId} ${grantOf.teamId}` }]),
      ({ retryAfterSeconds }) => refuseForNow(retryAfterSeconds)
    )

  /** Issues an access token of a family, and with `offline_access` a refresh token. */
  const issue = Effect.fnUntraced(function* (family: Family, scopes: ReadonlyArray<string>) {
    const { familyId, teamId, userId } = family
    const issued: IssuedToken = {
      access_token: yield* tokens.issueOfGrant(familyId, {
        userId,
        teamId,
        scopes: scopes.filter((scope) => scope !== offlineScope)
      }),
      token_type: "Bearer",
      expires_in: accessSeconds,
      scope: scopes.join(" ")
    }
    if (!family.scopes.includes(offlineScope)) return issued
    const refresh = refreshTokenOf(familyId, yield* random.randomBytes(randomLength))
    const at = yield* now
    yield* repo.deleteRefreshes(familyId, new Date(at.getTime() - replacedMillis), maxRefreshTokens - 1)
    yield* repo.insertRefresh({
      hash: Secret.hash(refresh),
      familyId,
      now: at,
      expiresAt: new Date(at.getTime() + refreshMillis)
    })
    return { ...issued, refresh_token: refresh }
  })

  /** Ends everything that a code or a refresh token led to, because somebody else may have it. */
  const endReplayed = Effect.fnUntraced(function* ({ appId, familyId, grantId, teamId, userId }: Family, what: string) {
    yield* identify({ grantId, teamId })
    yield* repo.endFamily(familyId, yield* now)
    yield* auditLog.record({
      action: "grant.replayed",
      outcome: "refused",
      teamId,
      target: { type: "grant", id: grantId },
      details: { kind: what === "code" ? "code" : "refresh_token" }
    })
    yield* Effect.logWarning(`A ${what} was used again: its tokens are revoked.`).pipe(
      Effect.annotateLogs({ app: appId, user: userId })
    )
    return Result.fail(invalidGrant)
  })

  /** Refuses a refresh token that is not stored. One that names a family of the app was replaced: it ends the family. */
  const refuseUnknown = Effect.fnUntraced(function* (app: AppState, token: string) {
    const named = familyNamedBy(token)
    const family = named === undefined ? undefined : yield* repo.findFamily(app.id, named)
    return family === undefined || family.hasEnded
      ? Result.fail(invalidGrant)
      : yield* endReplayed(family, "refresh token")
  })

  /** Whether a request names what the tokens are good for already, or nothing. */
  const isSameResource = ({ resource }: Family, form: Form, baseUrl: string) => {
    const named = form.get("resource")
    return named === undefined || resourceOf([named], baseUrl) === resource
  }

  const otherTarget = refuse("invalid_target", "resource must be what the person was asked for.")

  /** Exchanges a code for tokens, once. A code that comes again ends what it led to. */
  const exchangeCode = Effect.fn("TokenExchange.exchangeCode")(function* (app: AppState, form: Form, baseUrl: string) {
    const code = yield* Effect.fromResult(requiredOf(form, "code"))
    const verifier = yield* Effect.fromResult(requiredOf(form, "code_verifier"))
    const hash = Secret.hash(code)
    return yield* inTransaction(
      Effect.gen(function* (): Effect.fn.Return<Outcome, never, never> {
        const found = Secret.isWellFormed(code) ? yield* repo.lockCode(app.id, hash) : undefined
        if (found === undefined) return Result.fail(invalidGrant)
        const use = useOfCode(found, yield* now)
        if (use === "replayed") return yield* endReplayed(found, "code")
        yield* identify({ grantId: found.grantId, teamId: found.teamId, userId: found.userId })
        if (use === "refused") return Result.fail(invalidGrant)
        const redirect = form.get("redirect_uri")
        const isSameRedirect =
          redirect === found.redirectUri || (redirect === undefined && app.redirectUris.length === 1)
        if (!isSameRedirect || !verifies(verifier, found.challenge)) {
          // It was meant for somebody else, who must not use it either.
          yield* repo.useCode(hash, yield* now)
          return Result.fail(refuse("invalid_grant", "redirect_uri or code_verifier is not that of the authorization."))
        }
        if (!isSameResource(found, form, baseUrl)) return Result.fail(otherTarget)
        yield* repo.useCode(hash, yield* now)
        return Result.succeed(yield* issue(found, found.scopes))
      })
    )
  })

  /** Exchanges a refresh token for new tokens. The previous one is good for two more minutes, and ends its family afterwards. */
  const refresh = Effect.fn("TokenExchange.refresh")(function* (app: AppState, form: Form, baseUrl: string) {
    const token = yield* Effect.fromResult(requiredOf(form, "refresh_token"))
    const hash = Secret.hash(token)
    return yield* inTransaction(
      Effect.gen(function* (): Effect.fn.Return<Outcome, never, never> {
        const found = Secret.isWellFormed(token) ? yield* repo.lockRefresh(app.id, hash) : undefined
        if (found === undefined) return yield* refuseUnknown(app, token)
        const at = yield* now
        const use = useOfRefresh(found, at)
        if (use === "replayed") return yield* endReplayed(found, "refresh token")
        yield* identify({ grantId: found.grantId, teamId: found.teamId, userId: found.userId })
        if (use === "refused") return Result.fail(invalidGrant)
        const scopes = narrowed(found.scopes, form.get("scope"))
        if (scopes === undefined) {
          return Result.fail(refuse("invalid_scope", `scope must be some of ${found.scopes.join(" ")}.`))
        }
        if (!isSameResource(found, form, baseUrl)) return Result.fail(otherTarget)
        const counted = yield* Effect.result(limited(found))
        if (Result.isFailure(counted)) return Result.fail(counted.failure)
        yield* repo.replaceRefresh(hash, at)
        return Result.succeed(yield* issue(found, scopes))
      })
    )
  })

  /** Ends the tokens of the sign-in that an access or refresh token of an app comes from. Ignores any other text. */
  const revoke = Effect.fn("TokenExchange.revoke")(function* (app: AppState, token: string) {
    const family = Secret.isWellFormed(token)
      ? yield* repo.familyOf(app.id, Secret.hash(token), familyNamedBy(token))
      : undefined
    if (family !== undefined) yield* repo.endFamily(family, yield* now)
  })

  return { exchangeCode, refresh, revoke }
})

/** Tokens of apps. */
export class TokenExchange extends Context.Service<TokenExchange, Effect.Success<typeof makeTokenExchange>>()(
  "identity/oauth/TokenExchange"
) {
  static readonly layer = Layer.effect(TokenExchange, makeTokenExchange).pipe(
    Layer.provide([AccessTokens.layer, GrantsRepo.layer, SignInAttempts.layer])
  )
}

// The use-cases of the token endpoint: issue, revoke and introspect tokens of clients that act for themselves, and of apps that act
// for people (RFC 6749, 7009, 7662). See docs/behaviour/identity.md#token-endpoint and docs/behaviour/authorization.md#tokens.

/** The form and the Authorization header of a request, and the address of the service. */
export interface OAuthRequest {
  readonly authorization: string | undefined
  readonly form: Form
  readonly baseUrl: string
  /** The network address that it comes from. */
  readonly address: string | null
}

/** What the operator turned on. */
export interface Supported {
  /** Apps that a document describes. */
  readonly documents: boolean
  /** Apps that register themselves. */
  readonly registration: boolean
}

const required = (form: Form, name: string): Effect.Effect<string, Refused> => {
  const value = form.get(name)
  return value === undefined ? Effect.fail(refuse("invalid_request", `${name} is required.`)) : Effect.succeed(value)
}

const unixSeconds = (date: Date) => Math.floor(date.getTime() / 1000)

/** Refuses a client that asks too often. */
const limited = <R>(counted: Effect.Effect<void, TooManyAttempts, R>): Effect.Effect<void, Refused, R> =>
  Effect.mapError(counted, ({ retryAfterSeconds }) => refuseForNow(retryAfterSeconds))

const grantTypes = ["authorization_code", "client_credentials", "refresh_token"]

const otherGrant = refuse(
  "unauthorized_client",
  "Clients use client_credentials; apps use authorization_code and refresh_token."
)

/** Transactions count for the network address: who calls is known in the end, if at all. */
const forAddress = <A, E, R>(self: Effect.Effect<A, E, R>, { address }: OAuthRequest) =>
  Effect.provideService(self, Tenant, address ?? "tokens")

const make = Effect.gen(function* () {
  const clients = yield* Clients
  const apps = yield* Apps
  const exchange = yield* TokenExchange
  const tokens = yield* AccessTokens
  const attempts = yield* SignInAttempts
  const auditLog = yield* AuditLog
  const { hosts } = yield* AcceptedDocuments
  const supported: Supported = { documents: hosts.length > 0, registration: yield* OpenRegistration }

  /** The client or app that a request comes from. */
  const authenticate = Effect.fnUntraced(function* ({ authorization, form }: OAuthRequest) {
    const { basic, id, secret } = yield* Effect.fromResult(credentialsOf(authorization, form))
    const client = secret === undefined ? undefined : yield* clients.authenticate(id, secret)
    if (client !== undefined) {
      yield* identify({ clientId: client.id, teamId: client.teamId, userId: client.botUserId })
      return { kind: "client" as const, client }
    }
    const app = yield* apps.authenticate(id, secret)
    if (app !== undefined) {
      yield* identify({ clientId: app.id })
      return { kind: "app" as const, app }
    }
    const named = yield* clients.named(id)
    if (named.clientId !== undefined) yield* identify(named)
    return yield* Effect.fail(refuse("invalid_client", "There is no client with this id and secret.", basic))
  })

  /** Issues tokens to a client or an app that presents its credentials. */
  const issue = Effect.fn("OAuth.issue")(function* (request: OAuthRequest) {
    const { address, baseUrl, form } = request
    yield* limited(attempts.count(address === null ? [] : [{ kind: "tokenAddress", name: address }]))
    const grant = yield* required(form, "grant_type")
    const caller = yield* authenticate(request)
    if (grant === "authorization_code" || grant === "refresh_token") {
      if (caller.kind !== "app") return yield* Effect.fail(otherGrant)
      return grant === "refresh_token"
        ? yield* exchange.refresh(caller.app, form, baseUrl)
        : yield* exchange.exchangeCode(caller.app, form, baseUrl)
    }
    if (grant !== "client_credentials") {
      return yield* Effect.fail(
        refuse("unsupported_grant_type", "grant_type is client_credentials, authorization_code or refresh_token.")
      )
    }
    if (caller.kind !== "client") return yield* Effect.fail(otherGrant)
    const { botUserId, id, scopes: allowed, teamId } = caller.client
    // After the secret: nobody else can use up what a client may ask for.
    yield* limited(attempts.count([{ kind: "tokenClient", name: id }]))
    const scopes = yield* Effect.fromResult(clientScopesOf(form.get("scope"), allowed))
    const issued: IssuedToken = {
      access_token: yield* tokens.issueToClient(id, { userId: botUserId, teamId, scopes }),
      token_type: "Bearer",
      expires_in: accessSeconds,
      scope: scopes.join(" ")
    }
    return issued
  }, forAddress)

  /** Revokes one of the caller's own tokens; of an app, all tokens of the same sign-in. Ignores any other text. */
  const revoke = Effect.fn("OAuth.revoke")(function* (request: OAuthRequest) {
    const token = yield* required(request.form, "token")
    const caller = yield* authenticate(request)
    yield* caller.kind === "client"
      ? tokens.revokeOfClient(caller.client.id, token)
      : exchange.revoke(caller.app, token)
  }, forAddress)

  /** The state of one of the caller's own access tokens. Any other text is not active. */
  const introspect = Effect.fn("OAuth.introspect")(function* (request: OAuthRequest) {
    const token = yield* required(request.form, "token")
    const caller = yield* authenticate(request)
    const [id, stored] =
      caller.kind === "client"
        ? [Id.fromUuid("client", caller.client.id), yield* tokens.findOfClient(caller.client.id, token)]
        : [
            caller.app.documentUrl ?? Id.fromUuid("client", caller.app.id),
            yield* tokens.findOfApp(caller.app.id, token)
          ]
    const answer: Introspection =
      stored === undefined
        ? { active: false }
        : {
            active: true,
            scope: stored.scopes.join(" "),
            client_id: id,
            token_type: "Bearer",
            sub: Id.fromUuid("user", stored.userId),
            jti: Id.fromUuid("token", stored.id),
            iat: unixSeconds(stored.createdAt),
            exp: unixSeconds(stored.expiresAt)
          }
    return answer
  })

  /** Counts what an operation did, for the audit log, and its refusals, for the metrics, too. */
  const counted =
    <A, R>(
      action: "access_token.issued" | "access_token.revoked" | undefined,
      operation: (request: OAuthRequest) => Effect.Effect<A, Refused, R>
    ) =>
    (request: OAuthRequest): Effect.Effect<A, Refused, R> => {
      const asked = request.form.get("grant_type")
      const of = grantTypes.find((one) => one === asked)
      const details = of === undefined || action !== "access_token.issued" ? {} : { grantType: of }
      return operation(request).pipe(
        Effect.tap(() => (action === undefined ? Effect.void : auditLog.count({ action, details }))),
        Effect.tapError(({ error: code }) =>
          Effect.andThen(
            code === "invalid_client"
              ? credentialRefused("client")
              : code === "invalid_grant"
                ? credentialRefused("grant")
                : Effect.void,
            auditLog.count({
              action: code === "invalid_client" || action === undefined ? "credentials.refused" : action,
              outcome: "refused",
              details: { ...details, code }
            })
          )
        )
      )
    }

  return {
    supported,
    issue: counted("access_token.issued", issue),
    revoke: counted("access_token.revoked", revoke),
    introspect: counted(undefined, introspect),
    register: apps.register
  }
})

/** The operations of the token endpoint. */
export class OAuth extends Context.Service<OAuth, Effect.Success<typeof make>>()("identity/oauth/OAuth") {
  static readonly layer = Layer.effect(OAuth, make).pipe(
    Layer.provide([AccessTokens.layer, Apps.layer, Clients.layer, SignInAttempts.layer, TokenExchange.layer])
  )
}
