/** Sign-in with an OpenID provider that the operator configured: docs/behaviour/sign-in.md#openid-provider. */
import * as client from "openid-client"
import { Context, Data, Effect, Exit, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import * as Id from "../../core/Id.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { signInRefused } from "../../core/auth/Refusals.ts"
import { onlyOperator } from "../../core/auth/CurrentActor.ts"
import { now } from "../../platform/Time.ts"
import { Users } from "../users/Users.ts"
import { cookieOf, pendingOf, personOf, upstreamMillis } from "./rules.ts"
import { UpstreamSubjectsRepo } from "./SignInRepo.ts"

/** The provider: `OIDC_ISSUER`, `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET`. */
export interface UpstreamOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
}

/** The provider with which people sign in; undefined if there is none. */
export const UpstreamProvider = Context.Reference<UpstreamOptions | undefined>(
  "identity/signIn/UpstreamSignIn/UpstreamProvider",
  { defaultValue: () => undefined }
)

/**
 * Somebody could not be signed in: the provider cannot be reached, the answer belongs to no attempt of this browser or is not valid, the
 * address is not verified or is nobody's here, its account is deactivated, or belongs to another person at the provider.
 */
export class UpstreamRefused extends Data.TaggedError("UpstreamRefused")<{
  readonly reason:
    | "off"
    | "unreachable"
    | "no_attempt"
    | "declined"
    | "invalid"
    | "unverified"
    | "unknown"
    | "deactivated"
    | "other_subject"
  readonly email?: string
}> {}

/** The path to which the provider returns people. */
export const callbackPath = "/signin/openid/callback"

const timeoutSeconds = 10

// Everything of an attempt follows from its cookie, so that another browser, or a changed cookie, matches no answer.
const derived = (purpose: string, cookie: string) =>
  createHash("sha256").update(`${purpose}:${cookie}`).digest("base64url")

