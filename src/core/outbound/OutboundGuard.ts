/** Decides which receivers may be called, by URL and by the addresses of its host. See docs/behaviour/webhooks.md#receiver-addresses. */
import * as Resolver from "./Resolver.ts"
import { Effect, Option, Result } from "effect"
import { Host, IpNetwork, NetAddress } from "effect/net"
import { parseWebUrl } from "../fields/InternetAddress.ts"
import { NameServersAway, UrlRejected } from "./rules.ts"

const maxUrlLength = 2048

/** A URL that passed all checks that need no DNS. If its host is an address, that address has been checked. */
export interface Target {
  readonly url: URL
  readonly host: NetAddress.IpAddress | Host.DomainName
}

/** A checked address, in the form that `node:net` expects from a lookup. */
export interface CheckedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Which receivers may be called in addition to public ones over https. */
export interface OutboundGuardOptions {
  /** Allows plain http, for development. */
  readonly allowHttp: boolean
  /** CIDRs of allowed addresses, for development and for receivers in the operator's network. */
  readonly allowedNetworks: ReadonlyArray<string>
  /** Defaults to the name servers and, if there are allowed networks, then the system. */
  readonly resolve?: Resolver.Resolve
}

/** Checks which receivers may be called. */
export interface OutboundGuard {
  /** Checks everything that needs no DNS. */
  target(url: string): Result.Result<Target, UrlRejected>
  /**
   * Resolves a name and checks every address. One forbidden address refuses the name. Rejects only with `UrlRejected`, and
   * with `NameServersAway`. It returns a promise, because the `lookup` of a socket calls it.
   */
  addresses(name: Host.DomainName): Promise<ReadonlyArray<CheckedAddress>>
}

// The networks that nobody may be called in: all that the IANA registries reserve.
const networks = (
  [
    ["0.0.0.0/8", "an unspecified address"],
    ["10.0.0.0/8", "a private address"],
    ["100.64.0.0/10", "a carrier's shared address"],
    ["127.0.0.0/8", "a loopback address"],
    ["168.63.129.16/32", "a cloud metadata address"],
    ["169.254.0.0/16", "a link-local or metadata address"],
    ["172.16.0.0/12", "a private address"],
    ["192.0.0.0/24", "a reserved address"],
    ["192.0.2.0/24", "a documentation address"],
    ["192.88.99.0/24", "a 6to4 relay"],
    ["192.168.0.0/16", "a private address"],
    ["198.18.0.0/15", "a benchmarking address"],
    ["198.51.100.0/24", "a documentation address"],
    ["203.0.113.0/24", "a documentation address"],
    ["224.0.0.0/4", "a multicast address"],
    ["240.0.0.0/4", "a reserved address"],

    ["::/128", "an unspecified address"],
    ["::1/128", "a loopback address"],
    ["::ffff:0:0/96", "an IPv4-mapped address"],
    ["::/96", "an IPv4-compatible address"],
    ["64:ff9b::/96", "a translated IPv4 address"],
    ["64:ff9b:1::/48", "a local translation address"],
    ["fc00::/7", "a private address"],
    ["fe80::/10", "a link-local address"],
    ["ff00::/8", "a multicast address"],
    ["2001::/32", "a Teredo address"],
    ["2001::/23", "a reserved address"],
    ["2001:db8::/32", "a documentation address"],
    // Obsolete, and it can contain any IPv4 address.
    ["2002::/16", "a 6to4 address"],
    ["3fff::/20", "a documentation address"],
    // The rest outside 2000::/3, the only block with public addresses.
    ["::/3", "a reserved address"],
    ["4000::/2", "a reserved address"],
    ["8000::/1", "a reserved address"]
  ] as const
).map(([cidr, kind]) => [IpNetwork.fromStringUnsafe(cidr), kind] as const)

const translation = IpNetwork.fromStringUnsafe("64:ff9b::/96")

/** The IPv4 address in a NAT64 address; none for any other address. */
const translated = (address: NetAddress.IpAddress): Option.Option<NetAddress.Ipv4Address> =>
  NetAddress.isIpv6Address(address) && IpNetwork.contains(translation, address)
    ? Option.some(NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(NetAddress.ipv6ToOctets(address).slice(12))))
    : Option.none()

/** The kind of a forbidden address (`a loopback address`), or `null` for a public one. */
const forbiddenKind = (address: NetAddress.IpAddress): string | null =>
  networks.find(([network]) => IpNetwork.contains(network, address))?.[1] ?? null

