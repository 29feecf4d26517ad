/** Access tokens of clients that act for themselves, and of apps that act for people. Both are valid for an hour. */
import * as Secret from "../../core/auth/Secret.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { now } from "../../platform/Time.ts"
import { accessSeconds } from "./Token.ts"
import { TokensRepo } from "./TokensRepo.ts"

/** The most access tokens of a client, and of a grant, that are stored; the oldest are deleted first. */
export const maxAccessTokens = { client: 100, grant: 20 } as const

/** Whom a token acts for. Ids are UUIDs. */
export interface Acting {
  readonly userId: string
  readonly teamId: string
  readonly scopes: ReadonlyArray<string>
}

const make = Effect.gen(function* () {
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
export class AccessTokens extends Context.Service<AccessTokens, Effect.Success<typeof make>>()(
  "identity/tokens/AccessTokens"
) {
  static readonly layer = Layer.effect(AccessTokens, make)
}