const make = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const repo = yield* UpstreamSubjectsRepo
  const users = yield* Users
  const random = yield* SecureRandom.SecureRandom
  const options = yield* UpstreamProvider

  const failed = (reason: UpstreamRefused["reason"]) => (cause: unknown) =>
    Effect.logWarning("Sign-in with the OpenID provider failed").pipe(
      Effect.annotateLogs({
        reason,
        error: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
      }),
      Effect.andThen(new UpstreamRefused({ reason }))
    )

  /** Looked up when somebody signs in, so that the service starts and works without the provider. */
  const provider = yield* Effect.cachedWithTTL(
    Effect.suspend(() =>
      options === undefined
        ? Effect.fail(new UpstreamRefused({ reason: "off" }))
        : Effect.tryPromise(() =>
            client.discovery(
              new URL(options.issuer),
              options.clientId,
              undefined,
              client.ClientSecretBasic(Redacted.value(options.clientSecret)),
              {
                timeout: timeoutSeconds,
                execute: [
                  client.enableNonRepudiationChecks,
                  ...(options.issuer.startsWith("http:") ? [client.allowInsecureRequests] : [])
                ]
              }
            )
          ).pipe(Effect.catchTag("UnknownError", ({ cause }) => failed("unreachable")(cause)))
    ),
    (exit) => (Exit.isSuccess(exit) ? "1 hour" : 0)
  )

  /** Begins to sign somebody in, who goes on to the path `next`: where the browser goes, and the cookie that it keeps. */
  const begin = Effect.fn("UpstreamSignIn.begin")(function* (baseUrl: string, next: string) {
    const config = yield* provider
    const at = yield* now
    const secret = Buffer.from(yield* random.randomBytes(32)).toString("base64url")
    const cookie = cookieOf(secret, { expiresAt: at.getTime() + upstreamMillis, next })
    const challenge = createHash("sha256").update(derived("verifier", cookie)).digest("base64url")
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: baseUrl + callbackPath,
      scope: "openid email",
      state: derived("state", cookie),
      nonce: derived("nonce", cookie),
      code_challenge: challenge,
      code_challenge_method: "S256"
    })
    return { url: url.href, cookie }
  })

  const exchange = (config: client.Configuration, cookie: string, answer: URL) =>
    Effect.tryPromise(async () => {
      const tokens = await client.authorizationCodeGrant(config, answer, {
        pkceCodeVerifier: derived("verifier", cookie),
        expectedState: derived("state", cookie),
        expectedNonce: derived("nonce", cookie),
        idTokenExpected: true
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error("there is no ID token")
      const isWhole = claims["email"] !== undefined || config.serverMetadata().userinfo_endpoint === undefined
      const more = isWhole ? {} : await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      return personOf(claims.sub, claims, more)
    }).pipe(
      Effect.catchTag("UnknownError", ({ cause }) =>
        failed(cause instanceof client.AuthorizationResponseError ? "declined" : "invalid")(cause)
      )
    )

  /** A user (UUID), unless they are deactivated. */
  const activeOr = Effect.fnUntraced(function* (userId: string, email: string | undefined) {
    if ((yield* users.stateOf(userId)) === "active") return userId
    return yield* new UpstreamRefused({ reason: "deactivated", ...(email === undefined ? {} : { email }) })
  })

  /** Signs the person in with whom the provider answered: their user (UUID), and the path to go on to. */
  const finish = Effect.fn("UpstreamSignIn.finish")(function* (cookie: string | undefined, answer: URL) {
    const at = yield* now
    const pending = pendingOf(cookie, at)
    if (cookie === undefined || pending === undefined) return yield* new UpstreamRefused({ reason: "no_attempt" })
    const config = yield* provider
    const { email, isVerified, subject } = yield* exchange(config, cookie, answer)
    const { issuer } = config.serverMetadata()
    const bound = yield* repo.find(issuer, subject)
    if (bound !== undefined) return { userId: yield* activeOr(bound, email), next: pending.next }
    if (email === undefined || !isVerified) return yield* new UpstreamRefused({ reason: "unverified" })
    const userId = yield* Effect.mapError(users.resolve(email), () => new UpstreamRefused({ reason: "unknown", email }))
    if (!(yield* repo.bind(issuer, subject, userId, at))) {
      return yield* new UpstreamRefused({ reason: "other_subject", email })
    }
    yield* users.confirmEmail(userId)
    return { userId: yield* activeOr(userId, email), next: pending.next }
  })

  /**
   * Forgets which account at a provider is that of the person with an e-mail address, so that the next sign-in decides by the address
   * again. Their sessions go on. For the operator only.
   */
  const unbind = Effect.fn("UpstreamSignIn.unbind")(function* (email: string) {
    yield* onlyOperator
    const userId = yield* users.resolve(email)
    const unbound = yield* repo.unbind(userId).pipe(
      auditLog.recording((count) =>
        count === 0
          ? undefined
          : {
              action: "openid.unbound",
              target: { type: "user", id: Id.fromUuid("user", userId) },
              details: { count }
            }
      )
    )
    return { unbound }
  })

  /** {@link finish}, whose refusals the metrics and the audit log count. */
  const finishCounted = (cookie: string | undefined, answer: URL) =>
    Effect.tapError(finish(cookie, answer), ({ reason }) =>
      Effect.andThen(
        signInRefused(reason === "deactivated" ? reason : "provider"),
        auditLog.count({ action: "session.refused", outcome: "refused", details: { by: "openid", code: reason } })
      )
    )

  return { issuer: options?.issuer, begin, finish: finishCounted, unbind }
})

/** Sign-in with an OpenID provider. Only the operator may call `unbind`; the pages of sign-in call the others. */
export class UpstreamSignIn extends Context.Service<UpstreamSignIn, Effect.Success<typeof make>>()(
  "identity/signIn/UpstreamSignIn"
) {
  static readonly layer = Layer.effect(UpstreamSignIn, make).pipe(
    Layer.provide([UpstreamSubjectsRepo.layer, Users.layer])
  )
}
