/**
 * The decisions on apps: where they may be redirected to, the documents that describe them, and how they register themselves
 * (docs/behaviour/authorization.md#apps): pure.
 */
import { Result, Schema } from "effect"
import { ClientDocument, ClientMetadata, maxRedirectUris } from "./App.ts"

const loopback = new Set(["127.0.0.1", "[::1]", "localhost"])

/** Whether a redirect goes to a program on the person's own machine. */
export const isLoopback = (uri: string): boolean => {
  const url = URL.parse(uri)
  return url?.protocol === "http:" && loopback.has(url.hostname)
}

/** Why an app cannot have this redirect URI. */
export type RedirectFault =
  | "not_absolute"
  | "has_fragment"
  | "has_credentials"
  | "not_secure"
  | "has_wildcard"
  | "not_a_host"
  | "not_canonical"

// Browsers and systems give these a meaning of their own: they run, show or open what follows, or send it without protection.
const takenSchemes = new Set(
  (
    "about acap afp app blob cid content data dns edge feed file filesystem ftp ftps geo git gopher http imap intent irc ircs jar " +
    "javascript ldap ldaps livescript mailto mhtml mid mms mocha news nfs nntp opera res resource rtsp search sftp shell sip sips smb " +
    "sms smsto ssh tel telnet urn vbscript view-source wais ws wss wyciwyg xmpp"
  ).split(" ")
)

// Those of browsers and of programs of Microsoft, those that web sites register, and drives.
const takenForm = /^(?:chrome|devtools|moz|ms|safari|web)[+-]|^(?:chrome|devtools)$|^.$/

/** Whether a URL has a scheme that can be an app's own. */
const hasOwnScheme = ({ protocol }: URL): boolean => {
  const scheme = protocol.slice(0, -1)
  return scheme !== "https" && !takenSchemes.has(scheme) && !takenForm.test(scheme)
}

/** Whether a redirect goes to a program on the person's own device by a scheme of the app's own. */
export const isPrivateScheme = (uri: string): boolean => {
  const url = URL.parse(uri)
  return url !== null && hasOwnScheme(url)
}

const hostName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/

/** Whether a web address has a host that there can be: the parser takes `{tenant}.example`, too. */
const hasHost = ({ hostname, protocol }: URL): boolean =>
  !/^https?:$/.test(protocol) || hostname.startsWith("[") || hostName.test(hostname)

/**
 * Why an app cannot have this redirect URI; undefined if it can. It is https, or http to the same machine, or a scheme of the app's own
 * (RFC 8252): best in the reverse form of a domain, which many apps do not follow.
 */
export const redirectFaultOf = (uri: string): RedirectFault | undefined => {
  const url = URL.parse(uri)
  if (url === null) return "not_absolute"
  if (uri.includes("#")) return "has_fragment"
  if (url.username !== "" || url.password !== "") return "has_credentials"
  if (url.protocol !== "https:" && !isLoopback(uri) && !hasOwnScheme(url)) return "not_secure"
  // Nobody resolves it, but whoever registers one expects that it stands for other addresses.
  if (uri.includes("*") || url.hostname.includes("*")) return "has_wildcard"
  if (!hasHost(url)) return "not_a_host"
  // What browsers write differently would never be compared as equal.
  return url.href === uri || url.href === `${uri}/` ? undefined : "not_canonical"
}

const maxNameLength = 200

/** The name that an app gives itself, without characters that change how others look; undefined if nothing is left. */
export const clientNameOf = (text: string | undefined): string | undefined => {
  const name = (text ?? "")
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
  return name === "" ? undefined : [...name].slice(0, maxNameLength).join("")
}

const withoutPort = (uri: string): string => {
  const url = new URL(uri)
  url.port = ""
  return url.href
}

/** Whether an app that registered some redirect URIs may be redirected to this one: exactly, but for the port of loopback ones. */
export const mayRedirectTo = (registered: ReadonlyArray<string>, asked: string): boolean =>
  registered.some(
    (uri) =>
      uri === asked ||
      (isLoopback(uri) &&
        isLoopback(asked) &&
        redirectFaultOf(asked) === undefined &&
        withoutPort(uri) === withoutPort(asked))
  )

