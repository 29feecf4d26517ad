/** The SQL of a page of a list with deltas: how far its reader will have seen the list, the rows, and whether a purge left a gap. */
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import { settled, thisMoment } from "./Delta.ts"
import type { Fetched, Listed, Range } from "./DeltaList.ts"
import type { SyncPosition } from "./SyncPosition.ts"

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
  /** The select list of {@link Reading.toRow}. Its first column is `id`. */
  readonly selected: Fragment
  readonly conditions: ReadonlyArray<Fragment>
  readonly toRow: (values: ReadonlyArray<unknown>) => Row
  /** Has the database plan the statement for its values: needed where the plan depends on how common they are. */
  readonly unprepared?: boolean
}

// Rows of one server in different states: a restore from a base backup begins a new timeline.
const serverNow = `
  (select system_identifier::text from pg_control_system()) || '.' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`

/** Makes the function that reads a page. */
export const make = Effect.gen(function* () {
  const sql = yield* Database
  const { horizon: horizonNow, next } = thisMoment(sql)

  // A row from the dump of another server has that server's transaction id, which this server reaches some day: only its age
  // tells that its transaction ended long ago. No transaction stays open for a day, because sessions end idle ones.
  const isOld = sql`updated_at < now() - interval '1 day'`

  const isOf = ({ teamId, within }: ListedTable): Fragment =>
    within === undefined
      ? sql`team_id = ${teamId}`
      : sql`team_id = ${teamId} and ${sql.literal(within.column)} = ${within.uuid}`

  const isMarkOf = ({ teamId, type, within }: ListedTable): Fragment =>
    sql`team_id = ${teamId} and resource_type = ${type} and list_id = ${within?.uuid ?? teamId}`

  /**
   * How far a reader has seen the list who reads its rows from now on. Settled rows were not changed after `at`, and all others
   * not before it. A purge comes weeks after its deletions.
   */
  const readPosition = Effect.fnUntraced(function* (from: ListedTable): Effect.fn.Return<SyncPosition> {
    const rows = yield* orDie(
      sql`
      select ${horizonNow}::text, ${sql.literal(serverNow)},
        to_char(greatest(
          (select updated_at from ${sql.literal(from.name)}
          where ${isOf(from)} and (${settled(sql)} or ${isOld})
          order by updated_at desc limit 1),
          (select updated_at + interval '1 millisecond' from purged_tombstones where ${isMarkOf(from)}),
          'epoch'
        ) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.values
    )
    const [horizon, server, at] = rows[0] as readonly [string, string, string]
    return { horizon, server, at, shown: [] }
  })

  /** What changed after a position. The transaction ids of another server say nothing: all of the last moment is listed again. */
  const isAfter = ({ at, horizon, server, shown }: SyncPosition, position: SyncPosition): Fragment => {
    const notBefore = sql`updated_at >= ${at}::timestamptz`
    if (server !== position.server) return notBefore
    const unseen = sql`(updated_at > ${at}::timestamptz or (transaction_id >= ${horizon}::xid8 and transaction_id < ${next}))`
    if (shown.length === 0) return sql.and([notBefore, unseen])
    return sql.and([
      notBefore,
      unseen,
      sql`(id, transaction_id) not in (
        select * from unnest(
          ${shown.map(({ uuid }) => uuid)}::uuid[],
          ${shown.map(({ transactionId }) => transactionId)}::text[]::xid8[]
        )
      )`
    ])
  }

  const readRows = Effect.fnUntraced(function* <Row extends Listed>(
    { conditions, from, range: { after, limit, since }, selected, toRow, unprepared = false }: Reading<Row>,
    position: SyncPosition
  ): Effect.fn.Return<Fetched<Row>["rows"]> {
    const horizon = sql`${position.horizon}::xid8`
    const order = sql.literal(since === undefined ? "created_at" : "updated_at")
    const wanted = [isOf(from), ...conditions]
    if (since !== undefined) {
      wanted.push(
        since instanceof Date ? sql`updated_at >= ${since}` : isAfter(since, position),
        sql`(${settled(sql, { horizon, next })} or ${isOld})`
      )
    }
    if (after !== undefined) wanted.push(sql`(${order}, id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
    const statement = sql`
      select ${selected},
        case when transaction_id >= ${horizon} and transaction_id < ${next} then transaction_id::text end as unsettled
      from ${sql.literal(from.name)} where ${sql.and(wanted)}
      order by ${order}, id limit ${limit}`
    const found = yield* orDie(unprepared ? statement.valuesUnprepared : statement.values)
    return found.map((values) => ({ ...toRow(values), unsettled: values.at(-1) as string | null }))
  })

  const purgedSince = (since: Date | SyncPosition, position: SyncPosition): Fragment => {
    if (since instanceof Date) return sql`updated_at >= ${since}`
    const { at, horizon, server } = since
    return server === position.server
      ? sql`(updated_at > ${at}::timestamptz or (updated_at = ${at}::timestamptz and transaction_id >= ${horizon}::xid8))`
      : sql`updated_at >= ${at}::timestamptz`
  }

  /** Whether a tombstone was purged that the reader has not been shown. */
  const isGone = Effect.fnUntraced(function* (
    from: ListedTable,
    { after, includeDeleted, since }: Range,
    position: SyncPosition
  ): Effect.fn.Return<boolean> {
    if (!includeDeleted || since === undefined) return false
    const missed = after === undefined ? purgedSince(since, position) : sql`updated_at >= ${after.at}::timestamptz`
    const found = yield* orDie(sql`select from purged_tombstones where ${isMarkOf(from)} and ${missed}`.values)
    return found.length > 0
  })

  // In this order: what settles after the position was read is not of this delta, and a purge is noticed that ends before the
  // rows are read. Together in one statement, the position would be selected with each row, which costs a third of the page.
  return Effect.fnUntraced(function* <Row extends Listed>(reading: Reading<Row>): Effect.fn.Return<Fetched<Row>> {
    const { from, range } = reading
    const position = range.position ?? (yield* readPosition(from))
    const rows = yield* readRows(reading, position)
    return { rows, isGone: yield* isGone(from, range, position), position }
  })
})
