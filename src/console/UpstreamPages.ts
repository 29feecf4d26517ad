/** The way to an OpenID provider and back (docs/behaviour/sign-in.md#openid-provider). */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { callbackPath, type UpstreamRefused, UpstreamSignIn } from "../identity/signIn/UpstreamSignIn.ts"
import { upstreamMillis } from "../identity/signIn/rules.ts"
import { ownPathOf } from "./rules.ts"
import { begin, home, paths as signInPaths, queryOf } from "./SignInPages.ts"
import { cookieName, cookieOptions, PageRefused, seeOther, type Visit } from "./Visit.ts"

/** The paths of these pages. */
export const paths = { begin: signInPaths.upstream, callback: callbackPath } as const

const details: { readonly [Reason in UpstreamRefused["reason"]]: string } = {
  off: "This service has no other provider to sign in with. Sign in with your password.",
  unreachable: "The provider to sign in with cannot be reached. Try again in a moment, or sign in with your password.",
  no_attempt: "It began in another browser, or more than ten minutes ago. Begin again on the sign-in page.",
  declined: "The provider did not sign you in. Begin again on the sign-in page.",
  invalid: "The provider's answer is not valid. Begin again on the sign-in page.",
  unverified: "The provider has not verified your e-mail address. Verify it there, then sign in again.",
  unknown:
    "Nobody here has this e-mail address. Ask the administrator of your team, or the operator of this service, to add you.",
  other_subject: "Somebody else at the provider has signed in to this account before. Ask the operator of this service."
}

const refused = ({ email, reason }: UpstreamRefused) =>
  new PageRefused({
    status: reason === "unreachable" ? 503 : reason === "off" ? 404 : 403,
    title: "You could not be signed in",
    detail: email === undefined ? details[reason] : `${email}: ${details[reason]}`
  })

/** `GET /signin/openid` */
export const beginUpstream = Effect.fn("UpstreamPages.begin")(function* (visit: Visit) {
  const upstream = yield* UpstreamSignIn
  const next = ownPathOf((yield* queryOf)("next")) ?? home
  const { cookie, url } = yield* Effect.mapError(upstream.begin(visit.baseUrl, next), refused)
  return HttpServerResponse.setCookieUnsafe(seeOther(url), cookieName(visit.baseUrl, "upstream"), cookie, {
    ...cookieOptions(visit.baseUrl),
    maxAge: upstreamMillis
  })
})

/** `GET /signin/openid/callback`: whoever else leads a browser here lacks the cookie that belongs to `state`. */
export const finishUpstream = Effect.fn("UpstreamPages.finish")(function* (visit: Visit) {
  const upstream = yield* UpstreamSignIn
  const { baseUrl, request } = visit
  const cookie = request.cookies[cookieName(baseUrl, "upstream")]
  const answer = new URL(request.url, baseUrl)
  const { next, userId } = yield* Effect.mapError(
    upstream.finish(cookie, new URL(baseUrl + callbackPath + answer.search)),
    refused
  )
  return HttpServerResponse.expireCookieUnsafe(
    yield* begin(visit, userId, ownPathOf(next) ?? home),
    cookieName(baseUrl, "upstream"),
    cookieOptions(baseUrl)
  )
})
