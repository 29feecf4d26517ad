/** All SQL of a table of versioned records, by team and by the set: how rows are read, reads, writes; the search is in SearchTable.ts. */
import * as Id from "../Id.ts"
import { averageTeamId, arrayParameter, makeBatchedQuery } from "../../platform/db/SetStatements.ts"
import { Effect, Predicate, type Schema, SchemaAST } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { auditOf } from "../mutation/Audit.ts"
import { Database } from "../../platform/db/Database.ts"
import { type ExternalRef, parseQuery } from "../externalRefs/ExternalRef.ts"
import type { AnyFields, Column, ColumnType, NextVersion, Stored, Table } from "./Table.ts"
import type { Fetched, Range } from "../mutation/DeltaList.ts"
import {
  type DueRows,
  type ListedTable,
  makeDeltaPage,
  ofFirstTeam,
  type OfTeam,
  purgeListed
} from "../mutation/Delta.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Change } from "../mutation/Changes.ts"
import { sizeOf } from "../usecase/TeamBudget.ts"
import { auditMembers, make as makeSearch, type Searchable } from "./SearchTable.ts"

type Ordering = (value: unknown) => unknown

const asItIs: Ordering = (value) => value

const orderingOf = (ast: SchemaAST.AST): Ordering => {
  if (SchemaAST.isUnion(ast)) {
    // Only one of the alternatives has members: the others are null, or texts.
    return ast.types.map(orderingOf).find((ordering) => ordering !== asItIs) ?? asItIs
  }
  if (SchemaAST.isArrays(ast)) {
    const ordering = ast.rest.map(orderingOf)[0] ?? asItIs
    return ordering === asItIs ? asItIs : (value) => (Array.isArray(value) ? value.map(ordering) : value)
  }
  if (!SchemaAST.isObjects(ast) || ast.propertySignatures.length === 0) return asItIs
  const members = ast.propertySignatures.map(({ name, type }) => [String(name), orderingOf(type)] as const)
  return (value) => {
    if (!Predicate.isReadonlyObject(value) || Array.isArray(value)) return value
    const present: { readonly [name: string]: unknown } = { ...value }
    const ordered: Record<string, unknown> = {}
    for (const [name, ordering] of members) if (name in present) ordered[name] = ordering(present[name])
    // A later release may have stored more.
    return Object.keys(ordered).length === Object.keys(present).length ? ordered : { ...ordered, ...present }
  }
}

/** Makes the function that orders a value as its schema does, at every depth. */
export const answerOrder = (schema: Schema.Top): Ordering => orderingOf(schema.ast)

// Selects the rows of records as arrays of values, and makes records of them.

/**
 * The selected values of a row in their order: first these, then those of the table's own columns. Reading rows as objects
 * would allocate twenty members for each of a hundred rows of a page, each of which is read once.
 */
type Values = readonly [
  id: string,
  version: string,
  createdAt: Date,
  updatedAt: Date,
  changeType: string,
  changeOrigin: string,
  deletedAt: Date | null,
  mergedInto: string | null,
  /** On a tombstone. */
  deletedRefs: ReadonlyArray<ExternalRef> | null,
  /** As NAMESPACE:ID: the database concatenates text in a third of the time that it takes to build JSON. */
  externalRefs: ReadonlyArray<string>,
  ...own: ReadonlyArray<unknown>
]

const ownFrom = 10

interface Read {
  readonly column: Column
  readonly order: ((value: unknown) => unknown) | undefined
}

/** The member of a column's value: UUIDs become ids. */
const toMember = ({ column: { codec, prefix }, order }: Read, value: unknown): unknown => {
  if (codec !== undefined) return value === null ? null : codec.toMember(value)
  if (order !== undefined) return order(value)
  if (value instanceof Date) return value.toISOString()
  if (prefix === undefined) return value
  if (Array.isArray(value)) return value.map((uuid: string) => Id.fromUuid(prefix, uuid))
  return typeof value === "string" ? Id.fromUuid(prefix, value) : value
}

type ReadableTable<Fields extends AnyFields, Resource> = Pick<
  Table<Fields, Resource>,
  "answers" | "columns" | "mergeable" | "name" | "toResource" | "type"
>

