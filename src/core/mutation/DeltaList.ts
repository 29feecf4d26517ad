/**
 * Lists of versioned records: pages by creation, and deltas by update (docs/behaviour/http.md#delta-sync). At the end, the positions from
 * which readers of deltas go on.
 */
import { Effect, Schema } from "effect"
import { atStandby } from "../../platform/db/Standbys.ts"
import { check } from "../fields/Text.ts"
import {
  type Cursors,
  defaultPageSize,
  type DeltaPage,
  fill,
  Flag,
  pageOf,
  pageQuery,
  type Position
} from "../usecase/Page.ts"
import { pageInTurn, type SlowReads } from "../usecase/TeamBudget.ts"
import { InvalidCursor, InvalidRequest, ResyncRequired } from "../usecase/Problem.ts"
import { parseTimestamp } from "../fields/Timestamp.ts"
import { isUuid } from "../Id.ts"

/** `updated_since`: a time, or how far a reader has seen the list. */
const Since = Schema.String.check(
  check(
    "invalid_timestamp",
    "Must be an ISO 8601 date, a date and time with an offset, such as 2026-11-21T09:30:00Z (in a URL, + is %2B), or the nextSince of a page.",
    (value: string) => parseSince(value) !== undefined
  )
).annotate({
  description:
    "Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`.",
  examples: ["2026-11-21T09:30:00.000Z"]
})

/** The parameters of every such list. */
export const deltaQuery = {
  ...pageQuery,
  updated_since: Schema.optionalKey(Since),
  include_deleted: Schema.optionalKey(Flag("Include the tombstones of deleted records, which are kept for 90 days."))
}

/** The values of {@link deltaQuery}. */
export interface DeltaQuery {
  readonly cursor?: string
  readonly page_size?: number
  readonly updated_since?: string
  readonly include_deleted?: boolean
}

/** The parameters of a query that filter the list, for the binding of its cursors. */
export const filtersOf = <Query extends DeltaQuery>(query: Query) => {
  const { cursor: _cursor, include_deleted: _deleted, page_size: _size, updated_since: _since, ...filters } = query
  return filters
}

/** A range of a list. */
export interface Range {
  /** Delta: what changed at or after a time, or after what a reader was shown. Undefined: all records, by creation. */
  readonly since: Date | SyncPosition | undefined
  readonly includeDeleted: boolean
  /** Where the page begins: after this time by which the list is ordered (ISO 8601), and this UUID of a row. */
  readonly after: { readonly at: string; readonly id: string } | undefined
  /** On the later pages, how far the reader will have seen the list: the moment of the first page (see `settled`). */
  readonly position: SyncPosition | undefined
  readonly limit: number
}

/** A row of a list. */
export interface Listed {
  readonly uuid: string
}

/** What was read of a range. */
export interface Fetched<Row extends Listed> {
  /** `unsettled` is the transaction of a row if it does not precede the horizon, `bytes` what it takes as JSON, roughly. */
  readonly rows: ReadonlyArray<Row & { readonly unsettled: string | null; readonly bytes: number }>
  /** Whether a tombstone was purged that the reader needs. */
  readonly isGone: boolean
  /** That of the range or, on the first page, that of the moment of reading. */
  readonly position: SyncPosition
}

const resyncRequired = new ResyncRequired({
  detail:
    "Deletions since then are no longer kept. Read the list without updated_since, drop the records that it does not have, and go on from page.nextSince."
})

const otherList = (name: string) =>
  InvalidRequest.of([
    {
      in: "query",
      pointer: "/updated_since",
      code: "other_list",
      detail: `This nextSince is of ${name}. Pass it to the list that answered it, or read this one without.`
    }
  ])

const sinceOf = (
  text: string | undefined,
  { list, of }: ListId,
  nameOf: (of: string) => string
): Effect.Effect<Range["since"], InvalidRequest> => {
  const since = text === undefined ? undefined : parseSince(text)
  if (since === undefined || since instanceof Date) return Effect.succeed(since)
  if (since.list !== list) return Effect.fail(otherList("another list"))
  return since.of === of ? Effect.succeed(since.position) : Effect.fail(otherList(nameOf(since.of)))
}

/** The place in the list and the sync position of a cursor. */
const openCursor = ([at = "", id = "", ...texts]: Position): Effect.Effect<
  { readonly after: Range["after"]; readonly position: SyncPosition },
  InvalidCursor
> => {
  const position = fromTexts(texts)
  return position === undefined
    ? Effect.fail(new InvalidCursor({ detail: "The cursor is of a former release. Read the list from its beginning." }))
    : Effect.succeed({ after: { at, id }, position })
}

// Filters that an index finds a record by.
const lookups: ReadonlySet<string> = new Set(["domain", "email", "external_ref"])

/** Whether a page may read many rows that it does not answer: those that other filters or a delta leave out. */
const skipsRows = (
  filters: { readonly [name: string]: unknown },
  { includeDeleted, since }: Pick<Range, "includeDeleted" | "since">
): boolean =>
  (since !== undefined && !includeDeleted) ||
  Object.entries(filters).some(([name, value]) => value !== undefined && !lookups.has(name))

