/**
 * The requests of pages: who is signed in, what comes from a page of this service, and the headers of the answers
 * (docs/behaviour/sign-in.md#protection).
 */
import * as Secret from "../core/auth/Secret.ts"
import { Data, Effect } from "effect"
import { Tenant } from "../platform/db/TransactionPermits.ts"
import type { Authorizations, Grants } from "../identity/oauth/Grants.ts"
import type { Passwords } from "../identity/signIn/Passwords.ts"
import type { Tokens } from "../identity/tokens/Tokens.ts"
import type { UpstreamSignIn } from "../identity/signIn/UpstreamSignIn.ts"
import type { Users } from "../identity/users/Users.ts"
import { SecureRandom } from "effect/crypto"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { identify } from "../core/auth/AuditContext.ts"
import { BaseUrl } from "../platform/Config.ts"
import { addressOfClient } from "../http/RequestState.ts"
import { readForm } from "../http/Body.ts"
import type { Form } from "../core/usecase/Input.ts"
import { type Session, Sessions } from "../identity/signIn/Sessions.ts"
import { html, layout, notice, type PageContent } from "./Layout.ts"
import { createHash, timingSafeEqual } from "node:crypto"

/** Someone who is signed in. */
export interface SignedIn {
  /** UUID. */
  readonly userId: string
  readonly session: Session
}

/** A request of a page. */
export interface Visit {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly baseUrl: string
  readonly signedIn: SignedIn | undefined
  /** The token that its forms carry. */
  readonly formToken: string
  /** The secret of the browser for its forms, if it needs a new one. */
  readonly newFormSecret: string | undefined
  /** The network address of the browser. */
  readonly address: string | null
}

/** A request that a page refuses, with what the person reads. */
export class PageRefused extends Data.TaggedError("PageRefused")<{
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly headers?: { readonly [name: string]: string }
}> {}

/** The name of a cookie. Browsers accept the prefix only with Secure, which plain http on this machine cannot have. */
export const cookieName = (baseUrl: string, name: "session" | "form" | "upstream") =>
  baseUrl.startsWith("https:") ? `__Host-${name}` : `pn_${name}`

/** What all cookies have. A redirect from another site brings them along. */
export const cookieOptions = (baseUrl: string) => ({
  path: "/",
  httpOnly: true,
  secure: baseUrl.startsWith("https:"),
  sameSite: "lax" as const
})

/** The visit of the running request. */
export const visit = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const baseUrl = yield* BaseUrl
  const { find } = yield* Sessions
  const random = yield* SecureRandom.SecureRandom
  const secret = request.cookies[cookieName(baseUrl, "session")]
  const signedIn = secret === undefined ? undefined : yield* find(secret)
  if (signedIn !== undefined) yield* identify({ userId: signedIn.userId, sessionId: signedIn.session.id })
  const sent = request.cookies[cookieName(baseUrl, "form")]
  const known = signedIn !== undefined ? secret : sent !== undefined && Secret.isWellFormed(sent) ? sent : undefined
  const fresh = known === undefined ? Secret.make("session", yield* random.randomBytes(Secret.byteLength)) : undefined
  const found: Visit = {
    request,
    baseUrl,
    signedIn,
    formToken: formTokenOf(known ?? fresh ?? ""),
    newFormSecret: fresh,
    address: yield* addressOfClient(request)
  }
  return found
})

const headersOf = (redirectsTo: string) => ({
  "content-security-policy": `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'${redirectsTo}; frame-ancestors 'none'; base-uri 'none'`,
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store"
})

const withFormCookie = (response: HttpServerResponse.HttpServerResponse, { baseUrl, newFormSecret }: Visit) =>
  newFormSecret === undefined
    ? response
    : HttpServerResponse.setCookieUnsafe(response, cookieName(baseUrl, "form"), newFormSecret, cookieOptions(baseUrl))

/** How a page is answered. */
export interface PageOptions {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  /** The origin of another site to which a form of the page leads through a redirect. */
  readonly formLeadsTo?: string
}

/** The answer with a page. */
export const answerPage = (
  visit: Visit,
  content: PageContent,
  { formLeadsTo, headers, status = 200 }: PageOptions = {}
) =>
  withFormCookie(
    HttpServerResponse.text(layout(content), {
      status,
      headers: { ...headersOf(formLeadsTo === undefined ? "" : ` ${formLeadsTo}`), ...headers },
      contentType: "text/html; charset=utf-8"
    }),
    visit
  )

/** The answer after a form: go on to another page. */
export const seeOther = (path: string) =>
  HttpServerResponse.empty({ status: 303, headers: { ...headersOf(""), location: path } })

/** The answer that begins a session. */
export const withSession = (
  response: HttpServerResponse.HttpServerResponse,
  { baseUrl }: Visit,
  { maxAge, secret }: { readonly secret: string; readonly maxAge: number }
) =>
  HttpServerResponse.setCookieUnsafe(response, cookieName(baseUrl, "session"), secret, {
    ...cookieOptions(baseUrl),
    maxAge
  })

