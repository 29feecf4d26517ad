/**
 * How the connection to Postgres is encrypted: the parameters `sslmode`, `sslrootcert`, `sslcert` and `sslkey` of its address mean what they
 * mean to libpq (docs/deployment.md#tls-to-postgres). Both drivers read them otherwise, each in its own way, and get the result instead.
 */
import { Predicate, Redacted, Result } from "effect"
import { readFileSync } from "node:fs"
import type { ConnectionOptions } from "node:tls"
import type { ClientConfig } from "pg"
import type { Parsed } from "../Setting.ts"

const modes = ["disable", "require", "verify-ca", "verify-full"] as const

const parameters = ["sslmode", "sslrootcert", "sslcert", "sslkey"] as const

/** Whether a connection is encrypted, and what is verified. */
export type Ssl = false | ConnectionOptions

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Reads how the connection to an address is encrypted, and the files that it names. */
export const parse = ({ searchParams }: URL): Parsed<Ssl> => {
  const mode = searchParams.get("sslmode") ?? "disable"
  if (!modes.some((known) => known === mode)) {
    return Result.fail(`has a wrong sslmode: it must be one of ${modes.join(", ")}, not "${mode}"`)
  }
  if (mode === "disable") return Result.succeed(false)
  const files: { ca?: string; cert?: string; key?: string } = {}
  const members = { sslrootcert: "ca", sslcert: "cert", sslkey: "key" } as const
  for (const [parameter, member] of Object.entries(members)) {
    const path = searchParams.get(parameter)
    // The authorities that Node knows.
    if (path === null || path === "system") continue
    try {
      files[member] = readFileSync(path, "utf8")
    } catch (error) {
      return Result.fail(`names a file in ${parameter} that cannot be read: ${messageOf(error)}`)
    }
  }
  // As with libpq, an authority that is named is asked.
  if (mode === "require" && files.ca === undefined) return Result.succeed({ ...files, rejectUnauthorized: false })
  return Result.succeed(
    mode === "verify-full"
      ? { ...files, rejectUnauthorized: true }
      : { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined }
  )
}

/** How the connection to an address is encrypted. Throws for one that `parse` refuses. */
export const sslOf = (url: Redacted.Redacted<string>): Ssl =>
  Result.getOrThrowWith(parse(new URL(Redacted.value(url))), (reason) => new Error(`The address of Postgres ${reason}`))

/** The settings of `pg` for an address. */
export const pgConfigOf = (url: Redacted.Redacted<string>): Pick<ClientConfig, "connectionString" | "ssl"> => {
  const address = new URL(Redacted.value(url))
  for (const parameter of parameters) address.searchParams.delete(parameter)
  return { connectionString: address.href, ssl: sslOf(url) }
}

const faults: { readonly [code: string]: string } = {
  CERT_HAS_EXPIRED: "it has expired",
  CERT_NOT_YET_VALID: "it is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is signed by itself, and not by the authority in sslrootcert",
  SELF_SIGNED_CERT_IN_CHAIN: "it is not signed by the authority in sslrootcert",
  UNABLE_TO_GET_ISSUER_CERT: "it is not signed by the authority in sslrootcert",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "it is not signed by the authority in sslrootcert",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "it is not signed by the authority in sslrootcert",
  CERT_SIGNATURE_FAILURE: "it is not signed by the authority in sslrootcert",
  ERR_TLS_CERT_ALTNAME_INVALID: "it is for another host than the address names"
}

/** Why the certificate of a server was refused; undefined if something else has failed. */
export const certificateFault = (error: unknown): string | undefined => {
  for (let at = error, depth = 0; Predicate.isObject(at) && depth < 8; depth++) {
    const code = Predicate.hasProperty(at, "code") ? at.code : undefined
    const fault = typeof code === "string" ? faults[code] : undefined
    if (fault !== undefined) return `the certificate of the server is refused: ${fault}`
    if (Predicate.hasProperty(at, "reason") && Predicate.isObject(at.reason)) at = at.reason
    else at = Predicate.hasProperty(at, "cause") ? at.cause : undefined
  }
  return undefined
}
