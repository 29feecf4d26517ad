/** The networks that webhooks must not reach: all that the IANA registries reserve. See docs/behaviour/webhooks.md#receiver-addresses. */
import { Option } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

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
export const translated = (address: NetAddress.IpAddress): Option.Option<NetAddress.Ipv4Address> =>
  NetAddress.isIpv6Address(address) && IpNetwork.contains(translation, address)
    ? Option.some(NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(NetAddress.ipv6ToOctets(address).slice(12))))
    : Option.none()

/** The kind of a forbidden address (`a loopback address`), or `null` for a public one. */
export const forbiddenKind = (address: NetAddress.IpAddress): string | null =>
  networks.find(([network]) => IpNetwork.contains(network, address))?.[1] ?? null
