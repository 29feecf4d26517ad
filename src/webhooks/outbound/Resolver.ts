/** Finds the addresses of a receiver's host name. */
import { Context } from "effect"
import { lookup, Resolver } from "node:dns/promises"
import { setTimeout } from "node:timers/promises"
import { errorCode } from "./rules.ts"

/** All the addresses of a host name, as text. Rejects if there are none, or if they cannot be found out. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<string>>

/** Who is asked unless the options say. `undefined`, as everywhere but in tests, means what `make` makes. */
export const OwnResolve = Context.Reference<Resolve | undefined>("webhooks/outbound/Resolver/OwnResolve", {
  defaultValue: () => undefined
})

// Some name servers never answer questions for a family of addresses that the host lacks.
const otherFamilyMillis = 2000

const nothingThere = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "ENONAME", "EFILE"])

const systemLookup: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: "verbatim" })).map(({ address }) => address)

const unknown: Resolve = async (hostname) => {
  throw Object.assign(new Error(`There is no host ${hostname}`), { code: "ENOTFOUND" })
}

/** The addresses of both families; once one family has some, the other has but a while left. */
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
  /** How long one family of addresses is waited for once the other is there. Default: 2000. */
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
