/** The pure decisions of the token endpoint: what a form says, and who sends it (RFC 6749 §2.3 and §3.2). */
import { Result } from "effect"
import type { oauthErrors } from "./Client.ts"

/** Why a request is refused. */
export interface Refused {
  readonly error: (typeof oauthErrors)[number]
  readonly description: string
  /** Whether the client tried Basic authentication, so that the answer must name the scheme. */
  readonly basic: boolean
}

/** Who a client says that it is. */
export interface Credentials {
  readonly id: string
  readonly secret: string
  readonly basic: boolean
}

/** The parameters of a form that have a value, each once. */
export type Form = ReadonlyMap<string, string>

/** The largest form that is read, in bytes. */
export const largestForm = 64 * 1024

/** A refusal. */
export const refuse = (error: Refused["error"], description: string, basic = false): Refused => ({
  error,
  description,
  basic
})

/** Whether a Content-Type is that of a form in UTF-8. */
export const isForm = (contentType: string | undefined): boolean => {
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase())
  return (
    type === "application/x-www-form-urlencoded" &&
    parameters.every((parameter) => !parameter.startsWith("charset=") || /^charset="?utf-?8"?$/.test(parameter))
  )
}

/** One name or value of a form; `undefined` when it is not the encoding of UTF-8 text. */
const decodePart = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** The parameters of a form's text. Without a value they count as left out, but not twice (RFC 6749 §3.2). */
export const parseForm = (text: string): Result.Result<Form, Refused> => {
  const seen = new Set<string>()
  const form = new Map<string, string>()
  for (const pair of text.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals))
    const value = decodePart(equals === -1 ? "" : pair.slice(equals + 1))
    if (name === undefined || value === undefined) {
      return Result.fail(refuse("invalid_request", "The form is not well encoded."))
    }
    if (seen.has(name)) return Result.fail(refuse("invalid_request", "A parameter is repeated."))
    seen.add(name)
    if (value !== "") form.set(name, value)
  }
  return Result.succeed(form)
}

/** The user and password of a Basic header, each of which is form-urlencoded (RFC 6749 §2.3.1). */
const parseBasic = (encoded: string): Credentials | undefined => {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined
  const text = Buffer.from(encoded, "base64").toString()
  const colon = text.indexOf(":")
  if (colon === -1) return undefined
  const id = decodePart(text.slice(0, colon))
  const secret = decodePart(text.slice(colon + 1))
  return id === undefined || secret === undefined ? undefined : { id, secret, basic: true }
}

/** Who sends a form: by the Authorization header or by the form itself, and never by both. */
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
  if (id === undefined || secret === undefined) {
    return Result.fail(
      refuse(
        "invalid_client",
        "The client does not authenticate: send Basic authorization, or client_id and client_secret."
      )
    )
  }
  return Result.succeed({ id, secret, basic: false })
}

/** The scopes of a token: those that are asked for, else all the client has. */
export const scopesOf = (
  asked: string | undefined,
  allowed: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, Refused> => {
  if (asked === undefined) return Result.succeed(allowed)
  const wanted = [...new Set(asked.split(" ").filter((scope) => scope !== ""))]
  return wanted.length > 0 && wanted.every((scope) => allowed.includes(scope))
    ? Result.succeed(wanted)
    : Result.fail(refuse("invalid_scope", `The client may ask for: ${allowed.join(" ")}.`))
}
