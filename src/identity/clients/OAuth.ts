/**
 * The use-cases of the token endpoint: issue, revoke and introspect access tokens (RFC 6749, 7009, 7662). See
 * docs/behaviour/identity.md#token-endpoint.
 */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { timingSafeEqual } from "node:crypto"
import * as Id from "../../Id.ts"
import * as Secret from "../../auth/Secret.ts"
import { TokensRepo } from "../tokens/TokensRepo.ts"
import { accessSeconds, type Introspection, type IssuedToken } from "./Client.ts"
import { ClientsRepo, type StoredClient } from "./ClientsRepo.ts"
import type { Form } from "../../usecase/Form.ts"
import { type Credentials, credentialsOf, refuse, type Refused, scopesOf } from "./rules.ts"
import { now } from "../../fields/Time.ts"

/** The form and the Authorization header of a request. */
export interface OAuthRequest {
  readonly authorization: string | undefined
  readonly form: Form
}

const required = (form: Form, name: string): Effect.Effect<string, Refused> => {
  const value = form.get(name)
  return value === undefined ? Effect.fail(refuse("invalid_request", `${name} is required.`)) : Effect.succeed(value)
}

const unixSeconds = (date: Date) => Math.floor(date.getTime() / 1000)

const make = Effect.gen(function* () {
  const clients = yield* ClientsRepo
  const tokens = yield* TokensRepo
  const random = yield* SecureRandom.SecureRandom

  // No limit on failed attempts is needed, because a secret has 256 random bits.
  const verify = Effect.fnUntraced(function* (credentials: Credentials) {
    const refused = refuse("invalid_client", "There is no client with this id and secret.", credentials.basic)
    const id = Id.toUuid("client", credentials.id)
    if (id === undefined || !Secret.isWellFormed(credentials.secret)) return yield* Effect.fail(refused)
    const client = yield* clients.find(id)
    if (client === undefined) return yield* Effect.fail(refused)
    return timingSafeEqual(client.secretHash, Secret.hash(credentials.secret)) ? client : yield* Effect.fail(refused)
  })

  const authenticate = (request: OAuthRequest): Effect.Effect<StoredClient, Refused> =>
    Effect.flatMap(Effect.fromResult(credentialsOf(request.authorization, request.form)), verify)

  /** Issues an access token to a client that presents its credentials. */
  const issue = Effect.fn("OAuth.issue")(function* (request: OAuthRequest) {
    const grant = yield* required(request.form, "grant_type")
    const client = yield* authenticate(request)
    if (grant !== "client_credentials") {
      return yield* Effect.fail(refuse("unsupported_grant_type", "The only grant type is client_credentials."))
    }
    const scopes = yield* Effect.fromResult(scopesOf(request.form.get("scope"), client.scopes))
    const token = Secret.make("access", yield* random.randomBytes(Secret.byteLength))
    const createdAt = yield* now
    yield* tokens.insert({
      id: yield* random.uuidV7(),
      kind: "access",
      hash: Secret.hash(token),
      userId: client.botUserId,
      teamId: client.teamId,
      clientId: client.id,
      name: null,
      scopes,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + accessSeconds * 1000)
    })
    const issued: IssuedToken = {
      access_token: token,
      token_type: "Bearer",
      expires_in: accessSeconds,
      scope: scopes.join(" ")
    }
    return issued
  })

  /** Revokes one of the client's own tokens. Ignores any other text. */
  const revoke = Effect.fn("OAuth.revoke")(function* (request: OAuthRequest) {
    const token = yield* required(request.form, "token")
    const client = yield* authenticate(request)
    yield* tokens.revokeAccess(client.id, Secret.hash(token), yield* now)
  })

  /** The state of one of the client's own tokens. Any other text is not active. */
  const introspect = Effect.fn("OAuth.introspect")(function* (request: OAuthRequest) {
    const token = yield* required(request.form, "token")
    const client = yield* authenticate(request)
    const stored = yield* tokens.findAccess(client.id, Secret.hash(token), yield* now)
    const answer: Introspection =
      stored === undefined
        ? { active: false }
        : {
            active: true,
            scope: stored.scopes.join(" "),
            client_id: Id.fromUuid("client", client.id),
            token_type: "Bearer",
            sub: Id.fromUuid("user", stored.userId),
            jti: Id.fromUuid("token", stored.id),
            iat: unixSeconds(stored.createdAt),
            exp: unixSeconds(stored.expiresAt)
          }
    return answer
  })

  return { issue, revoke, introspect }
})

/** The operations of the token endpoint. */
export class OAuth extends Context.Service<OAuth, Effect.Success<typeof make>>()("identity/clients/OAuth") {
  static readonly layer = Layer.effect(OAuth, make)
}
