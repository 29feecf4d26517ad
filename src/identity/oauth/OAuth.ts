/**
 * The use-cases of the token endpoint: issue, revoke and introspect tokens of clients that act for themselves, and of apps that act
 * for people (RFC 6749, 7009, 7662). See docs/behaviour/identity.md#token-endpoint and docs/behaviour/authorization.md#tokens.
 */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { Tenant } from "../../platform/db/TransactionPermits.ts"
import type { Form } from "../../core/usecase/Input.ts"
import { Apps, OpenRegistration } from "../apps/Apps.ts"
import { AcceptedDocuments } from "../apps/ClientDocuments.ts"
import { Attempts, type TooManyAttempts } from "../signIn/Attempts.ts"
import type { Introspection, IssuedToken } from "./Grant.ts"
import { Clients } from "../clients/Clients.ts"
import { clientScopesOf, credentialsOf, refuse, type Refused, refuseForNow } from "./rules.ts"
import { TokenExchange } from "./TokenExchange.ts"
import { AccessTokens } from "../tokens/AccessTokens.ts"
import { accessSeconds } from "../tokens/Token.ts"

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
  const attempts = yield* Attempts
  const { hosts } = yield* AcceptedDocuments
  const supported: Supported = { documents: hosts.length > 0, registration: yield* OpenRegistration }

  /** The client or app that a request comes from. */
  const authenticate = Effect.fnUntraced(function* ({ authorization, form }: OAuthRequest) {
    const { basic, id, secret } = yield* Effect.fromResult(credentialsOf(authorization, form))
    const client = secret === undefined ? undefined : yield* clients.authenticate(id, secret)
    if (client !== undefined) return { kind: "client" as const, client }
    const app = yield* apps.authenticate(id, secret)
    if (app !== undefined) return { kind: "app" as const, app }
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

  return { supported, issue, revoke, introspect, register: apps.register }
})

/** The operations of the token endpoint. */
export class OAuth extends Context.Service<OAuth, Effect.Success<typeof make>>()("identity/oauth/OAuth") {
  static readonly layer = Layer.effect(OAuth, make)
}
