/** The SQL that the tables of all versioned records share: reads, and writes by the set, scoped by team. */
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { auditOf } from "../changes/Audit.ts"
import type { Change } from "../changes/Changes.ts"
import { horizonNow, settled } from "../changes/Delta.ts"
import type { Listed, Range } from "../changes/DeltaList.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import * as BatchedQuery from "../db/BatchedQuery.ts"
import { type ExternalRef, parseQuery } from "../externalRefs/ExternalRef.ts"
import * as Id from "../Id.ts"
import { reader, selectedOf } from "./ReadTable.ts"
import { auditMembers, make as makeSearch, type Searchable } from "./SearchTable.ts"

/** What a column holds. */
export type ColumnType =
  | "text"
  | "text[]"
  | "uuid"
  | "uuid[]"
  | "boolean"
  | "integer"
  | "timestamptz"
  | "date"
  | "jsonb"

/** How a member is kept: moments as ISO 8601 in UTC, dates as `YYYY-MM-DD`. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Of what the member is an id. */
  readonly prefix?: Id.Prefix
  /** Whether a tombstone keeps it. */
  readonly kept?: boolean
}

/** A member that is text. */
export const text = (name: string): Column => ({ name, type: "text" })

/** A member that is a list of texts. */
export const texts = (name: string): Column => ({ name, type: "text[]" })

/** A member of another type. */
export const column = (name: string, type: ColumnType, options: { readonly kept?: boolean } = {}): Column => ({
  name,
  type,
  ...options
})

/** A member that is a list of ids of other records. */
export const idsOf = (prefix: Id.Prefix, name: string): Column => ({ name, type: "uuid[]", prefix })

/** A member that is the id of another record. */
export const idOf = (prefix: Id.Prefix, name: string, options: { readonly kept?: boolean } = {}): Column => ({
  name,
  type: "uuid",
  prefix,
  ...options
})

/**
 * How many records that look the same a transaction of so many writes looks at: those that a refusal shows, and one for
 * each that is written, since they may be among them.
 */
export const maxCandidates = (writes: number) => 10 + writes

/** What every record has besides its own members. */
export type Audit = ReturnType<typeof auditOf>

/** A record's table. `Fields` are the members that are written, `Resource` is what is answered. */
export interface Table<Fields extends { readonly externalRefs: ReadonlyArray<ExternalRef> }, Resource> {
  readonly type: Id.Prefix
  readonly name: string
  readonly columns: { readonly [Member in Exclude<keyof Fields, "externalRefs">]: Column }
  /** Columns that follow from the members. */
  readonly derived?: {
    readonly [column: string]: { readonly type: ColumnType; readonly of: (fields: Fields) => unknown }
  }
  /** Columns that no two living records share. */
  readonly unique?: ReadonlyArray<string>
  /** Whether its records can become part of others. */
  readonly mergeable: boolean
  readonly toResource: (id: string, fields: Fields, audit: Audit) => Resource
}

/** A record with what its answer does not show. */
export interface Stored<Resource> {
  readonly uuid: string
  readonly version: number
  /** The id of the record that it has become part of: then it is a tombstone. */
  readonly mergedInto: string | null
  readonly deleted: boolean
  readonly resource: Resource
}

/** A record to be written: the state to come, and the version that it follows. */
export interface Written<Fields> {
  readonly uuid: string
  readonly readVersion: number
  readonly version: number
  readonly changeType: string
  readonly fields: Fields
}

/** The assignments by which an update of `table` makes the next version of its rows. */
export const nextVersion = (
  sql: Database["Service"],
  table: string,
  change: Change,
  changeType: "deleted" | "restored" | "updated"
) => sql`
  version = ${sql.literal(table)}.version + 1, transaction_id = pg_current_xact_id(), updated_at = ${change.at},
  change_type = ${changeType}, change_origin = ${change.actor.origin}`

