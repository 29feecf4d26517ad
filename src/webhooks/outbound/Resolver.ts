/** Resolves the host name of a receiver. */
import { Context } from "effect"
import { lookup, Resolver } from "node:dns/promises"
import { setTimeout } from "node:timers/promises"
import { errorCode } from "./rules.ts"

/** All addresses of a host name, as text. Rejects if there are none or if the resolution fails. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<string>>

/** Replaces the resolver in tests. `undefined` means the resolver of `make`. */
export const OwnResolve = Context.Reference<Resolve | undefined>("webhooks/outbound/Resolver/OwnResolve", {
  defaultValue: () => undefined
})

// Some name servers never respond to queries for an address family that the host lacks.
const otherFamilyMillis = 2000

const nothingThere = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "ENONAME", "EFILE"])

const systemLookup: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: "verbatim" })).map(({ address }) => address)

const unknown: Resolve = async (hostname) => {
  throw Object.assign(new Error(`There is no host ${hostname}`), { code: "ENOTFOUND" })
}

/** The addresses of both families. Once one family has resolved, the other has `millis` left. */
const ofBoth = async (
  families: ReadonlyArray<Promise<ReadonlyArray<string>>>,
  millis: number
): Promise<ReadonlyArray<PromiseSettledResult<ReadonlyArray<string>>>> => {
  const cancel = new AbortController()
  const late = Promise.any(families).then(
    () => setTimeout<ReadonlyArray<string>>(millis, [], { signal: cancel.signal }),
    () => []
  )
  late.catch(() => {})
  const answers = await Promise.allSettled(families.map((family) => Promise.race([family, late])))
  cancel.abort()
  return answers
}

/**
 * Asks the name servers directly. With `privateNames`, it asks the system (which also reads the hosts file and search domains)
 * for names without a dot and for names that the name servers do not know. Without it, such names do not resolve, because they
 * can only belong to our network. The system's lookups are not the first choice because each blocks a thread: a few receivers
 * with unresponsive name servers would delay the deliveries of all teams.
 */
export const make = (options: {
  readonly privateNames: boolean
  /** Defaults to those of the system. */
  readonly nameServers?: ReadonlyArray<string>
  readonly system?: Resolve
  /** How long to wait for one address family after the other has resolved. Defaults to 2000. */
  readonly otherFamilyMillis?: number
}): Resolve => {
  const system = options.privateNames ? (options.system ?? systemLookup) : unknown
  const servers = new Resolver({ timeout: 2000, tries: 2 })
  if (options.nameServers !== undefined) servers.setServers(options.nameServers)
  return async (hostname) => {
    if (!hostname.replace(/\.$/, "").includes(".")) return system(hostname)
    const answers = await ofBoth(
      [servers.resolve4(hostname), servers.resolve6(hostname)],
      options.otherFamilyMillis ?? otherFamilyMillis
    )
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
    if (addresses.length > 0) return addresses
    for (const answer of answers) {
      if (answer.status === "rejected" && !nothingThere.has(errorCode(answer.reason))) throw answer.reason
    }
    return system(hostname)
  }
}
