/**
 * Places in the write-ahead log of a Postgres cluster, and how they are spelt as tokens (docs/behaviour/http.md#consistency). Pure.
 */

/** A server in one state of its history: the cluster, and the timeline, of which each promotion begins a new one. */
export interface ServerName {
  /** The cluster's `system_identifier`. */
  readonly system: bigint
  readonly timeline: bigint
}

/** A place in the log of a server. */
export interface WalPosition extends ServerName {
  readonly lsn: bigint
}

const maxUnsigned = 2n ** 64n - 1n

/** Reads a position as Postgres writes it, such as `16/B374D848`. */
export const parseLsn = (text: string): bigint => {
  const [high = "", low = ""] = text.split("/")
  return BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`)
}

/** Reads the name of a server as {@link serverName} writes it. */
export const parseServer = (name: string): ServerName => {
  const [system = "", timeline = ""] = name.split(".")
  return { system: BigInt(system), timeline: BigInt(`0x${timeline}`) }
}

/**
 * The SQL of the name of a primary. It fails on a standby, which does not know its timeline. As text of a statement, not as a
 * fragment: it has no parameters.
 */
export const serverName =
  "((pg_control_system()).system_identifier || '.' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))"

const radix = 36
const numberPattern = /^[0-9a-z]{1,13}$/

const parseNumber = (text: string): bigint | undefined => {
  if (!numberPattern.test(text)) return undefined
  let value = 0n
  for (const digit of text) value = value * BigInt(radix) + BigInt(Number.parseInt(digit, radix))
  return value <= maxUnsigned ? value : undefined
}

/** Spells a position as a token. */
export const toToken = ({ lsn, system, timeline }: WalPosition): string =>
  [system, timeline, lsn].map((number) => number.toString(radix)).join(".")

/** Reads a token; undefined if it is none. */
export const parseToken = (token: string): WalPosition | undefined => {
  const [system, timeline, lsn, ...rest] = token.split(".").map(parseNumber)
  return system === undefined || timeline === undefined || lsn === undefined || rest.length > 0
    ? undefined
    : { system, timeline, lsn }
}
