/** Decides which receivers may be called: by the look of the URL, and by the addresses of its host. */
import { Context, Effect, Layer, Option, Result } from "effect"
import { Host, IpNetwork, NetAddress } from "effect/net"
import { forbiddenKind, translated } from "./ForbiddenNetworks.ts"
import * as Resolver from "./Resolver.ts"
import { UrlRejected } from "./UrlRejected.ts"

const maxUrlLength = 2048

/** A URL that may be called, as far as can be told without DNS. A host that is an address has been checked already. */
export interface Target {
  readonly url: URL
  readonly host: NetAddress.IpAddress | Host.DomainName
}

/** An address that has been checked, in the form in which `node:net` takes it from a lookup. */
export interface CheckedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Which receivers may be called besides the public ones over https. */
export interface OutboundGuardOptions {
  /** Lets plain http pass, for development. */
  readonly allowHttp: boolean
  /** CIDRs whose addresses are exempt, for development and for receivers of one's own. */
  readonly allowedNetworks: ReadonlyArray<string>
  /** Default: the name servers; with allowed networks, then the system. */
  readonly resolve?: Resolver.Resolve
}

/** Says which receivers may be called. */
export class OutboundGuard extends Context.Service<
  OutboundGuard,
  {
    /** Everything that can be decided without DNS. */
    target(url: string): Result.Result<Target, UrlRejected>
    /**
     * Resolves a name and checks every answer: one forbidden address among them refuses all. Rejects only with
     * `UrlRejected`. A promise, since the caller is the `lookup` of a socket.
     */
    addresses(name: Host.DomainName): Promise<ReadonlyArray<CheckedAddress>>
  }
>()("webhooks/outbound/OutboundGuard") {
  /** A network that is not a CIDR is a defect of the layer. */
  static layer(options: OutboundGuardOptions): Layer.Layer<OutboundGuard> {
    return Layer.effect(
      OutboundGuard,
      Effect.map(Resolver.OwnResolve, (own) => make(options, options.resolve ?? own))
    )
  }
}

const refused = (code: UrlRejected["code"], reason: string) => new UrlRejected({ code, reason })

/** The refusal of a name that DNS was asked for, whatever it answered (see `UrlRejected`). */
export const notPublic = refused("forbidden_address", "Its host must resolve, and to public addresses only.")

// Names that never mean a public host, whatever a resolver says of them. The reserved suffixes are those of RFC 6761,
// RFC 6762 and ICANN's `.internal`; the rest are the clouds' metadata services.
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
  // An operator whose network has only IPv6 allows 64:ff9b::/96: to receivers, and not to what else an address there may
  // lead to.
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
    // The URL parser drops or turns these silently; what is stored and shown must be what is called.
    const url = /[\s\p{Cc}\\]/u.test(text) ? null : URL.parse(text)
    if (url === null) return Result.fail(refused("malformed", "The URL cannot be parsed."))
    if (url.protocol !== "https:" && !(options.allowHttp && url.protocol === "http:")) {
      return Result.fail(refused("not_https", "The URL must begin with https://."))
    }
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
    const found = await resolve(name).catch(() => [])
    if (found.length === 0) throw notPublic
    return found.map((text) => {
      const parsed = NetAddress.ipFromString(text)
      // With a zone, that is: link-local.
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