const refused = (code: UrlRejected["code"], reason: string) => new UrlRejected({ code, reason })

/** The refusal of a host name, the same whatever DNS returned (see `UrlRejected`). */
export const notPublic = refused("forbidden_address", "Its host must resolve, and to public addresses only.")

// Names that never belong to a public host, whatever a resolver returns. The suffixes are reserved by RFC 6761, RFC 6762 and
// ICANN (`.internal`); the names are those of cloud metadata services.
const reservedSuffixes = ["localhost", "local", "internal"]
const reservedNames = ["metadata", "metadata.goog", "instance-data", "localhost.localdomain"]

const isReserved = (name: Host.DomainName): boolean => {
  const bare = Host.toRelative(name)
  return reservedNames.includes(bare) || reservedSuffixes.includes(bare.split(".").at(-1) ?? "")
}

const guardOf = (
  options: Omit<OutboundGuardOptions, "resolve">,
  resolve: Resolver.Resolve = Resolver.make({ privateNames: options.allowedNetworks.length > 0 })
): OutboundGuard => {
  const allowed = options.allowedNetworks.map((cidr) => IpNetwork.fromStringUnsafe(cidr))
  // In an IPv6-only network, the operator allows 64:ff9b::/96 (NAT64). That must not open forbidden IPv4 addresses behind it.
  const isAllowed = (address: NetAddress.IpAddress): boolean =>
    allowed.some((network) => IpNetwork.contains(network, address)) &&
    Option.match(translated(address), {
      onNone: () => true,
      onSome: (inner) => isAllowed(inner) || forbiddenKind(inner) === null
    })

  const target = (text: string): Result.Result<Target, UrlRejected> => {
    if (text.length > maxUrlLength) {
      return Result.fail(refused("too_long", `The URL is longer than ${maxUrlLength} characters.`))
    }
    const protocol = URL.parse(text)?.protocol
    if (protocol === undefined) return Result.fail(refused("malformed", "The URL cannot be parsed."))
    if (protocol !== "https:" && !(options.allowHttp && protocol === "http:")) {
      return Result.fail(refused("not_https", "The URL must begin with https://."))
    }
    const url = parseWebUrl(text)
    if (url === undefined) return Result.fail(refused("malformed", "The URL cannot be parsed as it is written."))
    if (url.username !== "" || url.password !== "") {
      return Result.fail(refused("credentials", "The URL must not contain a user name or password."))
    }
    // Not `url.hash`, which is empty for a lone `#`.
    if (url.href.includes("#")) return Result.fail(refused("fragment", "The URL must not contain a fragment (#…)."))
    const parsed = Host.hostFromString(url.hostname.replace(/^\[|\]$/g, ""))
    if (Result.isFailure(parsed) || parsed.success === "." || NetAddress.isScopedIpv6Literal(parsed.success)) {
      return Result.fail(refused("malformed", "The URL's host is neither a host name nor an IP address."))
    }
    const host = parsed.success
    if (NetAddress.isIpAddress(host)) {
      const kind = isAllowed(host) ? null : forbiddenKind(host)
      return kind === null
        ? Result.succeed({ url, host })
        : Result.fail(refused("forbidden_address", `The URL's host is ${kind}; only public addresses are called.`))
    }
    return isReserved(host) && allowed.length === 0 ? Result.fail(reserved(host)) : Result.succeed({ url, host })
  }

  const addresses = async (name: Host.DomainName): Promise<ReadonlyArray<CheckedAddress>> => {
    const found = await resolve(name).catch((error: unknown) => {
      if (error instanceof NameServersAway) throw error
      return []
    })
    if (found.length === 0) throw notPublic
    return found.map((text) => {
      const parsed = NetAddress.ipFromString(text)
      // An address with a zone is link-local.
      if (Result.isFailure(parsed)) throw notPublic
      const address = parsed.success
      if (!isAllowed(address) && (isReserved(name) || forbiddenKind(address) !== null)) throw notPublic
      return { address: NetAddress.formatIp(address), family: NetAddress.isIpv4Address(address) ? 4 : 6 }
    })
  }

  return { target, addresses }
}

const reserved = (name: Host.DomainName) =>
  refused("forbidden_address", `The host name "${name}" is reserved for private use; only public hosts are called.`)

/** Makes the guard. Dies if an allowed network is not a CIDR. */
export const makeGuard = (options: OutboundGuardOptions): Effect.Effect<OutboundGuard> =>
  Effect.map(Resolver.OwnResolve, (own) => guardOf(options, options.resolve ?? own))
