/** The decisions on apps and on where they may be redirected to (docs/behaviour/authorization.md#apps): pure. */

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
