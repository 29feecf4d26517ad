/**
 * The decisions on what apps ask for and get (docs/behaviour/authorization.md), and those of the token endpoint on forms and credentials
 * (RFC 6749 §2.3 and §3.2; docs/behaviour/identity.md#token-endpoint): pure.
 */
import { Result } from "effect"
import { offlineScope, publicScope, readScope } from "../../core/auth/CurrentActor.ts"
import { isDocumentUrl, mayRedirectTo } from "../apps/rules.ts"
import { decodePart, type Form } from "../../core/usecase/Input.ts"
import type { oauthErrors } from "./Grant.ts"

/** All scopes that an app may ask for. */
export const appScopes = [readScope, publicScope, offlineScope] as const

/** How long a code is valid, in milliseconds. */
export const codeMillis = 60_000

/** How long a refresh token is valid without being used, in milliseconds. */
export const refreshMillis = 30 * 86_400_000

/** For how long the previous refresh token is good after it was replaced, in milliseconds: clients race. */
export const replacedMillis = 2 * 60_000

/** The most refresh tokens of a family that were not replaced: each client that raced has one. The oldest end first. */
export const maxRefreshTokens = 50

/** What tokens are good for: the MCP endpoint alone, or everything (null). */
export type Resource = "mcp" | null

/** What an app asks of a person. */
export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string | undefined
  /** Of {@link appScopes}. */
  readonly scopes: ReadonlyArray<string>
  /** The S256 challenge of PKCE. */
  readonly challenge: string
  readonly resource: Resource
}

/** Why a request is refused: on a page if it is not sure where it comes from, else by a redirect. */
export interface AuthorizationRefused {
  readonly error:
    | "invalid_request"
    | "unsupported_response_type"
    | "invalid_scope"
    | "invalid_target"
    | "login_required"
    | "access_denied"
  readonly description: string
  readonly redirectTo: { readonly uri: string; readonly state: string | undefined } | undefined
}

/** The parameters of a request, each with all of its values. */
export type Parameters = ReadonlyMap<string, ReadonlyArray<string>>

/** Whether a request is of an app that a document describes, so that what it asks for is known only after sign-in. */
export const namesDocument = (parameters: Parameters): boolean =>
  (parameters.get("client_id") ?? []).some(isDocumentUrl)

const onPage = (description: string): AuthorizationRefused => ({
  error: "invalid_request",
  description,
  redirectTo: undefined
})

/** The scopes that an app gets when it asks for these: writing includes reading. Undefined if one is unknown, or none is of the API. */
export const scopesOf = (asked: string | undefined): ReadonlyArray<string> | undefined => {
  if (asked === undefined) return [publicScope]
  const wanted = new Set(asked.split(" ").filter((scope) => scope !== ""))
  const known = appScopes.filter((scope) => wanted.has(scope))
  if (known.length < wanted.size || !(wanted.has(readScope) || wanted.has(publicScope))) return undefined
  return known.filter((scope) => scope !== readScope || !wanted.has(publicScope))
}

/** The scopes when the person lets the app read only. */
export const readOnly = (scopes: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(scopes.map((scope) => (scope === publicScope ? readScope : scope)))
]

const nameIn = (pair: string): string => new URLSearchParams(pair).keys().next().value ?? ""

/**
 * The address of an app with an answer for it (RFC 6749 §4.1.2). The query of its redirect URI stays as it is written, but for parameters
 * with the names of the answer's: an app must not take one for another.
 */
export const answerAddress = (redirectUri: string, answer: Readonly<Record<string, string>>): string => {
  const mark = redirectUri.indexOf("?")
  const [base, query] = mark < 0 ? [redirectUri, ""] : [redirectUri.slice(0, mark), redirectUri.slice(mark + 1)]
  const kept = query.split("&").filter((pair) => !Object.hasOwn(answer, nameIn(pair)))
  const own = kept.join("&")
  return `${base}?${own}${own === "" || own.endsWith("&") ? "" : "&"}${new URLSearchParams(answer).toString()}`
}

/**
 * What tokens for a URI are good for. Clients name the address that they call: the MCP endpoint may have a slash, and a choice of tools.
 */
