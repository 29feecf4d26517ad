/** The pages by which people sign in and set their passwords (docs/behaviour/sign-in.md). */
import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Passwords } from "../identity/signIn/Passwords.ts"
import { maxPasswordLength, minPasswordLength, type PasswordFault, upstreamMillis } from "../identity/signIn/rules.ts"
import { Sessions } from "../identity/signIn/Sessions.ts"
import { callbackPath, type UpstreamRefused, UpstreamSignIn } from "../identity/signIn/UpstreamSignIn.ts"
import { html } from "./Html.ts"
import { corrected, notice } from "./Parts.ts"
import {
  answerPage,
  cookieName,
  cookieOptions,
  formField,
  ownPathOf,
  type PageOptions,
  PageRefused,
  readOwnForm,
  seeOther,
  type Visit,
  withoutSession,
  withSession
} from "./Visit.ts"

/** The paths of these pages. */
export const paths = {
  signIn: "/signin",
  password: "/signin/password",
  signOut: "/signout",
  upstream: "/signin/openid",
  callback: callbackPath
} as const

/** Where people go after they signed in. */
export const home = "/console"

interface SignInState {
  readonly email: string
  readonly next: string | undefined
  /** Why an attempt was refused. */
  readonly refusal?: string
  /** Whether address or password were wrong. */
  readonly isWrong?: boolean
}

const signInPage = Effect.fnUntraced(function* (
  visit: Visit,
  { email, isWrong = false, next, refusal }: SignInState,
  options?: PageOptions
) {
  const { issuer } = yield* UpstreamSignIn
  return answerPage(
    visit,
    {
      title: "Sign in",
      isNarrow: true,
      isRefusal: refusal !== undefined,
      body: html`<section>
        <h1>Sign in</h1>
        ${refusal !== undefined && notice("bad", refusal)}
        <form method="post" action="${paths.signIn}">
          ${formField(visit)} ${next !== undefined && html`<input type="hidden" name="next" value="${next}" />`}
          <label for="email">E-mail address</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="username"
            required
            value="${email}"
            ${corrected(isWrong, { first: false })}
          />
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            maxlength="${maxPasswordLength}"
            ${corrected(isWrong)}
          />
          <p class="row"><button type="submit">Sign in</button></p>
        </form>
        ${
          issuer !== undefined &&
          html`<p class="row">
            <a class="button" href="${paths.upstream}${next === undefined ? "" : `?next=${encodeURIComponent(next)}`}"
              >Sign in with ${new URL(issuer).host}</a
            >
          </p>`
        }
        <p class="hint">No password yet, or forgotten? Ask the operator of this service for a sign-in link.</p>
      </section>`
    },
    options
  )
})

/** The value of a parameter of the query, if there is one. */
export const queryOf = Effect.map(HttpServerRequest.ParsedSearchParams, (search) => (name: string) => {
  const value = search[name]
  return typeof value === "string" ? value : undefined
})

/** `GET /signin` */
export const showSignIn = Effect.fn("SignInPages.showSignIn")(function* (visit: Visit) {
  const next = ownPathOf((yield* queryOf)("next"))
  return visit.signedIn === undefined ? yield* signInPage(visit, { email: "", next }) : seeOther(next ?? home)
})

/** The answer that begins a session of a user (UUID). A session that this browser had before ends. */
export const begin = Effect.fnUntraced(function* (
  visit: Visit,
  userId: string,
  path: string,
  by: "password" | "link" | "invitation" | "openid" = "password"
) {
  const sessions = yield* Sessions
  const { request, signedIn } = visit
  if (signedIn !== undefined) yield* Effect.ignore(sessions.end(signedIn.userId, signedIn.session.id, "session.ended"))
  const secret = yield* sessions.begin(userId, {
    address: visit.address,
    userAgent: request.headers["user-agent"],
    by
  })
  return withSession(seeOther(path), visit, { secret, maxAge: sessions.totalMillis })
})

const minutesOf = (seconds: number) => {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? "a minute" : `${minutes} minutes`
}

const askOperator = "Ask the administrator of your team, or the operator of this service, to activate it."

/** `POST /signin` */
export const signIn = Effect.fn("SignInPages.signIn")(function* (visit: Visit) {
  const { verify } = yield* Passwords
  const form = yield* readOwnForm(visit)
  const [email = "", password = "", next] = [form.get("email"), form.get("password"), ownPathOf(form.get("next"))]
  const again = (state: Required<Pick<SignInState, "refusal" | "isWrong">>, options: PageOptions) =>
    signInPage(visit, { email, next, ...state }, options)
  return yield* verify({ email, password: Redacted.make(password), address: visit.address }).pipe(
    Effect.flatMap((userId) => begin(visit, userId, next ?? home)),
    Effect.catchTags({
      SignInRefused: () =>
        again(
          { refusal: "There is no account with this e-mail address and password.", isWrong: true },
          { status: 422 }
        ),
      AccountDeactivated: () =>
        again({ refusal: `This account is deactivated. ${askOperator}`, isWrong: false }, { status: 403 }),
      TooManyAttempts: ({ retryAfterSeconds }) =>
        again(
          { refusal: `Too many attempts failed. Try again in ${minutesOf(retryAfterSeconds)}.`, isWrong: false },
          { status: 429, headers: { "retry-after": String(retryAfterSeconds) } }
        )
    })
  )
})

const faults: { readonly [Fault in PasswordFault]: string } = {
  too_short: `The password needs at least ${minPasswordLength} characters.`,
  too_long: `The password may have at most ${maxPasswordLength} characters.`,
  contains_name: "The password is little more than your name or e-mail address. Choose another one."
}