const isList = (type: ColumnType) => type.endsWith("[]")

/** A member as the value of its column. */
const toValue = ({ prefix }: Column, member: unknown): unknown => {
  if (prefix === undefined) return member
  if (Array.isArray(member)) return member.map((id: string) => Id.toUuid(prefix, id))
  return typeof member === "string" ? Id.toUuid(prefix, member) : member
}

/** The statements of one table. */
export const make = Effect.fnUntraced(function* <
  Fields extends { readonly externalRefs: ReadonlyArray<ExternalRef> },
  Resource
>(table: Table<Fields, Resource>) {
  const sql = yield* Database
  const columns = Object.entries<Column>(table.columns)
  const derived = Object.entries(table.derived ?? {})
  const written = [
    ...columns.map(([, { name, type }]) => ({ name, type })),
    ...derived.map(([name, { type }]) => ({ name, type }))
  ]
  const name = sql.literal(table.name)
  const names = (prefix: string) => written.map((column) => `${prefix}${column.name}`).join(", ")
  const selected = selectedOf(sql, table)
  const toStored = reader(table)

  const valuesOf = (fields: Fields): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    for (const [member, column] of columns) values[column.name] = toValue(column, fields[member as keyof Fields])
    for (const [name, { of }] of derived) values[name] = of(fields)
    return values
  }

  const definitions = sql.literal(written.map((column) => `${column.name} ${column.type}`).join(", "))

  /** The records that a condition is true of, in the order of their creation, tombstones included. */
  const select = (teamId: string, condition: Fragment, limit = 1000) =>
    Effect.map(
      orDie(
        sql`
        select ${selected} from ${name}
        where team_id = ${teamId} and ${condition} order by created_at, id limit ${limit}`.values
      ),
      (rows) => rows.map(toStored)
    )

  // Those of one moment together, each in its own team.
  const found = yield* BatchedQuery.make(
    Effect.fnUntraced(function* (wanted: ReadonlyArray<{ readonly teamId: string; readonly uuid: string }>) {
      const rows = yield* orDie(
        sql`
      select ${selected}, team_id
      from unnest(${wanted.map(({ teamId }) => teamId)}::uuid[], ${wanted.map(({ uuid }) => uuid)}::uuid[])
        as wanted (team_id, id)
      join ${name} using (team_id, id)
      where deleted_at is null${table.mergeable ? sql` or merged_into is not null` : sql``}`.values
      )
      const byKey = new Map(rows.map((values) => [`${String(values.at(-1))} ${String(values[0])}`, values]))
      return wanted.map(({ teamId, uuid }) => byKey.get(`${teamId} ${uuid}`))
    })
  )

  /** A record that lives, or that has become part of another. */
  const find = (teamId: string, uuid: string) =>
    Effect.map(found({ teamId, uuid }), (values) => (values === undefined ? undefined : toStored(values)))

  /** These records, tombstones included. */
  const findAll = (teamId: string, uuids: ReadonlyArray<string>) =>
    uuids.length === 0 ? Effect.succeed([]) : select(teamId, sql`id = any(${uuids}::uuid[])`, uuids.length)

  /** These records, tombstones included, which nobody else can write until the transaction ends. */
  const lock = Effect.fnUntraced(function* (teamId: string, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return []
    yield* orDie(sql`
      select id from ${name}
      where team_id = ${teamId} and id = any(${uuids}::uuid[]) order by id for update`)
    // Read after the wait: the statement that waited would show the references as they were before.
    return yield* findAll(teamId, uuids)
  })

  /** The condition that a record has an external reference. */
  const hasRef = (teamId: string, ref: ExternalRef) =>
    sql`id = (
      select resource_id from external_references
      where team_id = ${teamId} and resource_type = ${table.type}
        and namespace = ${ref.namespace} and external_id = ${ref.externalId})`

  /**
   * A range of the list: all, or the one with an external reference (NAMESPACE:ID), on further conditions. `planAnew`: how
   * common the values in them are decides the plan, which one for all values would not know.
   */
  const list = Effect.fnUntraced(function* (
    teamId: string,
    { after, horizon, includeDeleted, limit, updatedSince }: Range,
    externalRef: string | undefined,
    further: ReadonlyArray<Fragment> = [],
    { planAnew = false }: { readonly planAnew?: boolean } = {}
  ) {
    const order = updatedSince === undefined ? sql`created_at` : sql`updated_at`
    const conditions = [sql`team_id = ${teamId}`, ...further]
    if (externalRef !== undefined) conditions.push(hasRef(teamId, parseQuery(externalRef)))
    if (!includeDeleted) conditions.push(sql`deleted_at is null`)
    if (updatedSince !== undefined) {
      conditions.push(sql`updated_at >= ${updatedSince}`, settled(sql, horizon))
    }
    if (after !== undefined) {
      conditions.push(sql`(${order}, id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
    }
    const statement = sql`
      select ${selected}, ${updatedSince === undefined ? sql`null` : horizonNow(sql)}::text as horizon
      from ${name} where ${sql.and(conditions)} order by ${order}, id limit ${limit}`
    const rows = yield* orDie(planAnew ? statement.valuesUnprepared : statement.values)
    return rows.map((values): Stored<Resource> & Listed => ({
      ...toStored(values),
      horizon: values.at(-1) as string | null
    }))
  })

  /** The search of the table. */
  const searchBy = (searchable: Searchable) =>
    makeSearch({
      sql,
      name: table.name,
      searchable: {
        ...searchable,
        members: {
          ...auditMembers,
          ...Object.fromEntries(columns.map(([member, column]) => [member, column.name])),
          ...searchable.members
        }
      },
      selected,
      toStored
    })

  const documentsOf = (writes: ReadonlyArray<Written<Fields>>) =>
    sql.json(
      writes.map(({ changeType, fields, readVersion, uuid, version }) => ({
        ...valuesOf(fields),
        id: uuid,
        read_version: readVersion,
        version,
        change_type: changeType
      }))
    )

  // Writers of the same few come to them in one order, so that none waits for one who waits for it.
  const inOrder = table.unique === undefined ? sql`` : sql`order by ${sql.literal(table.unique.join(", "))}`

  /** Adds records; answers how many there was no other in the way of. */
  const insert = Effect.fnUntraced(function* (change: Change, writes: ReadonlyArray<Written<Fields>>) {
    if (writes.length === 0) return 0
    const inserted = yield* orDie(sql`
      insert into ${name} (
        id, team_id, version, created_at, updated_at, change_type, change_origin, ${sql.literal(names(""))}
      )
      select id, ${change.actor.teamId}::uuid, version, ${change.at}::timestamptz, ${change.at}::timestamptz,
        change_type, ${change.actor.origin}::text, ${sql.literal(names(""))}
      from jsonb_to_recordset(${documentsOf(writes)})
        as row (id uuid, version bigint, change_type text, ${definitions})
      ${inOrder}
      on conflict do nothing
      returning id`)
    return inserted.length
  })

  /** Writes records that still have the version that was read, tombstones that come back included; answers how many. */
  const update = Effect.fnUntraced(function* (change: Change, writes: ReadonlyArray<Written<Fields>>) {
    if (writes.length === 0) return 0
    const assignments = written.map((column) => `${column.name} = row.${column.name}`).join(", ")
    const updated = yield* orDie(sql`
      update ${name} set
        version = row.version, transaction_id = pg_current_xact_id(), updated_at = ${change.at},
        change_type = row.change_type, change_origin = ${change.actor.origin}, deleted_at = null, deleted_refs = null,
        ${sql.literal(assignments)}
      from jsonb_to_recordset(${documentsOf(writes)})
        as row (id uuid, read_version bigint, version bigint, change_type text, ${definitions})
      where ${name}.id = row.id and ${name}.team_id = ${change.actor.teamId} and ${name}.version = row.read_version
      returning ${name}.id`)
    return updated.length
  })

  /** Leaves the tombstones of records that still have the version that was read; answers how many. */
  const remove = Effect.fnUntraced(function* (
    change: Change,
    writes: ReadonlyArray<Pick<Written<Fields>, "uuid" | "readVersion" | "version" | "fields">>,
    mergedInto: string | null = null
  ) {
    if (writes.length === 0) return 0
    const emptied = [
      ...columns.filter(([, { kept }]) => kept !== true).map(([, { name, type }]) => ({ name, type })),
      ...derived.map(([name, { type }]) => ({ name, type }))
    ].map(({ name, type }) => `${name} = ${isList(type) ? "'{}'" : "null"}`)
    const documents = writes.map(({ fields, readVersion, uuid, version }) => ({
      id: uuid,
      read_version: readVersion,
      version,
      refs: fields.externalRefs
    }))
    const removed = yield* orDie(sql`
      update ${name} set
        version = row.version, transaction_id = pg_current_xact_id(), updated_at = ${change.at},
        deleted_at = ${change.at}, change_type = 'deleted', change_origin = ${change.actor.origin},
        deleted_refs = row.refs ${sql.literal(emptied.map((assignment) => `, ${assignment}`).join(""))}
        ${table.mergeable ? sql`, merged_into = ${mergedInto}::uuid` : sql``}
      from jsonb_to_recordset(${sql.json(documents)})
        as row (id uuid, read_version bigint, version bigint, refs jsonb)
      where ${name}.id = row.id and ${name}.team_id = ${change.actor.teamId} and ${name}.version = row.read_version
        and ${name}.deleted_at is null
      returning ${name}.id`)
    return removed.length
  })

  /** Lets the records that lead to one of `from` lead to `to` (UUIDs): one step is enough from each of them. */
  const redirect = Effect.fnUntraced(function* (teamId: string, from: ReadonlyArray<string>, to: string) {
    if (!table.mergeable || from.length === 0) return
    yield* orDie(sql`
      update ${name} set merged_into = ${to}
      where team_id = ${teamId} and merged_into = any(${from}::uuid[])`)
  })

  /**
   * Tombstones of before `until` (UUIDs), at most `limit`, which nobody else can write until the transaction ends. One that
   * redirects stays for as long as there is a record to lead to. `further` is what else must be true of each, as `dead`.
   */
  const purgeCandidates = Effect.fnUntraced(function* (
    until: Date,
    limit: number,
    further: ReadonlyArray<Fragment> = []
  ) {
    const conditions = [sql`deleted_at < ${until}`, ...further]
    if (table.mergeable) {
      conditions.push(sql`
        (merged_into is null or not exists (select from ${name} other where other.id = dead.merged_into))`)
    }
    // Asked for again of what it had to wait for: a record may have been brought back meanwhile.
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from ${name}
      where deleted_at < ${until} and id = any(array(
        select id from ${name} dead where ${sql.and(conditions)} order by deleted_at limit ${limit}
      ))
      order by id for update`)
    return rows.map(({ id }) => id)
  })

  /** Removes locked records of any teams for good. */
  const purge = Effect.fnUntraced(function* (uuids: ReadonlyArray<string>) {
    yield* orDie(sql`delete from ${name} where id = any(${uuids}::uuid[])`)
  })

  return {
    select,
    toResource: table.toResource,
    find,
    findAll,
    lock,
    list,
    insert,
    update,
    remove,
    redirect,
    purgeCandidates,
    purge,
    searchBy
  }
})

/** The statements of a table whose records have these members. */
export type RecordTable<
  Fields extends { readonly externalRefs: ReadonlyArray<ExternalRef> },
  Resource
> = Effect.Success<ReturnType<typeof make<Fields, Resource>>>