const kindOfResource = (uri: string, baseUrl: string): "mcp" | "all" | undefined => {
  if (uri === baseUrl || uri === `${baseUrl}/`) return "all"
  return !uri.includes("#") && [`${baseUrl}/mcp`, `${baseUrl}/mcp/`].includes(uri.split("?", 1)[0] ?? "")
    ? "mcp"
    : undefined
}

/** What tokens are good for when an app names these resources; undefined if one is not of this service. */
export const resourceOf = (named: ReadonlyArray<string>, baseUrl: string): Resource | undefined => {
  const kinds = named.map((uri) => kindOfResource(uri, baseUrl))
  if (kinds.includes(undefined)) return undefined
  return kinds.length > 0 && kinds.every((kind) => kind === "mcp") ? "mcp" : null
}

const challengeForm = /^[A-Za-z0-9_-]{43}$/

/** What an app asks for, if it may. `registered` are its redirect URIs. */
export const authorizationOf = (
  parameters: Parameters,
  registered: ReadonlyArray<string>,
  baseUrl: string
): Result.Result<AuthorizationRequest, AuthorizationRefused> => {
  const valuesOf = (name: string) => (parameters.get(name) ?? []).filter((value) => value !== "")
  const one = (name: string) => valuesOf(name)[0]
  const asked = valuesOf("redirect_uri")
  if (asked.length > 1 || valuesOf("client_id").length > 1) return Result.fail(onPage("A parameter is repeated."))
  const uri = asked[0] ?? (registered.length === 1 ? registered[0] : undefined)
  if (uri === undefined) return Result.fail(onPage("The app has several addresses to return to, and named none."))
  if (!mayRedirectTo(registered, uri)) {
    return Result.fail(onPage("The app wants to return to an address that it has not registered."))
  }
  const refuse = (error: AuthorizationRefused["error"], description: string) =>
    Result.fail({ error, description, redirectTo: { uri, state: one("state") } })
  const repeated = [...parameters.keys()].find((name) => name !== "resource" && valuesOf(name).length > 1)
  if (repeated !== undefined) return refuse("invalid_request", `${repeated} is repeated.`)
  if (one("response_type") !== "code") return refuse("unsupported_response_type", "response_type must be code.")
  const challenge = one("code_challenge")
  if (challenge === undefined || one("code_challenge_method") !== "S256") {
    return refuse("invalid_request", "PKCE is required: code_challenge with code_challenge_method=S256.")
  }
  if (!challengeForm.test(challenge)) return refuse("invalid_request", "code_challenge is not one of S256.")
  const scopes = scopesOf(one("scope"))
  if (scopes === undefined) {
    return refuse("invalid_scope", `scope must be some of ${appScopes.join(" ")}, and one of the API.`)
  }
  const resource = resourceOf(valuesOf("resource"), baseUrl)
  if (resource === undefined) return refuse("invalid_target", `resource must be ${baseUrl} or ${baseUrl}/mcp.`)
  // Consent is asked every time, so it can never be given silently.
  if (one("prompt") === "none") return refuse("login_required", "The person must be asked.")
  return Result.succeed({ redirectUri: uri, state: one("state"), scopes, challenge, resource })
}

/** A code as it is stored. */
export interface CodeState {
  readonly expiresAt: Date
  readonly usedAt: Date | null
  /** Whether the grant, its app or its membership has ended, or what the code led to. */
  readonly hasEnded: boolean
}

/** What becomes of a code that is presented: `replayed` ends all that it led to. */
export const useOfCode = ({ expiresAt, hasEnded, usedAt }: CodeState, now: Date): "issue" | "replayed" | "refused" =>
  usedAt !== null ? "replayed" : hasEnded || now >= expiresAt ? "refused" : "issue"

/** A refresh token as it is stored. */
export interface RefreshState {
  readonly expiresAt: Date
  readonly replacedAt: Date | null
  readonly hasEnded: boolean
}

/** What becomes of a refresh token that is presented: `replayed` ends its whole family. */
export const useOfRefresh = (
  { expiresAt, hasEnded, replacedAt }: RefreshState,
  now: Date
): "rotate" | "replayed" | "refused" => {
  if (hasEnded) return "refused"
  if (replacedAt !== null && now.getTime() - replacedAt.getTime() >= replacedMillis) return "replayed"
  return now >= expiresAt ? "refused" : "rotate"
}

