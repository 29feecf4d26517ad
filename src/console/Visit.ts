/**
 * The requests of pages: who is signed in, what comes from a page of this service, and the headers of the answers
 * (docs/behaviour/sign-in.md#protection).
 */
import * as Secret from "../core/auth/Secret.ts"
import * as Id from "../core/Id.ts"
import { Data, Effect } from "effect"
import { Tenant } from "../platform/db/TransactionPermits.ts"
import type { Authorizations, Grants } from "../identity/oauth/Grants.ts"
import type { Invitations } from "../identity/invitations/Invitations.ts"
import type { Passwords } from "../identity/signIn/Passwords.ts"
import type { UpstreamSignIn } from "../identity/signIn/UpstreamSignIn.ts"
import type { Users } from "../identity/users/Users.ts"
import { SecureRandom } from "effect/crypto"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { identify } from "../core/auth/AuditContext.ts"
import { BaseUrl } from "../platform/Config.ts"
import { addressOfClient, RequestState } from "../http/RequestState.ts"
import { readForm } from "../http/Body.ts"
import type { Form } from "../core/usecase/Input.ts"
import { ForeignForm } from "../core/usecase/Problem.ts"
import { type Session, Sessions } from "../identity/signIn/Sessions.ts"
import { html } from "./Html.ts"
import { type PageContent, plainDocument, type Theme } from "./Layout.ts"
import { notice, refusalLine } from "./Parts.ts"
import { readerOf, type Said, say } from "./Texts.ts"
import { createHash, timingSafeEqual } from "node:crypto"

/** Someone who is signed in. */
export interface SignedIn {
  /** UUID. */
  readonly userId: string
  readonly session: Session
}

/** A request of a page. */
export interface Visit<Who extends SignedIn = SignedIn> {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly baseUrl: string
  readonly signedIn: Who | undefined
  /** The token of this browser's forms, as a post is compared with it. */
  readonly formToken: string
  /** What the forms of the answer carry: the token under a mask of this visit, and whose form it is. */
  readonly sentFormToken: string
  /** The secret of the browser for its forms, if it needs a new one. */
  readonly newFormSecret: string | undefined
  /** The network address of the browser. */
  readonly address: string | null
}

/** A request that a page refuses, with what the person reads. */
export class PageRefused extends Data.TaggedError("PageRefused")<{
  readonly status: number
  /** The code of its help page, if it has one. */
  readonly code?: string
  readonly title: Said
  readonly detail: Said
  readonly headers?: { readonly [name: string]: string }
}> {}

/** The name of a cookie. Browsers accept the prefix only with Secure, which plain http on this machine cannot have. */
export const cookieName = (
  baseUrl: string,
  name: "session" | "form" | "kept" | "keys" | "note" | "theme" | "upstream"
) => (baseUrl.startsWith("https:") ? `__Host-${name}` : `pn_${name}`)

/** What all cookies have. A redirect from another site brings them along. */
export const cookieOptions = (baseUrl: string) => ({
  path: "/",
  httpOnly: true,
  secure: baseUrl.startsWith("https:"),
  sameSite: "lax" as const
})

/** The visit of the running request; `find` says who has a session, by its secret. */
export const visitBy = Effect.fnUntraced(function* <Who extends SignedIn, R>(
  find: (secret: string) => Effect.Effect<Who | undefined, never, R>
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const baseUrl = yield* BaseUrl
  const random = yield* SecureRandom.SecureRandom
  const secret = request.cookies[cookieName(baseUrl, "session")]
  const signedIn = secret === undefined ? undefined : yield* find(secret)
  if (signedIn !== undefined) yield* identify({ userId: signedIn.userId, sessionId: signedIn.session.id })
  const sent = request.cookies[cookieName(baseUrl, "form")]
  const known = signedIn !== undefined ? secret : sent !== undefined && Secret.isWellFormed(sent) ? sent : undefined
  const fresh = known === undefined ? Secret.make("session", yield* random.randomBytes(Secret.byteLength)) : undefined
  const formToken = formTokenOf(known ?? fresh ?? "")
  const masked = maskedToken(formToken, Buffer.from(yield* random.randomBytes(tokenBytes)))
  const person = personOf({ signedIn })
  const found: Visit<Who> = {
    request,
    baseUrl,
    signedIn,
    formToken,
    // A post tells whose form it is also after the session has ended.
    sentFormToken: person === undefined ? masked : `${masked}.${person}`,
    newFormSecret: fresh,
    address: yield* addressOfClient(request)
  }
  return found
})

