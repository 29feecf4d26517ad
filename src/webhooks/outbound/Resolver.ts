/** Finds the addresses of a receiver's host name. */
import { lookup, Resolver } from "node:dns/promises"
import { errorCode } from "./rules.ts"

/** All the addresses of a host name, as text. Rejects if there are none, or if they cannot be found out. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<string>>

const nothingThere = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "ENONAME", "EFILE"])

const systemLookup: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: "verbatim" })).map(({ address }) => address)

const unknown: Resolve = async (hostname) => {
  throw Object.assign(new Error(`There is no host ${hostname}`), { code: "ENOTFOUND" })
}

/**
 * Asks the name servers directly. With `privateNames`, the system (which also reads the hosts file and search domains)
 * is asked for names without a dot and for those that the name servers do not know; without, nobody is: such a name can
 * only be one of our network. The system's lookups block one of two threads each, so a few receivers whose name servers
 * never answer would hold up everybody's deliveries.
 */
export const make = (options: {
  readonly privateNames: boolean
  /** Default: those that the system is configured with. */
  readonly nameServers?: ReadonlyArray<string>
  readonly system?: Resolve
}): Resolve => {
  const system = options.privateNames ? options.system ?? systemLookup : unknown
  const servers = new Resolver({ timeout: 2000, tries: 2 })
  if (options.nameServers !== undefined) servers.setServers(options.nameServers)
  return async (hostname) => {
    if (!hostname.replace(/\.$/, "").includes(".")) return system(hostname)
    const answers = await Promise.allSettled([servers.resolve4(hostname), servers.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => answer.status === "fulfilled" ? answer.value : [])
    if (addresses.length > 0) return addresses
    for (const answer of answers) {
      if (answer.status === "rejected" && !nothingThere.has(errorCode(answer.reason))) throw answer.reason
    }
    return system(hostname)
  }
}
