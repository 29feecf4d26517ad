/** The SQL that reads one table of records: single ones, locked ones, lists and deltas. Everything is scoped by team. */
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { Fetched, Range } from "../mutation/DeltaList.ts"
import * as DeltaPage from "../mutation/DeltaPage.ts"
import { arrayParameter } from "../../platform/db/arrayParameter.ts"
import * as BatchedQuery from "../../platform/db/BatchedQuery.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { type ExternalRef, parseQuery } from "../externalRefs/ExternalRef.ts"
import { reader, selectedColumns } from "./RowReader.ts"
import type { AnyFields, Stored, Table } from "./Table.ts"

/** Makes the reads of a table. */
export const make = Effect.fnUntraced(function* <Fields extends AnyFields, Resource>(table: Table<Fields, Resource>) {
  const sql = yield* Database
  const name = sql.literal(table.name)
  const selected = selectedColumns(sql, table)
  const toStored = reader(table)
  const readPage = yield* DeltaPage.make

  /** The records that meet a condition, by creation, tombstones included. */
  const select = (teamId: string, condition: Fragment, limit = 1000) =>
    Effect.map(
      orDie(
        sql`
        select ${selected} from ${name}
        where team_id = ${teamId} and ${condition} order by created_at, id limit ${limit}`.values
      ),
      (rows) => rows.map(toStored)
    )

  // One statement for the finds of one moment, each scoped by its own team.
  const findBatched = yield* BatchedQuery.make(
    Effect.fnUntraced(function* (wanted: ReadonlyArray<{ readonly teamId: string; readonly uuid: string }>) {
      const rows = yield* orDie(
        sql`
      select ${selected}, team_id
      from unnest(
        ${arrayParameter(
          sql,
          "uuid",
          wanted.map(({ teamId }) => teamId)
        )},
        ${arrayParameter(
          sql,
          "uuid",
          wanted.map(({ uuid }) => uuid)
        )}
      ) as wanted (team_id, id)
      join ${name} using (team_id, id)
      where deleted_at is null${table.mergeable ? sql` or merged_into is not null` : sql``}`.values
      )
      const byKey = new Map(rows.map((values) => [`${String(values.at(-1))} ${String(values[0])}`, values]))
      return wanted.map(({ teamId, uuid }) => byKey.get(`${teamId} ${uuid}`))
    })
  )

  /** A record that lives, or that was merged into another. */
  const find = (teamId: string, uuid: string) =>
    Effect.map(findBatched({ teamId, uuid }), (values) => (values === undefined ? undefined : toStored(values)))

  /** These records, tombstones included. */
  const findAll = (teamId: string, uuids: ReadonlyArray<string>) =>
    uuids.length === 0
      ? Effect.succeed([])
      : select(teamId, sql`id = any(${arrayParameter(sql, "uuid", uuids)})`, uuids.length)

  /** Locks these records, tombstones included, until the transaction ends. */
  const lock = Effect.fnUntraced(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return []
    yield* orDie(sql`
      select id from ${name}
      where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) order by id for update`)
    // A second statement, because the one that waited would show the references as they were before the wait.
    return yield* findAll(teamId, uuids)
  })

  const hasRef = (teamId: string, ref: ExternalRef) =>
    sql`id = (
      select resource_id from external_references
      where team_id = ${teamId} and resource_type = ${table.type}
        and namespace = ${ref.namespace} and external_id = ${ref.externalId})`

  /**
   * A range of the list: all records, or the one with an external reference (NAMESPACE:ID), that meet the `filters`. Records
   * that live meet `ofMembers`, too.
   */
  const list = (
    teamId: string,
    range: Range,
    {
      externalRef,
      filters = [],
      ofMembers = [],
      unprepared = ofMembers.length > 0,
      within
    }: Pick<DeltaPage.ListedTable, "within"> & {
      readonly externalRef: string | undefined
      readonly filters?: ReadonlyArray<Fragment>
      readonly ofMembers?: ReadonlyArray<Fragment>
      readonly unprepared?: boolean
    }
  ): Effect.Effect<Fetched<Stored<Resource>>> => {
    const living = [...ofMembers, sql`deleted_at is null`]
    return readPage({
      from: { name: table.name, type: table.type, teamId, within },
      range,
      selected,
      conditions: [
        ...filters,
        ...(externalRef === undefined ? [] : [hasRef(teamId, parseQuery(externalRef))]),
        // Tombstones have no members to filter by, and clients that keep a filtered copy need them.
        ...(!range.includeDeleted
          ? living
          : ofMembers.length === 0
            ? []
            : [sql`(${sql.and(living)} or deleted_at is not null)`])
      ],
      toRow: toStored,
      unprepared
    })
  }

  return { select, find, findAll, lock, list }
})