/** The select list of a row, for {@link reader}; further columns may follow it. */
export const selectedColumns = <Fields extends AnyFields, Resource>(
  sql: Database["Service"],
  table: ReadableTable<Fields, Resource>
): Fragment => sql`
    id, version::text, created_at, updated_at, change_type, change_origin, deleted_at,
    ${sql.literal(table.mergeable ? "merged_into" : "null::uuid as merged_into")},
    deleted_refs,
    array(
      select namespace || ':' || external_id from external_references
      where resource_id = ${sql.literal(table.name)}.id and team_id = ${sql.literal(table.name)}.team_id order by position
    ) as external_refs,
    ${sql.literal(
      Object.values<Column>(table.columns)
        .map((column) => column.name)
        .join(", ")
    )}`

/** Makes the function that makes a record of the values of {@link selectedColumns}. */
export const reader = <Fields extends AnyFields, Resource>(table: ReadableTable<Fields, Resource>) => {
  const columns = Object.entries<Column>(table.columns).map(([member, column], index) => ({
    member,
    column,
    order:
      column.type === "jsonb" && table.answers?.[member] !== undefined ? answerOrder(table.answers[member]) : undefined,
    at: ownFrom + index
  }))
  // Copying an object that has all members allocates once; adding members one by one takes five times the memory.
  const empty: Record<string, unknown> = {
    ...Object.fromEntries(columns.map(({ member }) => [member, null])),
    externalRefs: null
  }
  return (values: ReadonlyArray<unknown>): Stored<Resource> => {
    const [
      uuid,
      version,
      created_at,
      updated_at,
      change_type,
      change_origin,
      deleted_at,
      merged_into,
      deletedRefs,
      externalRefs
    ] = values as Values
    const fields = { ...empty }
    for (const read of columns) fields[read.member] = toMember(read, values[read.at])
    fields["externalRefs"] = deletedRefs ?? externalRefs.map(parseQuery)
    const audit = auditOf({ version, created_at, updated_at, change_type, change_origin, deleted_at })
    const mergedInto = Id.fromUuidOrNull(table.type, merged_into)
    return {
      uuid,
      version: Number(version),
      mergedInto,
      deleted: deleted_at !== null,
      resource: table.toResource(Id.fromUuid(table.type, uuid), fields as Fields, audit, mergedInto)
    }
  }
}

// The SQL that reads one table of records: single ones, locked ones, lists and deltas. Everything is scoped by team.