/**
 * The headers of every page: scripts and styles are files of this service, requests go to it alone, and only the one function that
 * navigation uses makes HTML of text. `isStored` pages are kept by the browser, which asks each time whether they are current; others
 * by nobody.
 */
export const headersOf = ({
  formLeadsTo,
  isStored
}: {
  readonly formLeadsTo?: string
  readonly isStored: boolean
}) => ({
  "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'${formLeadsTo === undefined ? "" : ` ${formLeadsTo}`}; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types console`,
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": isStored ? "same-origin" : "no-referrer",
  "x-content-type-options": "nosniff",
  ...(isStored
    ? { "cache-control": "private, no-cache", vary: "Cookie, Console-Frame" }
    : { "cache-control": "no-store" })
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

/** The answer with the document of a page. */
export const answerDocument = (
  visit: Visit,
  text: string,
  { formLeadsTo, headers, isStored, status = 200 }: PageOptions & { readonly isStored: boolean }
) =>
  withFormCookie(
    HttpServerResponse.uint8Array(Buffer.from(text), {
      status,
      headers: { ...headersOf({ isStored, ...(formLeadsTo === undefined ? {} : { formLeadsTo }) }), ...headers },
      contentType: "text/html; charset=utf-8"
    }),
    visit
  )

/** The colours that the person of a browser has chosen. */
export const themeOf = ({ baseUrl, request }: Pick<Visit, "baseUrl" | "request">): Theme => {
  const chosen = request.cookies[cookieName(baseUrl, "theme")]
  return chosen === "dark" || chosen === "light" ? chosen : undefined
}

/** Makes the browser keep the choice of colours for a year; `undefined` follows the system again. */
export const withTheme = (response: HttpServerResponse.HttpServerResponse, { baseUrl }: Visit, theme: Theme) =>
  theme === undefined
    ? HttpServerResponse.expireCookieUnsafe(response, cookieName(baseUrl, "theme"), cookieOptions(baseUrl))
    : HttpServerResponse.setCookieUnsafe(response, cookieName(baseUrl, "theme"), theme, {
        ...cookieOptions(baseUrl),
        maxAge: 365 * 86_400_000
      })

/** Whether keys without a modifier act at once (WCAG 2.1.4): the person of a browser may have turned them off. */
export const hasKeys = ({ baseUrl, request }: Pick<Visit, "baseUrl" | "request">): boolean =>
  request.cookies[cookieName(baseUrl, "keys")] !== "off"

/** Makes the browser keep that they are off, for a year, or forget it. */
export const withKeys = (response: HttpServerResponse.HttpServerResponse, { baseUrl }: Visit, isOn: boolean) =>
  isOn
    ? HttpServerResponse.expireCookieUnsafe(response, cookieName(baseUrl, "keys"), cookieOptions(baseUrl))
    : HttpServerResponse.setCookieUnsafe(response, cookieName(baseUrl, "keys"), "off", {
        ...cookieOptions(baseUrl),
        maxAge: 365 * 86_400_000
      })

/** What the page before this one left to say. */
export const noteOf = ({ baseUrl, request }: Visit): string | undefined => {
  const sent = request.cookies[cookieName(baseUrl, "note")]
  return sent === undefined ? undefined : Buffer.from(sent, "base64url").toString("utf8")
}

/** The answer that leaves something for the next page to say. */
export const withNote = (response: HttpServerResponse.HttpServerResponse, { baseUrl }: Visit, note: string) =>
  HttpServerResponse.setCookieUnsafe(
    response,
    cookieName(baseUrl, "note"),
    Buffer.from(note.slice(0, 500)).toString("base64url"),
    { ...cookieOptions(baseUrl), maxAge: 60_000 }
  )

/** The answer that has said it. */
export const clearNote = (response: HttpServerResponse.HttpServerResponse, { baseUrl }: Visit) =>
  HttpServerResponse.expireCookieUnsafe(response, cookieName(baseUrl, "note"), cookieOptions(baseUrl))

/** How a page outside the console is shown: for the browser's language, in the colours that were chosen in it. */
export const plainFrameOf = (visit: Visit) => ({
  reader: readerOf(visit.request.headers["accept-language"]),
  theme: themeOf(visit)
})

/** The answer with a page outside the console, which nothing stores. */
export const answerPage = (visit: Visit, content: PageContent, options: PageOptions = {}) =>
  answerDocument(visit, plainDocument(content, plainFrameOf(visit)), { ...options, isStored: false })

/** The answer after a form: go on to another page. */
export const seeOther = (path: string) =>
  HttpServerResponse.empty({ status: 303, headers: { ...headersOf({ isStored: false }), location: path } })

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

const personOf = ({ signedIn }: Pick<Visit, "signedIn">): string | undefined =>
  signedIn === undefined ? undefined : Id.fromUuid("user", signedIn.userId)

/** Whose form has this token; undefined before sign-in. */
export const personOfToken = (token: string | undefined): string | undefined => token?.split(".")[1]

/** The hidden field that every form has. */
export const formField = ({ sentFormToken }: Pick<Visit, "sentFormToken">) =>
  html`<input type="hidden" name="form_token" value="${sentFormToken}" />`

/** What is refused that does not come from a page of this service. */
export const foreign = new PageRefused({
  status: 403,
  code: new ForeignForm({ detail: "" }).code,
  title: ["This request did not come from this page", "Diese Anfrage kam nicht von dieser Seite"],
  detail: [
    "Go back, load the page again, and repeat what you did. Your browser must accept cookies of this site.",
    "Gehen Sie zurück, laden Sie die Seite neu, und wiederholen Sie, was Sie getan haben. Ihr Browser muss Cookies dieser Seite annehmen."
  ]
})

/** What a form names is not there. */
export const nothingFound = new PageRefused({
  status: 404,
  code: "not_found",
  title: ["Nothing found", "Nichts gefunden"],
  detail: [
    "There is nothing with this id any more, or it is not yours.",
    "Es gibt nichts mehr mit dieser Id, oder es gehört nicht Ihnen."
  ]
})

/** Whether what a visit sends comes from a page of this service, with this token in its form. */
export const isOwnForm = (visit: Visit, token: string | undefined) => {
  const {
    baseUrl,
    formToken,
    newFormSecret,
    request: { headers }
  } = visit
  const [masked, ...person] = token?.split(".") ?? []
  return (
    isOwnRequest({ site: headers["sec-fetch-site"], origin: headers["origin"] }, new URL(baseUrl).origin) &&
    newFormSecret === undefined &&
    isFormToken(masked, formToken) &&
    person.join(".") === (personOf(visit) ?? "")
  )
}

/** Whether a form that is not of this session is of an earlier one of the same person, in a page of this service. */
export const isOfEarlierSession = (visit: Visit, token: string | undefined): boolean => {
  const { headers } = visit.request
  const [masked = "", person] = token?.split(".") ?? []
  return (
    isOwnRequest({ site: headers["sec-fetch-site"], origin: headers["origin"] }, new URL(visit.baseUrl).origin) &&
    Buffer.from(masked, "base64url").length === 2 * tokenBytes &&
    person !== undefined &&
    person === personOf(visit)
  )
}

/** The form that a visit sends; refuses one that does not come from a page of this service. */
export const readOwnForm = (visit: Visit): Effect.Effect<Form, PageRefused, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const { baseUrl, request } = visit
    const { headers } = request
    if (!isOwnRequest({ site: headers["sec-fetch-site"], origin: headers["origin"] }, new URL(baseUrl).origin)) {
      return yield* foreign
    }
    const form = yield* Effect.mapError(
      readForm(request),
      ({ detail }) =>
        new PageRefused({
          status: 400,
          code: "invalid_request",
          title: ["The form cannot be read", "Das Formular ist nicht lesbar"],
          detail: [detail, "Es kam nicht vollständig an, oder es ist zu groß."]
        })
    )
    return isOwnForm(visit, form.get("form_token")) ? form : yield* foreign
  })