const narrow =
  "Leave filters out or, with updated_since, begin later or include the deleted records. A smaller page_size helps, too."

/** Reads a page. `fetch` loads the rows of a range (see DeltaPage.ts); `filters` are the further parameters of the list. */
export const read = Effect.fnUntraced(function* <
  Row extends Listed,
  A extends {
    readonly createdUtc: string
    readonly updatedUtc: string
  },
  E,
  R
>(options: {
  readonly list: string
  readonly teamId: string
  /** The UUID of the record that the list belongs to; defaults to the team. */
  readonly of?: string
  /** Names the list of the same kind that belongs to another record or team, for people. */
  readonly nameOf?: (of: string) => string
  readonly query: DeltaQuery
  readonly filters: { readonly [name: string]: unknown }
  readonly cursors: Cursors["Service"]
  readonly slowReads: SlowReads
  readonly fetch: (range: Range) => Effect.Effect<Fetched<Row>, E, R>
  readonly toItem: (row: Row) => A
}) {
  const { cursors, query, teamId, toItem } = options
  const listId = { list: options.list, of: options.of ?? teamId }
  const includeDeleted = query.include_deleted ?? false
  const pageSize = query.page_size ?? defaultPageSize
  const since = yield* sinceOf(query.updated_since, listId, options.nameOf ?? (() => "another list"))
  const binding = {
    list: options.list,
    teamId,
    filters: {
      ...options.filters,
      of: options.of,
      updated_since: since instanceof Date ? since.toISOString() : query.updated_since,
      include_deleted: includeDeleted
    }
  }
  const endAt = (row: Row): NonNullable<Range["after"]> => {
    const { createdUtc, updatedUtc } = toItem(row)
    return { at: since === undefined ? createdUtc : updatedUtc, id: row.uuid }
  }
  const opened = query.cursor === undefined ? undefined : yield* openCursor(yield* cursors.open(binding, query.cursor))
  const range = { since, includeDeleted }
  let readTo: SyncPosition | undefined
  const filling = Effect.suspend(() => {
    // From its beginning: a read that a standby failed to answer is run again.
    readTo = opened?.position
    return fill(
      pageSize,
      (last: Fetched<Row>["rows"][number] | undefined, limit) =>
        Effect.gen(function* () {
          const after = last === undefined ? opened?.after : endAt(last)
          const fetched = yield* options.fetch({ ...range, after, position: readTo, limit })
          if (fetched.isGone) return yield* resyncRequired
          readTo = fetched.position
          return fetched.rows
        }),
      ({ bytes }) => bytes
    )
  })
  const filled = yield* pageInTurn(
    teamId,
    options.list,
    pageSize,
    atStandby(
      skipsRows(options.filters, range) ? options.slowReads(teamId, narrow, filling) : filling,
      // A server that is behind would show again what the reader was shown.
      [since instanceof Date ? undefined : since, opened?.position].filter((position) => position !== undefined)
    )
  )
  if (readTo === undefined) return yield* Effect.die(new Error("a page was not read"))
  const moment: SyncPosition = readTo
  // Rows that a former reading showed, and that are held back still, are carried on.
  const carried =
    opened !== undefined || since === undefined || since instanceof Date || since.server !== moment.server
      ? []
      : since.shown
  const shown = filled.rows.flatMap(({ unsettled, uuid }) =>
    unsettled === null ? [] : [{ uuid, transactionId: unsettled }]
  )
  const position = withShown(moment, [...carried, ...shown])
  const page = pageOf({
    rows: filled,
    pageSize,
    toItem,
    cursorAfter: (last) => {
      const { at, id } = endAt(last)
      return cursors.seal(binding, [at, id, ...toTexts(position)])
    }
  })
  const nextSince = page.page.hasMore ? null : toToken(listId, position)
  const answer: DeltaPage<A> = { ...page, page: { ...page.page, nextSince } }
  return answer
})

// How far a reader has seen a list: what `page.nextSince` holds (docs/behaviour/http.md#delta-sync), and how it is spelt. Pure.
// docs/adr/0002-transaction-id-horizon.md says why nothing is missed or repeated from there.

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
const toTexts = ({ at, horizon, server, shown }: SyncPosition): ReadonlyArray<string> => [
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
const fromTexts = (texts: ReadonlyArray<unknown>): SyncPosition | undefined => {
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
const parseSince = (text: string): Date | SyncToken | undefined => parseTimestamp(text) ?? parseToken(text)

/** A position whose reader has been shown these rows as well. Those of transactions before the horizon need no mention. */
const withShown = (position: SyncPosition, rows: ReadonlyArray<ShownRow>): SyncPosition => {
  const horizon = BigInt(position.horizon)
  const unsettled = rows.filter(({ transactionId }) => BigInt(transactionId) >= horizon)
  return unsettled.length === 0
    ? position
    : { ...position, shown: [...position.shown, ...unsettled].slice(0, maxShown) }
}