/** Makes the reads of a table. */
export const makeTableReads = Effect.fnUntraced(function* <Fields extends AnyFields, Resource>(
  table: Table<Fields, Resource>
) {
  const sql = yield* Database
  const name = sql.literal(table.name)
  const selected = selectedColumns(sql, table)
  const toStored = reader(table)
  const readPage = yield* makeDeltaPage

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
  const findBatched = yield* makeBatchedQuery(
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
    }: Pick<ListedTable, "within"> & {
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

// The SQL that writes one table of records, a set at a time, and purges its tombstones. Writes are scoped by team.

/** The assignments by which an `update` of `table` makes the next version of its rows. */
export const nextVersionColumns = (
  sql: Database["Service"],
  table: string,
  change: Change,
  changeType: "deleted" | "restored" | "updated"
) => sql`
  version = ${sql.literal(table)}.version + 1, transaction_id = ${change.transactionId}::xid8,
  updated_at = ${change.at}, change_type = ${changeType}, change_origin = ${change.actor.origin}`

// Postgres folds and indexes two megabytes of text for seconds.
const fatStatement = 2 * 1024 * 1024
const rowsOfFatStatement = 100

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
export const makeTableWrites = Effect.fnUntraced(function* <Fields extends AnyFields, Resource>(
  table: Table<Fields, Resource>
) {
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

  /** The rows of each statement: one for all, unless they have so much text that it could take as long as a statement may. */
  const statementsOf = <Row>(rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
    if (rows.length === 0) return []
    // Those of a unique index are short, and in one order.
    if (rows.length <= rowsOfFatStatement || table.unique !== undefined || sizeOf(rows) <= fatStatement) return [rows]
    return Array.from({ length: Math.ceil(rows.length / rowsOfFatStatement) }, (_, index) =>
      rows.slice(index * rowsOfFatStatement, (index + 1) * rowsOfFatStatement)
    )
  }

  // Concurrent writers insert rows of a unique index in one order, so that they cannot deadlock.
  const inOrder = table.unique === undefined ? sql`` : sql`order by ${sql.literal(table.unique.join(", "))}`

  /** Inserts records, unless another one violates their uniqueness; returns how many were inserted. */
  const insert = Effect.fnUntraced(function* (change: Change, versions: ReadonlyArray<NextVersion<Fields>>) {
    let inserted = 0
    for (const rows of statementsOf(versions.map(toRow))) {
      const ids = yield* orDie(sql`
        insert into ${name} (
          id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, ${names}
        )
        select id, ${change.actor.teamId}::uuid, version, ${change.transactionId}::xid8, ${change.at}::timestamptz,
          ${change.at}::timestamptz, change_type, ${change.actor.origin}::text, ${names}
        from jsonb_to_recordset(${sql.json(rows)})
          as row (id uuid, version bigint, change_type text, ${definitions})
        ${inOrder}
        on conflict do nothing
        returning id`)
      inserted += ids.length
    }
    return inserted
  })

  /** Forgets what records (UUIDs) held when they were deleted, which live again (DeletedRecords.ts). */
  const forget = Effect.fnUntraced(function* (change: Change, uuids: ReadonlyArray<string>) {
    if (uuids.length === 0) return
    yield* orDie(sql`
      delete from deleted_records
      where team_id = ${change.actor.teamId} and type = ${table.type} and id = any(${arrayParameter(sql, "uuid", uuids)})`)
  })

  /** Updates records that still have the version that was read, also tombstones, which live again; returns how many. */
  const update = Effect.fnUntraced(function* (change: Change, versions: ReadonlyArray<NextVersion<Fields>>) {
    let updated = 0
    for (const rows of statementsOf(versions.map(toRow))) {
      const ids = yield* orDie(sql`
        update ${name} set
          version = row.version, transaction_id = ${change.transactionId}::xid8, updated_at = ${change.at},
          change_type = row.change_type, change_origin = ${change.actor.origin}, deleted_at = null, deleted_refs = null,
          ${assignments}
        from jsonb_to_recordset(${sql.json(rows)})
          as row (id uuid, read_version bigint, version bigint, change_type text, ${definitions})
        where ${name}.id = row.id and ${name}.team_id = ${averageTeamId(sql, change.actor.teamId)} and ${name}.version = row.read_version
        returning ${name}.id`)
      updated += ids.length
    }
    yield* forget(
      change,
      versions.flatMap(({ changeType, uuid }) => (changeType === "restored" ? [uuid] : []))
    )
    return updated
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
      where ${name}.id = row.id and ${name}.team_id = ${averageTeamId(sql, change.actor.teamId)} and ${name}.version = row.read_version
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

  return {
    insert,
    /** Whether a transaction may insert records in several statements, in any order. */
    insertsInParts: table.unique === undefined,
    update,
    delete: deleteAll,
    redirect,
    findPurgeable,
    lockPurgeable,
    purge
  }
})

// All statements of a table of versioned records: reads (TableReads.ts), writes (TableWrites.ts), search (SearchTable.ts).

/** Makes the statements of a table. */
export const make = Effect.fnUntraced(function* <Fields extends AnyFields, Resource>(table: Table<Fields, Resource>) {
  const sql = yield* Database
  const reads = yield* makeTableReads(table)
  const writes = yield* makeTableWrites(table)

  /** The search of the table by its columns, audit members and what `searchable` adds. */
  const searchBy = (searchable: Searchable) =>
    makeSearch({
      sql,
      name: table.name,
      type: table.type,
      searchable: {
        ...searchable,
        members: {
          ...auditMembers,
          ...Object.fromEntries(Object.entries<Column>(table.columns).map(([member, { name }]) => [member, name])),
          ...searchable.members
        }
      },
      selected: selectedColumns(sql, table),
      toStored: reader(table)
    })

  return { ...reads, ...writes, toResource: table.toResource, searchBy }
})

/** The statements of a table whose records have these members. */
export type RecordTable<Fields extends AnyFields, Resource> = Effect.Success<ReturnType<typeof make<Fields, Resource>>>
