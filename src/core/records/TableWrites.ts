/** The SQL that writes one table of records, a set at a time, and purges its tombstones. Writes are scoped by team. */
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { Change } from "../mutation/Changes.ts"
import { type DueRows, ofFirstTeam, type OfTeam, purgeListed } from "../mutation/purgeListed.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import * as Id from "../Id.ts"
import type { AnyFields, Column, ColumnType, NextVersion, Table } from "./Table.ts"

/** The assignments by which an `update` of `table` makes the next version of its rows. */
export const nextVersionColumns = (
  sql: Database["Service"],
  table: string,
  change: Change,
  changeType: "deleted" | "restored" | "updated"
) => sql`
  version = ${sql.literal(table)}.version + 1, transaction_id = ${change.transactionId}::xid8,
  updated_at = ${change.at}, change_type = ${changeType}, change_origin = ${change.actor.origin}`

const isList = (type: ColumnType) => type.endsWith("[]")

/** The column's value of a member: ids become UUIDs. */
const toValue = ({ codec, prefix }: Column, member: unknown): unknown => {
  if (codec !== undefined) return member === null ? null : codec.toValue(member)
  if (prefix === undefined) return member
  if (Array.isArray(member)) return member.map((id: string) => Id.toUuid(prefix, id))
  return typeof member === "string" ? Id.toUuid(prefix, member) : member
}

interface WrittenColumn<Fields> {
  readonly name: string
  readonly type: ColumnType
  readonly kept: boolean
  readonly valueOf: (fields: Fields) => unknown
}

const writtenColumns = <Fields extends AnyFields, Resource>(
  table: Table<Fields, Resource>
): ReadonlyArray<WrittenColumn<Fields>> => [
  ...Object.entries<Column>(table.columns).map(([member, column]) => ({
    name: column.name,
    type: column.type,
    kept: column.kept === true,
    valueOf: (fields: Fields) => toValue(column, fields[member as keyof Fields])
  })),
  ...Object.entries(table.derived ?? {}).map(([name, { of, type }]) => ({ name, type, kept: false, valueOf: of }))
]

