/** Decides which receivers may be called, by URL and by the addresses of its host. See docs/behaviour/webhooks.md#receiver-addresses. */
import * as Resolver from "./Resolver.ts"
import { Context, Effect, Layer, Option, Result } from "effect"
import { Host, IpNetwork, NetAddress } from "effect/net"
import { parseWebUrl } from "../fields/InternetAddress.ts"
import { forbiddenKind, translated } from "./ForbiddenNetworks.ts"
import { NameServersAway } from "./NameServersAway.ts"
import { UrlRejected } from "./UrlRejected.ts"

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
export class OutboundGuard extends Context.Service<
  OutboundGuard,
  {
    /** Checks everything that needs no DNS. */
    target(url: string): Result.Result<Target, UrlRejected>
    /**
     * Resolves a name and checks every address. One forbidden address refuses the name. Rejects only with `UrlRejected`, and
     * with `NameServersAway`. It returns a promise, because the `lookup` of a socket calls it.
     */
    addresses(name: Host.DomainName): Promise<ReadonlyArray<CheckedAddress>>
  }
>()("core/outbound/OutboundGuard") {
  /** Dies if an allowed network is not a CIDR. */
  static layer(options: OutboundGuardOptions): Layer.Layer<OutboundGuard> {
    return Layer.effect(
      OutboundGuard,
      Effect.map(Resolver.OwnResolve, (own) => make(options, options.resolve ?? own))
    )
  }
}

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

const make = (
  options: Omit<OutboundGuardOptions, "resolve">,
  resolve: Resolver.Resolve = Resolver.make({ privateNames: options.allowedNetworks.length > 0 })
): OutboundGuard["Service"] => {
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

  return OutboundGuard.of({ target, addresses })
}

const reserved = (name: Host.DomainName) =>
  refused("forbidden_address", `The host name "${name}" is reserved for private use; only public hosts are called.`)
