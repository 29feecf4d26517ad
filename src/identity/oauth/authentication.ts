/**
 * The decisions of the token endpoint on forms and credentials (RFC 6749 §2.3 and §3.2):
 * docs/behaviour/identity.md#token-endpoint.
 */
import { Result } from "effect"
import { offlineScope, publicScope, readScope } from "../../core/auth/scopes.ts"
import { decodePart, type Form } from "../../core/usecase/Form.ts"
import type { oauthErrors } from "./Grant.ts"

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
export const scopesOf = (
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
