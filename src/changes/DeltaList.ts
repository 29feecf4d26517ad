/** Lists of versioned records: pages by creation, and deltas by update (docs/behaviour/http.md#delta-sync). */
import { Clock, Effect, Schema } from "effect"
import { parseTimestamp, TimestampParameter } from "../fields/Timestamp.ts"
import { type Cursors, defaultPageSize, Flag, pageQuery, read as readPage, timeAndId } from "../usecase/Page.ts"
import { checkReach } from "./Delta.ts"

/** The parameters of every such list. */
export const deltaQuery = {
  ...pageQuery,
  updated_since: Schema.optionalKey(
    TimestampParameter(
      "Delta sync: lists what changed at or after this moment, ordered by `updatedUtc`. Start with `1970-01-01` to read everything, then pass the greatest `updatedUtc` that you have received. You will not miss a change."
    )
  ),
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
  /** Delta: the records that changed since this moment, by update. Undefined: all records, by creation. */
  readonly updatedSince: Date | undefined
  readonly includeDeleted: boolean
  /** The position after which the page begins: the time by which the list is ordered (ISO 8601), and the UUID of the row. */
  readonly after: { readonly at: string; readonly id: string } | undefined
  /** On the later pages of a delta, the horizon of the first (see `settled`). */
  readonly horizon: string | undefined
  readonly limit: number
}

/** A row of a list; `horizon` is that of the moment when a delta was read. */
export interface Listed {
  readonly uuid: string
  readonly horizon: string | null
}

/** Reads a page. `fetch` loads the rows of a range; `filters` are the further parameters of the list. */
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
  readonly query: DeltaQuery
  readonly filters: { readonly [name: string]: unknown }
  readonly cursors: Cursors["Service"]
  readonly fetch: (range: Range) => Effect.Effect<ReadonlyArray<Row>, E, R>
  readonly toItem: (row: Row) => A
}) {
  const { cursors, query, toItem } = options
  const includeDeleted = query.include_deleted ?? false
  const updatedSince = query.updated_since === undefined ? undefined : parseTimestamp(query.updated_since)
  if (updatedSince !== undefined) {
    yield* checkReach(updatedSince, includeDeleted, yield* Clock.currentTimeMillis)
  }
  const binding = {
    list: options.list,
    teamId: options.teamId,
    filters: { ...options.filters, updated_since: updatedSince?.toISOString(), include_deleted: includeDeleted }
  }
  return yield* readPage({
    cursors,
    binding,
    cursor: query.cursor,
    pageSize: query.page_size ?? defaultPageSize,
    fetch: (position, limit) =>
      options.fetch({ updatedSince, includeDeleted, after: timeAndId(position), horizon: position?.[2], limit }),
    positionOf: (row, position) => {
      const item = toItem(row)
      return updatedSince === undefined
        ? [item.createdUtc, row.uuid]
        : [item.updatedUtc, row.uuid, position?.[2] ?? row.horizon ?? ""]
    },
    toItem
  })
})