/** The answer for what a page refuses. */
export const answerRefused = (
  visit: Visit,
  { code, detail, headers, status, title }: PageRefused,
  requestId: string
) => {
  const { reader } = plainFrameOf(visit)
  return answerPage(
    visit,
    {
      title: say(reader, title),
      isNarrow: true,
      isRefusal: true,
      body: html`<div class="card pad stack">
        <h1>${say(reader, title)}</h1>
        ${notice("bad", say(reader, detail))} ${refusalLine(reader, { code, status }, requestId)}
        <p>
          <a href="/console"
            >${say(reader, visit.signedIn === undefined ? ["Sign in", "Anmelden"] : ["Go to the start page", "Zur Startseite"])}</a
          >
        </p>
      </div>`
    },
    { status, ...(headers === undefined ? {} : { headers }) }
  )
}

/** The token of forms for a browser that has this secret in a cookie. */
export const formTokenOf = (secret: string): string => createHash("sha256").update(`form:${secret}`).digest("base64url")

const tokenBytes = 32

const xor = (a: Buffer, b: Buffer) => Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)))

/**
 * The token of a page's forms under a mask of as many random bytes: pages are compressed, and the length of a compressed page that always has the
 * same secret would tell about it (BREACH).
 */
export const maskedToken = (token: string, mask: Buffer): string =>
  Buffer.concat([mask, xor(Buffer.from(token, "base64url"), mask)]).toString("base64url")