/** The host that a redirect goes to, or the scheme of an app's own, which says more than what looks like a host after it: for people. */
export const targetOf = (uri: string): string => {
  const url = URL.parse(uri)
  if (url === null) return uri
  if (/^https?:$/.test(url.protocol)) return url.host
  return url.host === "" ? url.protocol.slice(0, -1) : `${url.protocol}//${url.host}`
}

/** The source of a redirect's target in a Content-Security-Policy, which cannot name IPv6 addresses: of them, their scheme. */
export const policySourceOf = (uri: string): string => {
  const url = new URL(uri)
  return /^https?:$/.test(url.protocol) && !url.hostname.startsWith("[") ? url.origin : url.protocol
}

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

const decodeDocument = Schema.decodeUnknownOption(Schema.fromJsonString(ClientDocument))

const isJson = (contentType: string | undefined) =>
  /^application\/(?:[\w.!#$&^+-]+\+)?json$/.test((contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "")

/** What the answer for a document's URL says of the app; fails with what is wrong with it, for people. */
export const describedBy = (url: string, answer: DocumentAnswer): Result.Result<DescribedApp, string> => {
  if (answer.statusCode !== 200) return Result.fail("The document that describes the app is not there.")
  if (!isJson(answer.contentType)) return Result.fail("The document that describes the app is not JSON.")
  const decoded = decodeDocument(answer.body)
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

/** Why a registration is refused (RFC 7591 §3.2.2). */
export interface RegistrationFault {
  readonly error: "invalid_redirect_uri" | "invalid_client_metadata"
  readonly description: string
}

const authMethods = ["none", "client_secret_basic", "client_secret_post"] as const
const grantTypes = ["authorization_code", "refresh_token"]

/** What an app registers. Its members are those of the RFC. */
export interface Registration {
  readonly client_name: string
  readonly redirect_uris: ReadonlyArray<string>
  readonly token_endpoint_auth_method: (typeof authMethods)[number]
  readonly grant_types: ReadonlyArray<string>
  readonly response_types: readonly ["code"]
}

const decodeMetadata = Schema.decodeUnknownOption(ClientMetadata)

const invalid = (description: string) =>
  Result.fail<RegistrationFault>({ error: "invalid_client_metadata", description })

const invalidRedirect = (description: string) =>
  Result.fail<RegistrationFault>({ error: "invalid_redirect_uri", description })

/** What an app registers by the metadata that it sends; members that decide nothing here are ignored. */
export const registrationOf = (sent: unknown): Result.Result<Registration, RegistrationFault> => {
  const decoded = decodeMetadata(sent)
  if (decoded._tag === "None") return invalid("Send a JSON object with redirect_uris, a list of URIs.")
  const { client_name, grant_types, redirect_uris, response_types, token_endpoint_auth_method } = decoded.value
  const redirectUris = [...new Set(redirect_uris)]
  if (redirectUris.length === 0) return invalidRedirect("redirect_uris needs at least one URI.")
  if (redirectUris.length > maxRedirectUris) return invalidRedirect(`redirect_uris may have ${maxRedirectUris} URIs.`)
  const wrong = redirectUris.find((uri) => redirectFaultOf(uri) !== undefined)
  if (wrong !== undefined) {
    return invalidRedirect(
      `${wrong.slice(0, 200)} must be https, http to 127.0.0.1, [::1] or localhost, or a scheme of the app's own such as com.example.app, have no wildcard, and be written as browsers write it.`
    )
  }
  const asked = token_endpoint_auth_method ?? "client_secret_basic"
  const method = authMethods.find((one) => one === asked)
  if (method === undefined) return invalid(`token_endpoint_auth_method must be one of ${authMethods.join(", ")}.`)
  const grants = grant_types ?? ["authorization_code"]
  if (!grants.includes("authorization_code")) return invalid("grant_types must include authorization_code.")
  if (response_types?.includes("code") === false) return invalid("response_types must include code.")
  return Result.succeed({
    client_name: clientNameOf(client_name) ?? targetOf(redirectUris[0] ?? ""),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: method,
    grant_types: grantTypes.filter((type) => grants.includes(type)),
    response_types: ["code"]
  })
}
