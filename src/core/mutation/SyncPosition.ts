/**
 * How far a reader has seen a list: what `page.nextSince` holds (docs/behaviour/http.md#delta-sync), and how it is spelt. Pure.
 * docs/adr/0002-transaction-id-horizon.md says why nothing is missed or repeated from there.
 */
import { parseTimestamp } from "../fields/Timestamp.ts"
import { isUuid } from "../Id.ts"

/** A row that a reader was shown, in the version that this transaction wrote. */
export interface ShownRow {
  readonly uuid: string
  readonly transactionId: string
}

/** How far a reader has seen a list. */
export interface SyncPosition {
  /** The Postgres server on which the transaction ids have their meaning. */
  readonly server: string
  /** No transaction before the horizon was later than this time, and no other one earlier: ISO 8601 with microseconds. */
  readonly at: string
  /** All transactions before this id had ended: what they wrote was shown, or had no place in the list. */
  readonly horizon: string
  /** Rows that were shown although their transactions do not precede the horizon. */
  readonly shown: ReadonlyArray<ShownRow>
}

/** A list of one team: its name, and the UUID of the record or team that it belongs to. */
export interface ListId {
  readonly list: string
  readonly of: string
}

/** `nextSince`, read again. */
export interface SyncToken extends ListId {
  readonly position: SyncPosition
}

// Further ones would make the token too long for a URL. They may be listed once more.
const maxShown = 100

const maxXid = 2n ** 64n - 1n
const xidPattern = /^(?:0|[1-9]\d{0,19})$/
const microsPattern = /^(?:19[7-9]\d|[2-9]\d{3})-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/
const shownPattern = /^([\w-]{22})([0-9a-z]{1,13})$/

const isXid = (text: string): boolean => xidPattern.test(text) && BigInt(text) <= maxXid

const isTime = (text: string): boolean => microsPattern.test(text) && parseTimestamp(text) !== undefined

const shortUuid = (uuid: string): string => Buffer.from(uuid.replaceAll("-", ""), "hex").toString("base64url")

const longUuid = (short: string): string | undefined => {
  const bytes = Buffer.from(short, "base64url")
  const hex = bytes.toString("hex")
  return bytes.length === 16 && bytes.toString("base64url") === short
    ? `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    : undefined
}

const isBase36 = (text: string): boolean => text === "0" || !text.startsWith("0")

const base36 = (text: string): bigint => {
  let value = 0n
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value
}

/** A position as texts, for cursors and tokens. The transactions of shown rows are counted from the horizon, which is shorter. */
export const toTexts = ({ at, horizon, server, shown }: SyncPosition): ReadonlyArray<string> => [
  horizon,
  server,
  at,
  shown
    .map(({ transactionId, uuid }) => `${shortUuid(uuid)}${(BigInt(transactionId) - BigInt(horizon)).toString(36)}`)
    .join(".")
]

const shownOf = (text: string, horizon: string): ReadonlyArray<ShownRow> | undefined => {
  const parts = text === "" ? [] : text.split(".")
  if (parts.length > maxShown) return undefined
  const rows = parts.flatMap((part): ReadonlyArray<ShownRow> => {
    const [, short = "", offset = ""] = shownPattern.exec(part) ?? []
    const uuid = longUuid(short)
    const transactionId = BigInt(horizon) + base36(offset)
    return uuid === undefined || !isBase36(offset) || transactionId > maxXid
      ? []
      : [{ uuid, transactionId: String(transactionId) }]
  })
  return rows.length === parts.length ? rows : undefined
}

/** The position that {@link toTexts} spelt; undefined for anything else. */
export const fromTexts = (texts: ReadonlyArray<unknown>): SyncPosition | undefined => {
  if (texts.length !== 4 || !texts.every((text) => typeof text === "string")) return undefined
  const [horizon = "", server = "", at = "", shownText = ""] = texts
  if (!isXid(horizon) || !/^[\w.]{1,64}$/.test(server) || !isTime(at)) return undefined
  const shown = shownOf(shownText, horizon)
  return shown === undefined ? undefined : { server, at, horizon, shown }
}

/** Spells a position of a list as a token. It is not authenticated, so that it outlives keys: it only selects rows of its reader. */
export const toToken = ({ list, of }: ListId, position: SyncPosition): string =>
  Buffer.from(JSON.stringify([list, of, ...toTexts(position)])).toString("base64url")

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a token; undefined if it is none. */
export const parseToken = (token: string): SyncToken | undefined => {
  const bytes = Buffer.from(token, "base64url")
  const values = parseJson(bytes.toString())
  // Buffer skips characters that are not base64url. Only the canonical spelling is accepted.
  if (bytes.toString("base64url") !== token || !Array.isArray(values)) return undefined
  const [list, of, ...texts] = values as ReadonlyArray<unknown>
  const position = fromTexts(texts)
  return typeof list === "string" && typeof of === "string" && isUuid(of) && position !== undefined
    ? { list, of, position }
    : undefined
}

/** The moment or the token of a parameter; undefined if it is neither. */
export const parseSince = (text: string): Date | SyncToken | undefined => parseTimestamp(text) ?? parseToken(text)

/** A position whose reader has been shown these rows as well. Those of transactions before the horizon need no mention. */
export const withShown = (position: SyncPosition, rows: ReadonlyArray<ShownRow>): SyncPosition => {
  const horizon = BigInt(position.horizon)
  const unsettled = rows.filter(({ transactionId }) => BigInt(transactionId) >= horizon)
  return unsettled.length === 0
    ? position
    : { ...position, shown: [...position.shown, ...unsettled].slice(0, maxShown) }
}
