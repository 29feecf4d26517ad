/**
 * Delta sync (docs/behaviour/http.md#delta-sync): what changed since a moment, without gaps. `begin_change` gives transactions their
 * ids and times in one order. A delta therefore shows all changes that are older than the oldest open transaction, and holds
 * younger ones back until that transaction ends (docs/adr/0002-transaction-id-horizon.md).
 */
import type { Fragment, Statement } from "effect/sql/Statement"
import { Database } from "../../platform/db/Database.ts"
import { Effect, Predicate } from "effect"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { CurrentStandby, serverName } from "../../platform/db/Standbys.ts"
import { sizeOf } from "../usecase/TeamBudget.ts"
import type { Fetched, Listed, Range, SyncPosition } from "./DeltaList.ts"

/** A moment as SQL: the oldest transaction that was open then, and the next id that the server would have assigned. */
export interface Moment {
  readonly horizon: Fragment
  readonly next: Fragment
}

/** The moment of the statement. All transactions before its horizon have ended. */
export const thisMoment = (sql: Database["Service"]): Moment => ({
  horizon: sql`pg_snapshot_xmin(pg_current_snapshot())`,
  next: sql`pg_snapshot_xmax(pg_current_snapshot())`
})

/**
 * The SQL condition on a row's `transaction_id` that holds back rows of the horizon and younger ones. An id that this server has not
 * assigned yet belongs to a row from the dump of another server, whose transaction ended long ago.
 *
 * All pages of one delta use the `horizon` of the first, or that of a server that is behind it. With a horizon of its own, a later page
 * could show rows while an older row that settled in between lies before the cursor: the reader would continue after it and never see it.
 */
export const settled = (sql: Database["Service"], { horizon, next }: Moment = thisMoment(sql)): Fragment =>
  sql`(transaction_id < ${horizon} or transaction_id >= ${next})`

// The SQL of a page of a list with deltas: its rows, how far their reader has then seen the list, and whether a purge left a gap.

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
  /** The select list of {@link Reading.toRow}. */
  readonly selected: Fragment
  readonly conditions: ReadonlyArray<Fragment>
  readonly toRow: (values: ReadonlyArray<unknown>) => Row
  /** Adds what the statement does not read to the values of its rows. */
  readonly complete?: (
    found: ReadonlyArray<ReadonlyArray<unknown>>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>>
  /** Has the database plan the statement for its values: needed where the plan depends on how common they are. */
  readonly unprepared?: boolean
}

// What the name of a member takes.
const bytesOfName = 16

/** What a row takes as JSON, roughly. Looking at its values takes half the time of looking at the members of its record. */
const bytesOf = (values: ReadonlyArray<unknown>): number => sizeOf(values) + values.length * bytesOfName

