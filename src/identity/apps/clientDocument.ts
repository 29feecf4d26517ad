/** The decisions on apps whose id is the URL of a document that describes them (docs/behaviour/authorization.md#documents): pure. */
import { Result, Schema } from "effect"
import { ClientDocument, maxRedirectUris } from "./App.ts"
import { clientNameOf, redirectFaultOf } from "./rules.ts"

/** The most bytes of a document. */
export const maxDocumentBytes = 10 * 1024

const maxUrlLength = 2048
const minute = 60_000

/** How long a document is used without being loaded again, in milliseconds, whatever its server says. */
export const freshMillis = { least: 5 * minute, byDefault: 60 * minute, most: 24 * 60 * minute } as const

/** Whether a `client_id` is meant as the URL of a document. */
export const isDocumentUrl = (clientId: string): boolean => /^https?:/i.test(clientId)

/** Why a URL cannot be the id of an app, for people; undefined if it can. */
export const documentUrlFaultOf = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (text.length > maxUrlLength || url?.protocol !== "https:") return "The app's id must be an https URL."
  if (url.username !== "" || url.password !== "") return "The app's id must not contain a user name or password."
  if (text.includes("#")) return "The app's id must not have a fragment."
  if (url.pathname === "/") return "The app's id must have a path."
  // Browsers and other servers would read it differently.
  return url.href === text ? undefined : "The app's id must be written as browsers write it."
}

/** Whether the operator accepts documents of the host of a URL: `*` is any, and `*.example.com` each host below example.com. */
export const isAcceptedHost = (accepted: ReadonlyArray<string>, url: string): boolean => {
  const host = URL.parse(url)?.host
  return (
    host !== undefined &&
    accepted.some((one) => one === "*" || one === host || (one.startsWith("*.") && host.endsWith(one.slice(1))))
  )
}

/** When a document that was loaded `at` this time is loaded again. */
export const freshUntil = (cacheControl: string | undefined, at: Date): Date => {
  const directives = (cacheControl ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
  const [, seconds] = directives.map((part) => /^max-age="?(\d+)"?$/.exec(part)).find((match) => match !== null) ?? []
  const asked = directives.some((part) => part === "no-store" || part === "no-cache")
    ? 0
    : seconds === undefined
      ? freshMillis.byDefault
      : Number(seconds) * 1000
  return new Date(at.getTime() + Math.min(Math.max(asked, freshMillis.least), freshMillis.most))
}

/** An answer with a document. */
export interface DocumentAnswer {
  readonly statusCode: number
  readonly contentType: string | undefined
  readonly body: string
}

/** What a document says of its app. */
export interface DescribedApp {
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(ClientDocument))

const isJson = (contentType: string | undefined) =>
  /^application\/(?:[\w.!#$&^+-]+\+)?json$/.test((contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "")

/** What the answer for a document's URL says of the app; fails with what is wrong with it, for people. */
export const describedBy = (url: string, answer: DocumentAnswer): Result.Result<DescribedApp, string> => {
  if (answer.statusCode !== 200) return Result.fail("The document that describes the app is not there.")
  if (!isJson(answer.contentType)) return Result.fail("The document that describes the app is not JSON.")
  const decoded = decode(answer.body)
  if (decoded._tag === "None")
    return Result.fail("The document that describes the app lacks members, or has wrong ones.")
  const document = decoded.value
  // Else anybody could publish a document in the name of another app.
  if (document.client_id !== url)
    return Result.fail("The document describes another app: its client_id is not its URL.")
  const method = document.token_endpoint_auth_method ?? "none"
  if (method !== "none")
    return Result.fail("The document asks for a way to authenticate that is not supported: use none.")
  if (
    document.grant_types?.includes("authorization_code") === false ||
    document.response_types?.includes("code") === false
  ) {
    return Result.fail("The document does not ask for authorization codes.")
  }
  // It serves other authorization servers too, which may allow what this one does not.
  const redirectUris = [...new Set(document.redirect_uris)].filter((uri) => redirectFaultOf(uri) === undefined)
  if (redirectUris.length === 0) return Result.fail("The document names no redirect URI that an app can have.")
  if (redirectUris.length > maxRedirectUris) {
    return Result.fail(`The document names more than ${maxRedirectUris} redirect URIs.`)
  }
  return Result.succeed({ name: clientNameOf(document.client_name) ?? new URL(url).hostname, redirectUris })
}
