/** The SQL of a page of a list with deltas: one statement, also for how far its reader has then seen the list. */
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
  const moment = { horizon: sql`moment.horizon`, next: sql`moment.next` }

  // A row from the dump of another server has that server's transaction id, which this server reaches some day: only its age
  // tells that its transaction ended long ago. No transaction stays open for a day, because sessions end idle ones.
  const isOld = sql`updated_at < now() - interval '1 day'`

  const isOf = ({ teamId, within }: ListedTable): Fragment =>
    within === undefined
      ? sql`team_id = ${teamId}`
      : sql`team_id = ${teamId} and ${sql.literal(within.column)} = ${within.uuid}`

  /** Settled rows were not changed after this time, and all others not before it. A purge comes weeks after its deletions. */
  const settledUntil = (from: ListedTable): Fragment => sql`
    greatest(
      (select updated_at from ${sql.literal(from.name)}
      where ${isOf(from)} and (transaction_id < snapshot.horizon or transaction_id >= snapshot.next or ${isOld})
      order by updated_at desc limit 1),
      purged.updated_at + interval '1 millisecond',
      'epoch'
    )`

  /** Whether a tombstone was purged that the reader has not been shown. */
  const isMissing = ({ after, includeDeleted, since }: Range): Fragment => {
    if (!includeDeleted || since === undefined) return sql`false`
    if (after !== undefined) return sql`purged.updated_at >= ${after.at}::timestamptz`
    return since instanceof Date
      ? sql`purged.updated_at >= ${since}`
      : sql`purged.updated_at >= ${since.at}::timestamptz and (
          purged.updated_at > ${since.at}::timestamptz or snapshot.server <> ${since.server}::text
          or purged.transaction_id >= ${since.horizon}::xid8
        )`
  }

  /** The transaction ids of another server say nothing: from there, everything of the last moment is listed again. */
  const isAfter = ({ at, horizon, server, shown }: SyncPosition): ReadonlyArray<Fragment> => [
    sql`updated_at >= ${at}::timestamptz and (
      updated_at > ${at}::timestamptz or moment.server <> ${server}::text
      or (transaction_id >= ${horizon}::xid8 and transaction_id < moment.next)
    )`,
    ...(shown.length === 0
      ? []
      : [
          sql`(moment.server <> ${server}::text or (id, transaction_id) not in (
            select * from unnest(
              ${shown.map(({ uuid }) => uuid)}::uuid[],
              ${shown.map(({ transactionId }) => transactionId)}::text[]::xid8[]
            )
          ))`
        ])
  ]

  const sinceConditions = ({ since }: Range): ReadonlyArray<Fragment> =>
    since === undefined
      ? []
      : [
          ...(since instanceof Date ? [sql`updated_at >= ${since}`] : isAfter(since)),
          sql`(${settled(sql, moment)} or ${isOld})`
        ]

  /** A page of all rows after the first. Its reader's position is known, and it needs no tombstone: only the rows are read. */
  const readFurther = Effect.fnUntraced(function* <Row extends Listed>(
    { conditions, from, range: { after, limit }, selected, toRow, unprepared = false }: Reading<Row>,
    position: SyncPosition
  ): Effect.fn.Return<Fetched<Row>> {
    const wanted = [isOf(from), ...conditions]
    if (after !== undefined) wanted.push(sql`(created_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
    const statement = sql`
      select ${selected}, case
          when transaction_id >= ${position.horizon}::xid8 and transaction_id < ${thisMoment(sql).next}
          then transaction_id::text
        end as unsettled
      from ${sql.literal(from.name)} where ${sql.and(wanted)}
      order by created_at, id limit ${limit}`
    const found = yield* orDie(unprepared ? statement.valuesUnprepared : statement.values)
    return {
      rows: found.map((values) => ({ ...toRow(values), unsettled: values.at(-1) as string | null })),
      isGone: false,
      position
    }
  })

  const readWithMoment = Effect.fnUntraced(function* <Row extends Listed>({
    conditions,
    from,
    range,
    selected,
    toRow,
    unprepared = false
  }: Reading<Row>): Effect.fn.Return<Fetched<Row>> {
    const { after, limit, position, since } = range
    const order = sql.literal(since === undefined ? "created_at" : "updated_at")
    const isFirst = position === undefined
    const wanted = [isOf(from), ...conditions, ...sinceConditions(range)]
    if (after !== undefined) wanted.push(sql`(${order}, id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
    const needsServer = isFirst || (since !== undefined && !(since instanceof Date))
    const statement = sql`
      select page.*, moment.horizon::text, moment.server, moment.settled_until, moment.is_missing
      from (
        select snapshot.*, coalesce(${isMissing(range)}, false) as is_missing,
          ${
            isFirst
              ? sql`to_char(${settledUntil(from)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
              : sql`null::text`
          } as settled_until
        from (
          select ${isFirst ? thisMoment(sql).horizon : sql`${position.horizon}::xid8`} as horizon,
            ${thisMoment(sql).next} as next, ${sql.literal(needsServer ? serverNow : "null::text")} as server
          offset 0
        ) as snapshot
        left join purged_tombstones as purged on purged.team_id = ${from.teamId}
          and purged.resource_type = ${from.type} and purged.list_id = ${from.within?.uuid ?? from.teamId}
        offset 0
      ) as moment
      left join lateral (
        select ${selected}, ${order} as ordered_by,
          case when transaction_id >= moment.horizon and transaction_id < moment.next then transaction_id::text end as unsettled
        from ${sql.literal(from.name)} where ${sql.and(wanted)}
        order by ${order}, id limit ${limit}
      ) as page on true
      order by page.ordered_by, page.id`
    const found = yield* orDie(unprepared ? statement.valuesUnprepared : statement.values)
    const [horizon, server, settledUntil_, isGone] = (found[0] ?? []).slice(-4) as [string, string, string, boolean]
    return {
      rows: found
        .filter(([id]) => id !== null)
        .map((values) => ({ ...toRow(values), unsettled: values.at(-5) as string | null })),
      isGone,
      position: position ?? { horizon, server, at: settledUntil_, shown: [] }
    }
  })

  return <Row extends Listed>(reading: Reading<Row>): Effect.Effect<Fetched<Row>> => {
    const { position, since } = reading.range
    return position !== undefined && since === undefined ? readFurther(reading, position) : readWithMoment(reading)
  }
})
