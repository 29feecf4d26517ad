/** Selects the rows of records as arrays of values, and makes records of them. */
import type { Fragment } from "effect/sql/Statement"
import { auditOf } from "../mutation/Audit.ts"
import type { Database } from "../../platform/db/Database.ts"
import { type ExternalRef, parseQuery } from "../externalRefs/ExternalRef.ts"
import * as Id from "../Id.ts"
import { answerOrder } from "./answerOrder.ts"
import type { AnyFields, Column, Stored, Table } from "./Table.ts"

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