const passwordPage = (visit: Visit, link: string, email: string, refusal?: string) =>
  answerPage(
    visit,
    {
      title: "Set your password",
      isNarrow: true,
      isRefusal: refusal !== undefined,
      body: html`<section>
        <h1>Set your password</h1>
        <p class="soft">For ${email}. You will be signed out in all other browsers.</p>
        ${refusal !== undefined && notice("bad", refusal)}
        <form method="post" action="${paths.password}">
          ${formField(visit)}
          <input type="hidden" name="link" value="${link}" />
          <input type="hidden" name="username" autocomplete="username" value="${email}" />
          <label for="password">New password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="new-password"
            required
            minlength="${minPasswordLength}"
            maxlength="${maxPasswordLength}"
            ${corrected(refusal !== undefined, { rule: "rule" })}
          />
          <p class="hint" id="rule">
            At least ${minPasswordLength} characters. A few words are easier to remember than one with symbols.
          </p>
          <p class="row"><button type="submit">Set the password and sign in</button></p>
        </form>
      </section>`
    },
    { status: refusal === undefined ? 200 : 422 }
  )

const linkRefused = new PageRefused({
  status: 410,
  title: "This link is not valid",
  detail: "It was used, or it is older than 15 minutes. Ask the operator of this service for a new one."
})

/** `GET /signin/password?link=…` */
export const showPassword = Effect.fn("SignInPages.showPassword")(function* (visit: Visit) {
  const { ownerOf } = yield* Passwords
  const link = (yield* queryOf)("link") ?? ""
  const { email } = yield* Effect.catchTag(ownerOf(link), "LinkRefused", () => Effect.fail(linkRefused))
  return passwordPage(visit, link, email)
})

/** `POST /signin/password` */
export const setPassword = Effect.fn("SignInPages.setPassword")(function* (visit: Visit) {
  const passwords = yield* Passwords
  const form = yield* readOwnForm(visit)
  const link = form.get("link") ?? ""
  return yield* Effect.gen(function* () {
    const { email } = yield* passwords.ownerOf(link)
    return yield* passwords.set(link, Redacted.make(form.get("password") ?? "")).pipe(
      Effect.flatMap((userId) => begin(visit, userId, home, "link")),
      Effect.catchTag("PasswordRefused", ({ fault }) => Effect.succeed(passwordPage(visit, link, email, faults[fault])))
    )
  }).pipe(Effect.catchTag("LinkRefused", () => Effect.fail(linkRefused)))
})

/** `POST /signout` */
export const signOut = Effect.fn("SignInPages.signOut")(function* (visit: Visit) {
  const { end } = yield* Sessions
  yield* readOwnForm(visit)
  if (visit.signedIn !== undefined)
    yield* Effect.ignore(end(visit.signedIn.userId, visit.signedIn.session.id, "session.ended"))
  return HttpServerResponse.setHeader(withoutSession(seeOther(paths.signIn), visit), "clear-site-data", '"cache"')
})

// The way to an OpenID provider and back (docs/behaviour/sign-in.md#openid-provider).

const details: { readonly [Reason in UpstreamRefused["reason"]]: string } = {
  off: "This service has no other provider to sign in with. Sign in with your password.",
  unreachable: "The provider to sign in with cannot be reached. Try again in a moment, or sign in with your password.",
  no_attempt: "It began in another browser, or more than ten minutes ago. Begin again on the sign-in page.",
  declined: "The provider did not sign you in. Begin again on the sign-in page.",
  invalid: "The provider's answer is not valid. Begin again on the sign-in page.",
  unverified: "The provider has not verified your e-mail address. Verify it there, then sign in again.",
  unknown:
    "Nobody here has this e-mail address. Ask the administrator of your team, or the operator of this service, to add you.",
  deactivated: `This account is deactivated. ${askOperator}`,
  other_subject: "Somebody else at the provider has signed in to this account before. Ask the operator of this service."
}

const refused = ({ email, reason }: UpstreamRefused) =>
  new PageRefused({
    status: reason === "unreachable" ? 503 : reason === "off" ? 404 : 403,
    title: "You could not be signed in",
    detail: email === undefined ? details[reason] : `${email}: ${details[reason]}`
  })

/** `GET /signin/openid` */
export const beginUpstream = Effect.fn("SignInPages.beginUpstream")(function* (visit: Visit) {
  const upstream = yield* UpstreamSignIn
  const next = ownPathOf((yield* queryOf)("next")) ?? home
  const { cookie, url } = yield* Effect.mapError(upstream.begin(visit.baseUrl, next), refused)
  return HttpServerResponse.setCookieUnsafe(seeOther(url), cookieName(visit.baseUrl, "upstream"), cookie, {
    ...cookieOptions(visit.baseUrl),
    maxAge: upstreamMillis
  })
})

/** `GET /signin/openid/callback`: whoever else leads a browser here lacks the cookie that belongs to `state`. */
export const finishUpstream = Effect.fn("SignInPages.finishUpstream")(function* (visit: Visit) {
  const upstream = yield* UpstreamSignIn
  const { baseUrl, request } = visit
  const cookie = request.cookies[cookieName(baseUrl, "upstream")]
  const answer = new URL(request.url, baseUrl)
  const { next, userId } = yield* Effect.mapError(
    upstream.finish(cookie, new URL(baseUrl + callbackPath + answer.search)),
    refused
  )
  return HttpServerResponse.expireCookieUnsafe(
    yield* begin(visit, userId, ownPathOf(next) ?? home, "openid"),
    cookieName(baseUrl, "upstream"),
    cookieOptions(baseUrl)
  )
})
