/** The SQL of a page of a list with deltas: its rows, how far their reader has then seen the list, and whether a purge left a gap. */
import { Effect } from "effect"
import type { Fragment, Statement } from "effect/sql/Statement"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import { settled, thisMoment } from "./Delta.ts"
import type { Fetched, Listed, Range } from "./DeltaList.ts"
import type { Progress, SyncPosition } from "./SyncPosition.ts"

/** The rows of a table that are one list. */
export interface ListedTable {
  /** The table. It has the columns `id`, `team_id`, `transaction_id`, `created_at` and `updated_at`. */
  readonly name: string
  /** The type of its resources, as `purged_tombstones` has it. */
  readonly type: string
  readonly teamId: string
  /** The column and UUID that select the list's rows, if it is not all of the team's. */
  readonly within?: { readonly column: string; readonly uuid: string } | undefined
}

/** A page to read. */
export interface Reading<Row extends Listed> {
  readonly from: ListedTable
  readonly range: Range
  /** The select list of {@link Reading.toRow}. Its first column is `id`, and it has `created_at` and `updated_at`. */
  readonly selected: Fragment
  readonly conditions: ReadonlyArray<Fragment>
  readonly toRow: (values: ReadonlyArray<unknown>) => Row
  /** Has the database plan the statement for its values: needed where the plan depends on how common they are. */
  readonly unprepared?: boolean
}

// A server in one state: a restore from a base backup begins a new timeline.
const server = `(
  select system_identifier || '.' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) from pg_control_system()
)`

