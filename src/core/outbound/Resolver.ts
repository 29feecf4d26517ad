/** Resolves the host name of a receiver. */
import { Context } from "effect"
import { getServers, lookup, Resolver } from "node:dns/promises"
import { setTimeout } from "node:timers/promises"
import { errorCode, NameServersAway } from "./rules.ts"

/**
 * All addresses of a host name, as text. Rejects if there are none or if the resolution fails, with `NameServersAway` if that says
 * nothing of the host.
 */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<string>>

/** Replaces the resolver in tests. `undefined` means the resolver of `make`. */
export const OwnResolve = Context.Reference<Resolve | undefined>("core/outbound/Resolver/OwnResolve", {
  defaultValue: () => undefined
})

// Some name servers never respond to queries for an address family that the host lacks.
const otherFamilyMillis = 2000

const nothingThere = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "ENONAME", "EFILE"])

// There is no name server, it did not answer, or it could not ask others.
const unanswered = new Set(["ECONNREFUSED", "ETIMEOUT", "ESERVFAIL"])

const systemLookup: Resolve = async (hostname) => {
  try {
    return (await lookup(hostname, { all: true, order: "verbatim" })).map(({ address }) => address)
  } catch (error) {
    throw errorCode(error) === "EAI_AGAIN" ? new NameServersAway() : error
  }
}

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
 *
 * If no name server answers for a name, or only that it failed, another question shows whose fault that is: name servers that
 * work know the servers of the root zone.
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
  const { nameServers } = options
  // Together with the question for the root zone, within the deadline of an attempt: each try asks all servers.
  const servers = new Resolver({ timeout: 2000, tries: (nameServers ?? getServers()).length > 1 ? 1 : 2 })
  const control = new Resolver({ timeout: 1000, tries: 1 })
  for (const one of [servers, control]) if (nameServers !== undefined) one.setServers(nameServers)
  const areAway = () =>
    control.resolveNs(".").then(
      () => false,
      (error: unknown) => unanswered.has(errorCode(error))
    )
  return async (hostname) => {
    if (!hostname.replace(/\.$/, "").includes(".")) return system(hostname)
    const answers = await ofBoth(
      [servers.resolve4(hostname), servers.resolve6(hostname)],
      options.otherFamilyMillis ?? otherFamilyMillis
    )
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
    if (addresses.length > 0) return addresses
    const errors = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []))
    const isUnanswered = errors.some((error) => unanswered.has(errorCode(error)))
    const isAway = isUnanswered && (await areAway())
    for (const error of errors) {
      if (!nothingThere.has(errorCode(error))) throw isAway ? new NameServersAway() : error
    }
    if (!isAway) return system(hostname)
    // The hosts file may have the name.
    return system(hostname).catch(() => Promise.reject(new NameServersAway()))
  }
}
