/** Lists of mutable resources: pages by creation, and deltas by update (decisions §1). */
import { Clock, Effect, Schema } from "effect"
import { parseTimestamp, TimestampParameter } from "../fields/Timestamp.ts"
import { type Cursors, defaultPageSize, Flag, pageQuery, read as readPage, timeAndId } from "../usecase/Page.ts"
import { checkReach } from "./Delta.ts"

/** The parameters that every such list has. */
export const deltaQuery = {
  ...pageQuery,
  updated_since: Schema.optionalKey(
    TimestampParameter(
      "Delta sync: list what changed at or after this moment, in the order of `updatedUtc`. Start with `1970-01-01` to read everything, then pass the greatest `updatedUtc` that you have received: you miss no change."
    )
  ),
  include_deleted: Schema.optionalKey(Flag("Add the tombstones of what was deleted; they are kept for 90 days."))
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

/** What part of the list is wanted. */
export interface Range {
  /** A delta since this moment, in the order of update; else all, in the order of creation. */
  readonly updatedSince: Date | undefined
  readonly includeDeleted: boolean
  /** The place after which the page begins: that order's time (ISO 8601), and the row's UUID. */
  readonly after: { readonly at: string; readonly id: string } | undefined
  /** On the later pages of a delta, the horizon of the first (see `settled`). */
  readonly horizon: string | undefined
  readonly limit: number
}

/** What a list is read as: the rows of a delta know the horizon of the moment when they were read. */
export interface Listed {
  readonly uuid: string
  readonly horizon: string | null
}

/** Reads a page: `fetch` gives the rows of a range, `filters` are the list's own parameters. */
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