/** Makes the function that reads a page. */
export const make = Effect.gen(function* () {
  const sql = yield* Database
  const serverNow = sql.literal(server)
  const moment = thisMoment(sql)
  // As subqueries, they are computed once, not for each row.
  const horizonNow = sql`(select ${moment.horizon})`
  const next = sql`(select ${moment.next})`

  // A row from the dump of another server has that server's transaction id, which this server reaches some day: only its age
  // tells that its transaction ended long ago. No transaction stays open for a day, because sessions end idle ones.
  const isSettled = (horizon: Fragment): Fragment =>
    sql`(${settled(sql, { horizon, next })} or updated_at < now() - interval '1 day')`

  const isOf = ({ teamId, within }: ListedTable): Fragment =>
    within === undefined
      ? sql`team_id = ${teamId}`
      : sql`team_id = ${teamId} and ${sql.literal(within.column)} = ${within.uuid}`

  const isPurgeOf = ({ teamId, type, within }: ListedTable): Fragment =>
    sql`team_id = ${teamId} and resource_type = ${type} and list_id = ${within?.uuid ?? teamId}`

  const orderOf = (since: Range["since"]): Fragment => sql.literal(since === undefined ? "created_at" : "updated_at")

  /** What changed after a position. The transaction ids of another server say nothing: all of the last moment is listed again. */
  const isAfter = ({ at, horizon, server, shown }: SyncPosition, serverOfPage: Fragment): ReadonlyArray<Fragment> => [
    sql`updated_at >= ${at}::timestamptz and (
      updated_at > ${at}::timestamptz or ${serverOfPage} <> ${server}::text
      or (transaction_id >= ${horizon}::xid8 and transaction_id < ${next})
    )`,
    ...(shown.length === 0
      ? []
      : [
          sql`(${serverOfPage} <> ${server}::text or (id, transaction_id) not in (
            select * from unnest(
              ${shown.map(({ uuid }) => uuid)}::uuid[],
              ${shown.map(({ transactionId }) => transactionId)}::text[]::xid8[]
            )
          ))`
        ])
  ]

  /** The rows of a page with the transactions of those that are not settled; it continues a reading, or begins one. */
  const page = <Row extends Listed>(
    { conditions, from, range: { after, limit, since }, selected }: Reading<Row>,
    progress: Progress | undefined
  ): Statement<unknown> => {
    const horizon = progress === undefined ? horizonNow : sql`${progress.horizon}::xid8`
    const server = progress === undefined ? serverNow : sql`${progress.server}::text`
    const order = orderOf(since)
    const wanted = [isOf(from), ...conditions]
    if (since instanceof Date) wanted.push(sql`updated_at >= ${since}`)
    else if (since !== undefined) wanted.push(...isAfter(since, server))
    if (since !== undefined) wanted.push(isSettled(horizon))
    if (after !== undefined) wanted.push(sql`(${order}, id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
    return sql`
      select ${selected},
        case when transaction_id >= ${horizon} and transaction_id < ${next} then transaction_id::text end as unsettled
      from ${sql.literal(from.name)} where ${sql.and(wanted)}
      order by ${order}, id limit ${limit}`
  }

  const readRows = Effect.fnUntraced(function* <Row extends Listed>(
    reading: Reading<Row>
  ): Effect.fn.Return<Pick<Fetched<Row>, "progress" | "rows">> {
    const {
      range: { progress, since },
      toRow,
      unprepared = false
    } = reading
    const valuesOf = (statement: Statement<unknown>) =>
      orDie(unprepared ? statement.valuesUnprepared : statement.values)
    const toListed = (values: ReadonlyArray<unknown>, unsettled: unknown) => ({
      ...toRow(values),
      unsettled: unsettled as string | null
    })
    if (progress !== undefined) {
      const found = yield* valuesOf(page(reading, progress))
      return { rows: found.map((values) => toListed(values, values.at(-1))), progress }
    }
    // An empty page, too, says when it was read.
    const found = yield* valuesOf(sql`
      select page.*, begun.horizon, begun.server
      from (select ${horizonNow}::text as horizon, ${serverNow} as server) as begun
      left join (${page(reading, undefined)}) as page on true
      order by page.${orderOf(since)}, page.id`)
    const [horizon, server] = (found[0] ?? []).slice(-2) as [string, string]
    const rows = found.filter(([id]) => id !== null).map((values) => toListed(values, values.at(-3)))
    return { rows, progress: { horizon, server, shown: [] } }
  })

  /**
   * The time of a position at the end of a reading. What precedes the horizon was not changed after it, and all else not before
   * it. A purge comes weeks after its deletions. After a restore in the middle of a reading, all is listed again.
   */
  const endOf = (from: ListedTable, { horizon, server }: Progress): Fragment => {
    // Here age says nothing: this may be days after the reading began.
    const isSeen = settled(sql, { horizon: sql`${horizon}::xid8`, next })
    return sql`
      to_char(case when ${serverNow} = ${server}::text then greatest(
        (select updated_at from ${sql.literal(from.name)} where ${isOf(from)} and ${isSeen}
        order by updated_at desc limit 1),
        (select updated_at + interval '1 millisecond' from purged_tombstones where ${isPurgeOf(from)} and ${isSeen}),
        'epoch'
      ) else 'epoch' end at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  }

  /** Tombstones that were purged, but not shown to the reader. */
  const isUnseen = ({ after, since }: Range, { server }: Progress): Fragment => {
    if (after !== undefined) return sql`updated_at >= ${after.at}::timestamptz`
    if (since === undefined) return sql`false`
    if (since instanceof Date) return sql`updated_at >= ${since}`
    const isLater = sql`updated_at > ${since.at}::timestamptz`
    return since.server === server
      ? sql`(${isLater} or (updated_at = ${since.at}::timestamptz and transaction_id >= ${since.horizon}::xid8))`
      : sql`updated_at >= ${since.at}::timestamptz`
  }

  /** What is known only after the rows were read, so that no purge goes unnoticed. */
  const readEnd = Effect.fnUntraced(function* (
    from: ListedTable,
    range: Range,
    progress: Progress,
    isLast: boolean
  ): Effect.fn.Return<Pick<Fetched<Listed>, "at" | "isGone">> {
    const needsTombstones = range.includeDeleted && range.since !== undefined
    if (!isLast && !needsTombstones) return { at: undefined, isGone: false }
    const [end = []] = yield* orDie(
      sql`
      select ${isLast ? endOf(from, progress) : sql`null`}, ${
        needsTombstones
          ? sql`exists (select from purged_tombstones where ${isPurgeOf(from)} and ${isUnseen(range, progress)})`
          : sql`false`
      }`.values
    )
    const [at, isGone] = end as readonly [string | null, boolean]
    return { at: at ?? undefined, isGone }
  })

  return Effect.fnUntraced(function* <Row extends Listed>(reading: Reading<Row>): Effect.fn.Return<Fetched<Row>> {
    const { from, range } = reading
    const { progress, rows } = yield* readRows(reading)
    const isLast = rows.length < range.limit
    return { rows, progress, ...(yield* readEnd(from, range, progress, isLast)) }
  })
})
