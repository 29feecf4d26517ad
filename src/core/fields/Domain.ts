import { domainToASCII } from "node:url"
import { isSharedHost } from "./sharedHosts.ts"
import { check, Text } from "./Text.ts"

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** The canonical form of a domain: lower case, ASCII, without `www.`; `undefined` when the text is not a domain. */
export const canonicalDomain = (text: string): string | undefined => {
  const ascii = /[/:@?#\s\\]/.test(text) ? "" : domainToASCII(text.replace(/\.$/, "")).toLowerCase()
  const domain = ascii.replace(/^(?:www\.)+(?=.*\.)/, "")
  const labels = domain.split(".")
  const isDomain =
    labels.length > 1 &&
    domain.length <= 253 &&
    labels.every((part) => label.test(part)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  return isDomain ? domain : undefined
}

/**
 * The host of a homepage URL as a domain in canonical form; the scheme may be missing. Returns `undefined` where the host is not a
 * domain name, such as `localhost` or an IP address.
 */
export const hostOf = (homepageUrl: string): string | undefined => {
  const text = homepageUrl.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:")
    ? canonicalDomain(url.hostname)
    : undefined
}

/** The domain, in canonical form, if it identifies who has it: a host that many share is nobody's (docs/behaviour/network.md#shared-hosts). */
export const ownDomain = (domain: string | null | undefined): string | undefined =>
  typeof domain === "string" && !isSharedHost(domain) ? domain : undefined

/** The domain that a homepage URL gives its owner: its host, unless many share it. */
export const domainOf = (homepageUrl: string): string | undefined => ownDomain(hostOf(homepageUrl))

/** A domain name such as `example.com`, in any case, with or without `www.`. */
export const Domain = Text(253)
  .check(
    check(
      "invalid_domain",
      "Must be a domain name such as example.com, without a scheme or a path.",
      (value: string) => canonicalDomain(value) !== undefined
    )
  )
  .annotate({ examples: ["example.com"] })
