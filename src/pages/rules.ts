/** The decisions on requests of pages (docs/behaviour/sign-in.md#protection): pure. */

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