/** Makes the function that reads a page. */
export const makeDeltaPage = Effect.gen(function* () {
  const sql = yield* Database
  const primary = sql.literal(`(select ${serverName})`)
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

  /**
   * How far a reader has seen the list who reads it in the same statement, as one text. Settled rows were not changed after its time,
   * and all others not before it. A purge comes weeks after its deletions.
   */
  const positionNow = (from: ListedTable, server: Fragment): Fragment => sql`
    select concat_ws(' ', ${horizonNow}, ${server}, to_char(greatest(
      (select updated_at from ${sql.literal(from.name)} where ${isOf(from)} and ${isSettled(horizonNow)}
      order by updated_at desc limit 1),
      (select updated_at + interval '1 millisecond' from purged_tombstones where ${isPurgeOf(from)}),
      'epoch'
    ) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))`

  /** Whether a server has the ids of transactions of a position: those that it was promoted from have the same ones. */
  const isOnSystemOf = (position: SyncPosition, server: Fragment): Fragment =>
    sql`split_part(${server}, '.', 1) = split_part(${position.server}::text, '.', 1)`

  /**
   * Whether a server is behind that of the pages before, such as a late standby: transactions before their horizon may not have ended
   * there. Ids of another system, to which the team was moved, do not say whether it is behind: it has all that was there before.
   */
  const isBehind = (former: SyncPosition, server: Fragment): Fragment =>
    sql`${former.horizon}::xid8 > ${horizonNow} and ${isOnSystemOf(former, server)}`

  /** The position of the page's reader, where it is not that of the pages before it: of a reading that begins, and at a server behind. */
  const positionOf = (from: ListedTable, server: Fragment, former: SyncPosition | undefined): Fragment =>
    former === undefined
      ? sql`(${positionNow(from, server)})`
      : sql`(${positionNow(from, server)} where ${isBehind(former, server)})`

  const toPosition = (text: unknown, former: SyncPosition | undefined): SyncPosition => {
    if (text === null && former !== undefined) return former
    const [horizon = "", server = "", at = ""] = String(text).split(" ")
    return { horizon, server, at, shown: server === former?.server ? former.shown : [] }
  }

  /**
   * The statement of a page. Before its last column, it has the position of the reader or, if it has one already, whether the server is
   * behind it: planning for the position, which is seldom needed, takes a fifth of the page's time.
   */
  const page = <Row extends Listed>(
    { conditions, from, range: { after, limit, since }, selected, unprepared = false }: Reading<Row>,
    serverNow: Fragment,
    position: SyncPosition | undefined
  ): Statement<unknown> => {
    const horizon =
      position === undefined ? horizonNow : sql`(select least(${position.horizon}::xid8, ${moment.horizon}))`
    const server =
      position === undefined
        ? serverNow
        : sql`(select case when ${isOnSystemOf(position, serverNow)} then ${position.server}::text else ${serverNow} end)`
    const order = sql.literal(since === undefined ? "created_at" : "updated_at")
    const wanted = [isOf(from), ...conditions]
    if (since instanceof Date) wanted.push(sql`updated_at >= ${since}`)
    else if (since !== undefined) wanted.push(...isAfter(since, server))
    if (since !== undefined) wanted.push(isSettled(horizon))
    if (after !== undefined) wanted.push(sql`(${order}, id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
    // What the planner does not know, it takes for a tenth of the list, and then prefers the index in the list's order: ADR 32.
    const rows = unprepared ? sql`${limit}` : sql`(select ${limit}::int)`
    return sql`
      select ${selected}, ${position === undefined ? positionOf(from, serverNow, position) : isBehind(position, serverNow)},
        case when transaction_id >= ${horizon} and transaction_id < ${next} then transaction_id::text end as unsettled
      from ${sql.literal(from.name)} where ${sql.and(wanted)}
      order by ${order}, id limit ${rows}`
  }

  const valuesOf = ({ unprepared = false }: Pick<Reading<Listed>, "unprepared">, statement: Statement<unknown>) =>
    orDie(unprepared ? statement.valuesUnprepared : statement.values)

  /** The rows of a page, and the position of its reader. */
  const readRows = Effect.fnUntraced(function* <Row extends Listed>(reading: Reading<Row>) {
    const { from, range } = reading
    const standby = yield* CurrentStandby
    // A standby numbers transactions as the primary does that it follows.
    const server = standby === undefined ? primary : sql`${standby.serverName}::text`
    const statement = page(reading, server, range.position)
    const found = yield* valuesOf(reading, statement)
    const said = found[0]?.at(-2)
    if (Predicate.isString(said)) return { found, position: toPosition(said, undefined) }
    if (said === false && range.position !== undefined) return { found, position: range.position }
    // No row says when it was read, or the server is behind.
    const ofReader = positionOf(from, server, range.position)
    const [row = []] = yield* valuesOf(reading, sql`select ${ofReader}, exists (${statement})`)
    const position = toPosition(row[0], range.position)
    return { found: row[1] === true ? yield* valuesOf(reading, page(reading, server, position)) : [], position }
  })

  /** Tombstones that were purged, but not shown to the reader. */
  const isUnseen = ({ after, since }: Range, { server }: SyncPosition): Fragment => {
    if (after !== undefined) return sql`updated_at >= ${after.at}::timestamptz`
    if (since === undefined) return sql`false`
    if (since instanceof Date) return sql`updated_at >= ${since}`
    const isLater = sql`updated_at > ${since.at}::timestamptz`
    return since.server === server
      ? sql`(${isLater} or (updated_at = ${since.at}::timestamptz and transaction_id >= ${since.horizon}::xid8))`
      : sql`updated_at >= ${since.at}::timestamptz`
  }

  /** Whether a tombstone was purged that the reader has not been shown. Asked after the rows were read, so that no purge goes unnoticed. */
  const isGone = Effect.fnUntraced(function* (
    from: ListedTable,
    range: Range,
    position: SyncPosition
  ): Effect.fn.Return<boolean> {
    if (!range.includeDeleted || range.since === undefined) return false
    const unseen = yield* orDie(
      sql`select 1 from purged_tombstones where ${isPurgeOf(from)} and ${isUnseen(range, position)}`.values
    )
    return unseen.length > 0
  })

  return Effect.fnUntraced(function* <Row extends Listed>(reading: Reading<Row>): Effect.fn.Return<Fetched<Row>> {
    const { complete, from, range, toRow } = reading
    const { found, position } = yield* readRows(reading)
    const rows = (complete === undefined ? found : yield* complete(found)).map((values) => ({
      ...toRow(values),
      unsettled: values.at(-1) as string | null,
      bytes: bytesOf(values)
    }))
    return { rows, isGone: yield* isGone(from, range, position), position }
  })
})

// Removes the tombstones of a list with deltas for good, so that deltas know what they cannot list any more.

/** The rows of a table, by the lists that they are on. */
export interface Purged {
  readonly table: string
  /** The type of the resources, as `purged_tombstones` has it. */
  readonly type: string
  /** The column of the record whose list a row is on, besides that of its team. */
  readonly listedBy?: string | undefined
}

/** Records of one team (UUIDs). */
export interface OfTeam {
  readonly teamId: string
  readonly uuids: ReadonlyArray<string>
}

/** Which rows a job looks for: at most `limit`, of other teams (UUIDs) than those whose parts failed. */
export interface DueRows {
  readonly limit: number
  readonly failed: ReadonlyArray<string>
}

/** Those of these rows that are of the team of the first one. Jobs look for rows of all teams, and write those of one at a time. */
export const ofFirstTeam = (
  rows: ReadonlyArray<{ readonly team_id: string; readonly id: string }>
): OfTeam | undefined => {
  const [first] = rows
  return first === undefined
    ? undefined
    : {
        teamId: first.team_id,
        uuids: rows.flatMap(({ id, team_id }) => (team_id === first.team_id ? [id] : []))
      }
}

/** Removes the tombstones of a team that meet a condition, and records the latest of each list. */
export const purgeListed = (
  sql: Database["Service"],
  { listedBy, table, type }: Purged,
  teamId: string,
  condition: Fragment
) => {
  const lists = sql.literal(["team_id", ...(listedBy === undefined ? [] : [listedBy])].join("), ("))
  return orDie(sql`
    with purged as (
      delete from ${sql.literal(table)} where team_id = ${teamId} and ${condition} returning *
    )
    insert into purged_tombstones as former (team_id, resource_type, list_id, updated_at, transaction_id)
    select distinct on (lists.id) team_id, ${type}, lists.id, updated_at, transaction_id
    from purged, lateral (values (${lists})) as lists (id)
    order by lists.id, updated_at desc, transaction_id desc
    on conflict (team_id, resource_type, list_id) do update
      set updated_at = excluded.updated_at, transaction_id = excluded.transaction_id
      where (excluded.updated_at, excluded.transaction_id) > (former.updated_at, former.transaction_id)`)
}