/** Whether a form has the token of this browser, under a mask. */
export const isFormToken = (sent: string | undefined, token: string): boolean => {
  const found = Buffer.from(sent ?? "", "base64url")
  return (
    found.length === 2 * tokenBytes &&
    timingSafeEqual(xor(found.subarray(tokenBytes), found.subarray(0, tokenBytes)), Buffer.from(token, "base64url"))
  )
}

/** What pages are made of. */
export type Services =
  | Authorizations
  | BaseUrl
  | Grants
  | Invitations
  | Passwords
  | SecureRandom.SecureRandom
  | Sessions
  | UpstreamSignIn
  | Users

type Needs = Services | HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams

/** Answers a visit with a page, or refuses it. */
export type Handler = (visit: Visit) => Effect.Effect<HttpServerResponse.HttpServerResponse, PageRefused, Needs>

/** Answers with the page of `handle`, or with one that says why it refused. */
export const answered = (handle: Handler) =>
  Effect.flatMap(
    Effect.flatMap(Sessions, ({ find }) => visitBy(find)),
    (found) =>
      handle(found).pipe(
        Effect.catchTag("PageRefused", (refused) =>
          Effect.map(RequestState, ({ id }) => answerRefused(found, refused, id))
        ),
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

/** The page of the console that a visit comes from, if the browser says so. */
export const pageBefore = ({ baseUrl, request }: Pick<Visit, "baseUrl" | "request">): string | undefined => {
  const url = URL.parse(request.headers["referer"] ?? "")
  return url?.origin === new URL(baseUrl).origin && /^\/console(?:\/|$)/.test(url.pathname)
    ? ownPathOf(url.pathname + url.search)
    : undefined
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
export const browserOf = (userAgent: string, on = "on"): string => {
  const [browser, system] = [browsers, systems].map((signs) => signs.find(([sign]) => sign.test(userAgent))?.[1])
  return browser === undefined ? userAgent : system === undefined ? browser : `${browser} ${on} ${system}`
}