/** Makes the writes of a table. */
export const make = Effect.fnUntraced(function* <Fields extends AnyFields, Resource>(table: Table<Fields, Resource>) {
  const sql = yield* Database
  const name = sql.literal(table.name)
  const columns = writtenColumns(table)
  const names = sql.literal(columns.map((column) => column.name).join(", "))
  const definitions = sql.literal(columns.map((column) => `${column.name} ${column.type}`).join(", "))
  const assignments = sql.literal(columns.map((column) => `${column.name} = row.${column.name}`).join(", "))
  const emptied = sql.literal(
    columns
      .filter(({ kept }) => !kept)
      .map((column) => `, ${column.name} = ${isList(column.type) ? "'{}'" : "null"}`)
      .join("")
  )

  const toRow = ({ changeType, fields, readVersion, uuid, version }: NextVersion<Fields>) => {
    const row: Record<string, unknown> = {}
    for (const column of columns) row[column.name] = column.valueOf(fields)
    return { ...row, id: uuid, read_version: readVersion, version, change_type: changeType }
  }

  // Concurrent writers insert rows of a unique index in one order, so that they cannot deadlock.
  const inOrder = table.unique === undefined ? sql`` : sql`order by ${sql.literal(table.unique.join(", "))}`

  /** Inserts records, unless another one violates their uniqueness; returns how many were inserted. */
  const insert = Effect.fnUntraced(function* (change: Change, versions: ReadonlyArray<NextVersion<Fields>>) {
    if (versions.length === 0) return 0
    const inserted = yield* orDie(sql`
      insert into ${name} (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, ${names}
      )
      select id, ${change.actor.teamId}::uuid, version, ${change.transactionId}::xid8, ${change.at}::timestamptz,
        ${change.at}::timestamptz, change_type, ${change.actor.origin}::text, ${names}
      from jsonb_to_recordset(${sql.json(versions.map(toRow))})
        as row (id uuid, version bigint, change_type text, ${definitions})
      ${inOrder}
      on conflict do nothing
      returning id`)
    return inserted.length
  })

  /** Updates records that still have the version that was read, also tombstones, which live again; returns how many. */
  const update = Effect.fnUntraced(function* (change: Change, versions: ReadonlyArray<NextVersion<Fields>>) {
    if (versions.length === 0) return 0
    const updated = yield* orDie(sql`
      update ${name} set
        version = row.version, transaction_id = ${change.transactionId}::xid8, updated_at = ${change.at},
        change_type = row.change_type, change_origin = ${change.actor.origin}, deleted_at = null, deleted_refs = null,
        ${assignments}
      from jsonb_to_recordset(${sql.json(versions.map(toRow))})
        as row (id uuid, read_version bigint, version bigint, change_type text, ${definitions})
      where ${name}.id = row.id and ${name}.team_id = ${change.actor.teamId} and ${name}.version = row.read_version
      returning ${name}.id`)
    return updated.length
  })

  /** Turns records that still have the version that was read into tombstones; returns how many. */
  const deleteAll = Effect.fnUntraced(function* (
    change: Change,
    versions: ReadonlyArray<Omit<NextVersion<Fields>, "changeType">>,
    mergedInto: string | null = null
  ) {
    if (versions.length === 0) return 0
    const rows = versions.map(({ fields, readVersion, uuid, version }) => ({
      id: uuid,
      read_version: readVersion,
      version,
      refs: fields.externalRefs
    }))
    const deleted = yield* orDie(sql`
      update ${name} set
        version = row.version, transaction_id = ${change.transactionId}::xid8, updated_at = ${change.at},
        deleted_at = ${change.at}, change_type = 'deleted', change_origin = ${change.actor.origin},
        deleted_refs = row.refs ${emptied}
        ${table.mergeable ? sql`, merged_into = ${mergedInto}::uuid` : sql``}
      from jsonb_to_recordset(${sql.json(rows)})
        as row (id uuid, read_version bigint, version bigint, refs jsonb)
      where ${name}.id = row.id and ${name}.team_id = ${change.actor.teamId} and ${name}.version = row.read_version
        and ${name}.deleted_at is null
      returning ${name}.id`)
    return deleted.length
  })

  /** Makes the records that redirect to one of `from` redirect to `to` (UUIDs), so that every redirect is a single one. */
  const redirect = Effect.fnUntraced(function* (teamId: string, from: ReadonlyArray<string>, to: string) {
    if (!table.mergeable || from.length === 0) return
    yield* orDie(sql`
      update ${name} set merged_into = ${to}
      where team_id = ${teamId} and merged_into = any(${from}::uuid[])`)
  })

  /**
   * Locks at most `limit` tombstones from before `until`, of the team that has the oldest, and returns them. One that redirects to a
   * record that exists stays. `conditions` must be true of each as well; they call the table `dead`.
   */
  const findPurgeable = Effect.fnUntraced(function* (
    until: Date,
    { failed, limit }: DueRows,
    conditions: ReadonlyArray<Fragment> = []
  ) {
    const all = [sql`deleted_at < ${until}`, sql`team_id <> all(${failed}::uuid[])`, ...conditions]
    if (table.mergeable) {
      all.push(sql`
        (merged_into is null or not exists (select from ${name} other where other.id = dead.merged_into and other.team_id = dead.team_id))`)
    }
    return ofFirstTeam(
      yield* orDie(sql<{ readonly team_id: string; readonly id: string }>`
        select team_id, id from ${name} dead where ${sql.and(all)} order by deleted_at limit ${limit}`)
    )
  })

  const lockPurgeable = Effect.fnUntraced(function* (until: Date, { teamId, uuids }: OfTeam) {
    // `deleted_at` is checked again: a record may have been restored.
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from ${name}
      where team_id = ${teamId} and deleted_at < ${until} and id = any(${uuids}::uuid[])
      order by id for update`)
    return { teamId, uuids: rows.map(({ id }) => id) }
  })

  /** Removes locked tombstones of a team for good. Deltas that would have to list them answer 410 from then on. */
  const purge = Effect.fnUntraced(function* ({ teamId, uuids }: OfTeam) {
    yield* purgeListed(
      sql,
      { table: table.name, type: table.type, listedBy: table.listedBy },
      teamId,
      sql`id = any(${uuids}::uuid[])`
    )
  })

  return { insert, update, delete: deleteAll, redirect, findPurgeable, lockPurgeable, purge }
})