/** The scopes of tokens that a refresh asks for: the same, or fewer; undefined for others. */
export const narrowed = (
  granted: ReadonlyArray<string>,
  asked: string | undefined
): ReadonlyArray<string> | undefined => {
  if (asked === undefined) return granted
  const scopes = scopesOf(asked)
  const isGranted = (scope: string) => granted.includes(scope) || (scope === readScope && granted.includes(publicScope))
  return scopes?.every(isGranted) === true ? scopes : undefined
}

/** Why a request is refused. */
export interface Refused {
  readonly error: (typeof oauthErrors)[number]
  readonly description: string
  /** Whether the client used Basic authentication. The response must then name the scheme. */
  readonly basic: boolean
  /** If the client asks too often: when it may ask again. */
  readonly retryAfterSeconds?: number
}

/** The credentials that a client sends. */
export interface Credentials {
  readonly id: string
  /** Undefined for an app that has none. */
  readonly secret: string | undefined
  readonly basic: boolean
}

/** A refusal. */
export const refuse = (error: Refused["error"], description: string, basic = false): Refused => ({
  error,
  description,
  basic
})

/** The refusal of a client that asks too often. */
export const refuseForNow = (retryAfterSeconds: number): Refused => ({
  ...refuse(
    "rate_limited",
    `Too many requests for tokens. Try again in ${retryAfterSeconds} s, and use a token until it expires.`
  ),
  retryAfterSeconds
})

/** Parses the credentials of a Basic header, which are form-urlencoded (RFC 6749 §2.3.1). */
const parseBasic = (encoded: string): Credentials | undefined => {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined
  const text = Buffer.from(encoded, "base64").toString()
  const colon = text.indexOf(":")
  if (colon === -1) return undefined
  const id = decodePart(text.slice(0, colon))
  const secret = decodePart(text.slice(colon + 1))
  return id === undefined || secret === undefined ? undefined : { id, secret, basic: true }
}

/** The credentials in the Authorization header or in the form, or the id alone. Rejects a request with both. */
export const credentialsOf = (authorization: string | undefined, form: Form): Result.Result<Credentials, Refused> => {
  const id = form.get("client_id")
  const secret = form.get("client_secret")
  if (authorization !== undefined) {
    const [, scheme = "", encoded = ""] = /^(\S+) *(.*)$/.exec(authorization.trim()) ?? []
    if (secret !== undefined) {
      return Result.fail(refuse("invalid_request", "The client authenticates twice: use the header or the form."))
    }
    const basic = scheme.toLowerCase() === "basic" ? parseBasic(encoded.trim()) : undefined
    if (basic === undefined) {
      return Result.fail(refuse("invalid_client", "The Authorization header is not Basic authentication.", true))
    }
    if (id !== undefined && id !== basic.id) {
      return Result.fail(refuse("invalid_request", "The header and the form name different clients."))
    }
    return Result.succeed(basic)
  }
  if (id === undefined) {
    return Result.fail(
      refuse("invalid_client", "The credentials are missing: send Basic authorization, or client_id and client_secret.")
    )
  }
  return Result.succeed({ id, secret, basic: false })
}

/**
 * The scopes of a new token: the requested ones, or else all scopes of the client. Writing includes reading. Libraries ask for all scopes
 * of the metadata, so that of refresh tokens, which clients do not get, is left out beside another.
 */
export const clientScopesOf = (
  asked: string | undefined,
  allowed: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, Refused> => {
  if (asked === undefined) return Result.succeed(allowed)
  const available = allowed.includes(publicScope) ? [...new Set([readScope, ...allowed])] : allowed
  const wanted = [...new Set(asked.split(" "))].filter((scope) => scope !== "" && scope !== offlineScope)
  return wanted.length > 0 && wanted.every((scope) => available.includes(scope))
    ? Result.succeed(wanted.filter((scope) => scope !== readScope || !wanted.includes(publicScope)))
    : Result.fail(refuse("invalid_scope", `The client may ask for: ${available.join(" ")}.`))
}
