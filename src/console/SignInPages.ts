/** The pages by which people sign in and set their passwords (docs/behaviour/sign-in.md). */
import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Passwords } from "../identity/signIn/Passwords.ts"
import { maxPasswordLength, minPasswordLength, type PasswordFault, upstreamMillis } from "../identity/signIn/rules.ts"
import { Sessions } from "../identity/signIn/Sessions.ts"
import { callbackPath, type UpstreamRefused, UpstreamSignIn } from "../identity/signIn/UpstreamSignIn.ts"
import { html } from "./Html.ts"
import { withoutKept } from "./KeptForms.ts"
import { button, field, hidden, notice } from "./Parts.ts"
import { common, type Reader, type Said, say, texts } from "./Texts.ts"
import {
  answerPage,
  clearNote,
  cookieName,
  cookieOptions,
  formField,
  noteOf,
  ownPathOf,
  type PageOptions,
  PageRefused,
  plainFrameOf,
  readOwnForm,
  seeOther,
  type Visit,
  withNote,
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

const words = texts({
  deactivated: [
    "This account is deactivated. Ask the administrator of your team, or the operator of this service, to activate it.",
    "Dieses Konto ist deaktiviert. Bitten Sie den Administrator Ihres Teams oder den Betreiber dieses Dienstes, es zu aktivieren."
  ],
  forgotten: [
    "No password yet, or forgotten? Ask the operator of this service for a sign-in link.",
    "Noch kein Passwort, oder vergessen? Bitten Sie den Betreiber dieses Dienstes um einen Anmeldelink."
  ],
  newPassword: ["New password", "Neues Passwort"],
  notSignedIn: ["You are not signed in.", "Sie sind nicht angemeldet."],
  password: ["Password", "Passwort"],
  passwordFor: [(email: string) => `For ${email}.`, (email: string) => `Für ${email}.`],
  endsOthers: ["You will be signed out in all other browsers.", "In allen anderen Browsern werden Sie abgemeldet."],
  passwordNotSet: ["The password was not set.", "Das Passwort wurde nicht gesetzt."],
  rule: [
    `At least ${minPasswordLength} characters. A few words are easier to remember than one with symbols.`,
    `Mindestens ${minPasswordLength} Zeichen. Einige Wörter merkt man sich leichter als eines mit Sonderzeichen.`
  ],
  setPassword: ["Set your password", "Passwort setzen"],
  setAndSignIn: ["Set the password and sign in", "Passwort setzen und anmelden"],
  signedOut: ["You are signed out.", "Sie sind abgemeldet."],
  signIn: ["Sign in", "Anmelden"],
  signInWith: [(host: string) => `Sign in with ${host}`, (host: string) => `Mit ${host} anmelden`],
  tooMany: [
    (minutes: number) => `Too many attempts failed. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    (minutes: number) =>
      `Zu viele Versuche sind fehlgeschlagen. Versuchen Sie es in ${minutes === 1 ? "einer Minute" : `${minutes} Minuten`} noch einmal.`
  ],
  wrong: [
    "There is no account with this e-mail address and password.",
    "Mit dieser E-Mail-Adresse und diesem Passwort gibt es kein Konto."
  ]
})

const faults: { readonly [Fault in PasswordFault]: Said } = {
  too_short: [
    `The password needs at least ${minPasswordLength} characters.`,
    `Das Passwort braucht mindestens ${minPasswordLength} Zeichen.`
  ],
  too_long: [
    `The password may have at most ${maxPasswordLength} characters.`,
    `Das Passwort darf höchstens ${maxPasswordLength} Zeichen haben.`
  ],
  contains_name: [
    "The password is little more than your name or e-mail address. Choose another one.",
    "Das Passwort ist kaum mehr als Ihr Name oder Ihre E-Mail-Adresse. Wählen Sie ein anderes."
  ]
}

/** Why a password cannot be set, for a reader. */
export const passwordFault = (reader: Pick<Reader, "language">, fault: PasswordFault): string =>
  say(reader, faults[fault])

/** How long to wait after too many attempts, for a reader. */
export const tooManyAttempts = ({ language }: Pick<Reader, "language">, seconds: number): string =>
  words[language].tooMany(Math.ceil(seconds / 60))

interface SignInState {
  readonly email: string
  readonly next: string | undefined
  /** What the page before this one left to say. */
  readonly note?: string | undefined
  /** Why an attempt was refused. */
  readonly refusal?: string
  /** What is wrong with the address or the password. */
  readonly wrong?: string
}

const signInPage = Effect.fnUntraced(function* (
  visit: Visit,
  { email, next, note, refusal, wrong }: SignInState,
  options?: PageOptions
) {
  const { issuer } = yield* UpstreamSignIn
  const { language } = plainFrameOf(visit).reader
  const t = words[language]
  return answerPage(
    visit,
    {
      title: t.signIn,
      isNarrow: true,
      isRefusal: refusal !== undefined,
      body: html`<div class="card pad stack">
        <h1>${t.signIn}</h1>
        ${note !== undefined && notice("good", note)} ${refusal !== undefined && notice("bad", refusal)}
        <form class="stack" method="post" action="${paths.signIn}">
          ${formField(visit)} ${next !== undefined && hidden("next", next)}
          ${field({ id: "email", name: "email", label: common[language].email, type: "email", autocomplete: "username", isRequired: true, value: email })}
          ${field({ id: "password", name: "password", label: t.password, type: "password", autocomplete: "current-password", isRequired: true, maxLength: maxPasswordLength, fault: wrong })}
          <div class="row">${button(t.signIn, { kind: "main" })}</div>
        </form>
        ${
          issuer !== undefined &&
          html`<p class="row">
            <a class="button" href="${paths.upstream}${next === undefined ? "" : `?next=${encodeURIComponent(next)}`}"
              >${t.signInWith(new URL(issuer).host)}</a
            >
          </p>`
        }
        <p class="soft small">${t.forgotten}</p>
      </div>`
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
  if (visit.signedIn !== undefined) return seeOther(next ?? home)
  const note = noteOf(visit)
  const page = yield* signInPage(visit, { email: "", next, note })
  // The script of the console asks before the browser does, and shows nobody what it gets.
  const isSeen = visit.request.headers["console-frame"] === undefined
  return note === undefined || !isSeen ? page : clearNote(page, visit)
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

/** `POST /signin` */
export const signIn = Effect.fn("SignInPages.signIn")(function* (visit: Visit) {
  const { verify } = yield* Passwords
  const form = yield* readOwnForm(visit)
  const [email = "", password = "", next] = [form.get("email"), form.get("password"), ownPathOf(form.get("next"))]
  const { reader } = plainFrameOf(visit)
  const t = words[reader.language]
  const again = (state: Pick<SignInState, "refusal" | "wrong">, options: PageOptions) =>
    signInPage(visit, { email, next, ...state }, options)
  return yield* verify({ email, password: Redacted.make(password), address: visit.address }).pipe(
    Effect.flatMap((userId) => begin(visit, userId, next ?? home)),
    Effect.catchTags({
      SignInRefused: () => again({ refusal: t.notSignedIn, wrong: t.wrong }, { status: 422 }),
      AccountDeactivated: () => again({ refusal: t.deactivated }, { status: 403 }),
      TooManyAttempts: ({ retryAfterSeconds }) =>
        again(
          { refusal: tooManyAttempts(reader, retryAfterSeconds) },
          { status: 429, headers: { "retry-after": String(retryAfterSeconds) } }
        )
    })
  )
})

const passwordPage = (
  visit: Visit,
  link: string,
  { email, isSignedInElsewhere }: { readonly email: string; readonly isSignedInElsewhere: boolean },
  fault?: PasswordFault
) => {
  const { reader } = plainFrameOf(visit)
  const t = words[reader.language]
  return answerPage(
    visit,
    {
      title: t.setPassword,
      isNarrow: true,
      isRefusal: fault !== undefined,
      body: html`<div class="card pad stack">
        <h1>${t.setPassword}</h1>
        <p class="soft">${t.passwordFor(email)} ${isSignedInElsewhere && t.endsOthers}</p>
        ${fault !== undefined && notice("bad", t.passwordNotSet)}
        <form class="stack" method="post" action="${paths.password}">
          ${formField(visit)} ${hidden("link", link)}
          <input type="hidden" name="username" autocomplete="username" value="${email}" />
          ${field({ id: "password", name: "password", label: t.newPassword, type: "password", autocomplete: "new-password", isRequired: true, maxLength: maxPasswordLength, hint: t.rule, fault: fault === undefined ? undefined : passwordFault(reader, fault) })}
          <div class="row">${button(t.setAndSignIn, { kind: "main" })}</div>
        </form>
      </div>`
    },
    { status: fault === undefined ? 200 : 422 }
  )
}

const linkRefused = new PageRefused({
  status: 410,
  title: ["This link is not valid", "Dieser Link gilt nicht"],
  detail: [
    "It was used, or it is older than 15 minutes. Ask the operator of this service for a new one.",
    "Er wurde verwendet, oder er ist älter als 15 Minuten. Bitten Sie den Betreiber dieses Dienstes um einen neuen."
  ]
})

/** `GET /signin/password?link=…` */
export const showPassword = Effect.fn("SignInPages.showPassword")(function* (visit: Visit) {
  const { ownerOf } = yield* Passwords
  const link = (yield* queryOf)("link") ?? ""
  const owner = yield* Effect.catchTag(ownerOf(link, visit.signedIn?.session.id), "LinkRefused", () =>
    Effect.fail(linkRefused)
  )
  return passwordPage(visit, link, owner)
})

/** `POST /signin/password` */
export const setPassword = Effect.fn("SignInPages.setPassword")(function* (visit: Visit) {
  const passwords = yield* Passwords
  const form = yield* readOwnForm(visit)
  const link = form.get("link") ?? ""
  return yield* Effect.gen(function* () {
    const owner = yield* passwords.ownerOf(link, visit.signedIn?.session.id)
    return yield* passwords.set(link, Redacted.make(form.get("password") ?? "")).pipe(
      Effect.flatMap((userId) => begin(visit, userId, home, "link")),
      Effect.catchTag("PasswordRefused", ({ fault }) => Effect.succeed(passwordPage(visit, link, owner, fault)))
    )
  }).pipe(Effect.catchTag("LinkRefused", () => Effect.fail(linkRefused)))
})

/** On to sign-in, which says that the session has ended. */
export const signedOut = (visit: Visit, note: string) =>
  withNote(
    HttpServerResponse.setHeader(
      withoutKept(withoutSession(seeOther(paths.signIn), visit), visit),
      "clear-site-data",
      '"cache"'
    ),
    visit,
    note
  )

/** `POST /signout` */
export const signOut = Effect.fn("SignInPages.signOut")(function* (visit: Visit) {
  const { end } = yield* Sessions
  yield* readOwnForm(visit)
  if (visit.signedIn !== undefined)
    yield* Effect.ignore(end(visit.signedIn.userId, visit.signedIn.session.id, "session.ended"))
  return signedOut(visit, words[plainFrameOf(visit).reader.language].signedOut)
})

// The way to an OpenID provider and back (docs/behaviour/sign-in.md#openid-provider).

const details: { readonly [Reason in UpstreamRefused["reason"]]: readonly [en: string, de: string] } = {
  off: [
    "This service has no other provider to sign in with. Sign in with your password.",
    "Dieser Dienst hat keinen anderen Anbieter zur Anmeldung. Melden Sie sich mit Ihrem Passwort an."
  ],
  unreachable: [
    "The provider to sign in with cannot be reached. Try again in a moment, or sign in with your password.",
    "Der Anbieter zur Anmeldung ist nicht erreichbar. Versuchen Sie es gleich noch einmal, oder melden Sie sich mit Ihrem Passwort an."
  ],
  no_attempt: [
    "It began in another browser, or more than ten minutes ago. Begin again on the sign-in page.",
    "Sie begann in einem anderen Browser oder vor mehr als zehn Minuten. Beginnen Sie auf der Anmeldeseite noch einmal."
  ],
  declined: [
    "The provider did not sign you in. Begin again on the sign-in page.",
    "Der Anbieter hat Sie nicht angemeldet. Beginnen Sie auf der Anmeldeseite noch einmal."
  ],
  invalid: [
    "The provider's answer is not valid. Begin again on the sign-in page.",
    "Die Antwort des Anbieters ist nicht gültig. Beginnen Sie auf der Anmeldeseite noch einmal."
  ],
  unverified: [
    "The provider has not verified your e-mail address. Verify it there, then sign in again.",
    "Der Anbieter hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort, und melden Sie sich noch einmal an."
  ],
  unknown: [
    "Nobody here has this e-mail address. Ask the administrator of your team, or the operator of this service, to add you.",
    "Niemand hier hat diese E-Mail-Adresse. Bitten Sie den Administrator Ihres Teams oder den Betreiber dieses Dienstes, Sie hinzuzufügen."
  ],
  deactivated: [words.en.deactivated, words.de.deactivated],
  other_subject: [
    "Somebody else at the provider has signed in to this account before. Ask the operator of this service.",
    "Jemand anderes beim Anbieter hat sich schon an diesem Konto angemeldet. Fragen Sie den Betreiber dieses Dienstes."
  ]
}

const refused = ({ email, reason }: UpstreamRefused) => {
  const [en, de] = details[reason]
  return new PageRefused({
    status: reason === "unreachable" ? 503 : reason === "off" ? 404 : 403,
    title: ["You could not be signed in", "Sie konnten nicht angemeldet werden"],
    detail: email === undefined ? [en, de] : [`${email}: ${en}`, `${email}: ${de}`]
  })
}

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
