/** The decisions on requests of pages (docs/behaviour/sign-in.md#protection) and on what they show: pure. */

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