/** The answer that ends the session in this browser. */
export const withoutSession = (response: HttpServerResponse.HttpServerResponse, { baseUrl }: Visit) =>
  HttpServerResponse.expireCookieUnsafe(response, cookieName(baseUrl, "session"), cookieOptions(baseUrl))

/** The hidden field that every form has. */
export const formField = ({ formToken }: Visit) => html`<input type="hidden" name="form_token" value="${formToken}" />`

const foreign = new PageRefused({
  status: 403,
  title: "This request did not come from this page",
  detail: "Go back, load the page again, and repeat what you did. Your browser must accept cookies of this site."
})

/** The form that a visit sends; refuses one that does not come from a page of this service. */
export const readOwnForm = ({
  baseUrl,
  formToken,
  newFormSecret,
  request
}: Visit): Effect.Effect<Form, PageRefused, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const { headers } = request
    if (!isOwnRequest({ site: headers["sec-fetch-site"], origin: headers["origin"] }, new URL(baseUrl).origin)) {
      return yield* foreign
    }
    const form = yield* Effect.mapError(
      readForm(request),
      ({ detail }) => new PageRefused({ status: 400, title: "The form cannot be read", detail })
    )
    return newFormSecret === undefined && isFormToken(form.get("form_token"), formToken) ? form : yield* foreign
  })

/** The answer for what a page refuses. */
export const answerRefused = (visit: Visit, { detail, headers, status, title }: PageRefused) =>
  answerPage(
    visit,
    {
      title,
      isNarrow: true,
      isRefusal: true,
      body: html`<section>
        <h1>${title}</h1>
        ${notice("bad", detail)}
        <p><a href="/account">${visit.signedIn === undefined ? "Sign in" : "Go to your account"}</a></p>
      </section>`
    },
    { status, ...(headers === undefined ? {} : { headers }) }
  )

/** The token of forms for a browser that has this secret in a cookie. */
export const formTokenOf = (secret: string): string => createHash("sha256").update(`form:${secret}`).digest("base64url")

/** Whether a form has the token of this browser. */
export const isFormToken = (sent: string | undefined, token: string): boolean => {
  const [found, expected] = [Buffer.from(sent ?? ""), Buffer.from(token)]
  return found.length === expected.length && timingSafeEqual(found, expected)
}

/** What pages are made of. */
export type Services =
  | Authorizations
  | BaseUrl
  | Grants
  | Passwords
  | SecureRandom.SecureRandom
  | Sessions
  | Tokens
  | UpstreamSignIn
  | Users

type Needs = Services | HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams

/** Answers a visit with a page, or refuses it. */
export type Handler = (visit: Visit) => Effect.Effect<HttpServerResponse.HttpServerResponse, PageRefused, Needs>

/** Answers with the page of `handle`, or with one that says why it refused. */
export const answered = (handle: Handler) =>
  Effect.flatMap(visit, (found) =>
    handle(found).pipe(
      Effect.catchTag("PageRefused", (refused) => Effect.succeed(answerRefused(found, refused))),
      Effect.provideService(Tenant, found.signedIn?.userId ?? found.address ?? "pages")
    )
  )

// The decisions on requests of pages (docs/behaviour/sign-in.md#protection) and on what they show: pure.

/** The headers that say where a request comes from. */
export interface RequestOrigin {
  readonly site: string | undefined
  readonly origin: string | undefined
}

/**
 * Whether a request that changes something comes from a page of this service. Browsers that send `Sec-Fetch-Site` tell it themselves;
 * under `no-referrer` they send `Origin: null` beside it. Others must send the origin.
 */
export const isOwnRequest = ({ origin, site }: RequestOrigin, own: string): boolean =>
  site === undefined
    ? origin === own
    : site === "same-origin" && (origin === undefined || origin === "null" || origin === own)

/** A path of this service to go on to after sign-in; undefined for anything else, such as an address of another host. */
export const ownPathOf = (sent: string | undefined): string | undefined => {
  if (sent === undefined || !/^\/[^/\\]/.test(`${sent}?`) || /[\p{Cc}\\]/u.test(sent)) return undefined
  const url = URL.parse(sent, "http://own.invalid")
  return url?.host === "own.invalid" && url.protocol === "http:" ? `${url.pathname}${url.search}` : undefined
}

/** A name with at most 60 characters, for a heading: a longer one ends with an ellipsis. */
export const shortened = (name: string): string => {
  const characters = [...new Intl.Segmenter("en").segment(name)].map(({ segment }) => segment)
  return characters.length <= 60 ? name : `${characters.slice(0, 59).join("").trimEnd()}…`
}

type Signs = ReadonlyArray<readonly [sign: RegExp, name: string]>

// Browsers also name those that they are compatible with, so the first match counts.
const browsers: Signs = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"]
]
const systems: Signs = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"]
]

/** What people call a browser, by its `User-Agent`: "Firefox on Windows". An unknown one is shown as it is. */
export const browserOf = (userAgent: string): string => {
  const [browser, system] = [browsers, systems].map((signs) => signs.find(([sign]) => sign.test(userAgent))?.[1])
  return browser === undefined ? userAgent : system === undefined ? browser : `${browser} on ${system}`
}
