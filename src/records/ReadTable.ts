/** Reads records out of rows: which values are selected, and in what order. */
import type { Fragment } from "effect/sql/Statement"
import { auditOf } from "../changes/Audit.ts"
import type { Database } from "../db/Database.ts"
import { type ExternalRef, parseQuery } from "../externalRefs/ExternalRef.ts"
import * as Id from "../Id.ts"
import type { Column, Stored, Table } from "./RecordTable.ts"

/**
 * The values of a row in the order in which they are selected: first these, and then those of the table's own columns. An object of
 * each row would have twenty members that are read once, a hundred times a page.
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
  /** Of a tombstone. */
  deletedRefs: ReadonlyArray<ExternalRef> | null,
  /** As NAMESPACE:ID: the database puts texts together in a third of the time that documents take it. */
  externalRefs: ReadonlyArray<string>,
  ...own: ReadonlyArray<unknown>
]

const ownFrom = 10

/** A value of a column as a member: an id, or a list of ids, by its prefix. */
const toMember = ({ prefix }: Column, value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString()
  if (prefix === undefined) return value
  if (Array.isArray(value)) return value.map((uuid: string) => Id.fromUuid(prefix, uuid))
  return typeof value === "string" ? Id.fromUuid(prefix, value) : value
}

type AnyTable<Fields extends { readonly externalRefs: ReadonlyArray<ExternalRef> }, Resource> = Pick<
  Table<Fields, Resource>,
  "columns" | "mergeable" | "name" | "toResource" | "type"
>

/** What is selected of a row: {@link reader} takes its values, whatever comes after them. */
export const selectedOf = <Fields extends { readonly externalRefs: ReadonlyArray<ExternalRef> }, Resource>(
  sql: Database["Service"],
  table: AnyTable<Fields, Resource>
): Fragment => sql`
    id, version::text, created_at, updated_at, change_type, change_origin, deleted_at,
    ${sql.literal(table.mergeable ? "merged_into" : "null::uuid as merged_into")},
    deleted_refs,
    array(
      select namespace || ':' || external_id from external_references
      where resource_id = ${sql.literal(table.name)}.id order by position
    ) as external_refs,
    ${sql.literal(
      Object.values<Column>(table.columns)
        .map((column) => column.name)
        .join(", ")
    )}`

/** Makes a record of the values of {@link selectedOf}. */
export const reader = <Fields extends { readonly externalRefs: ReadonlyArray<ExternalRef> }, Resource>(
  table: AnyTable<Fields, Resource>
) => {
  const columns = Object.entries<Column>(table.columns).map(([member, column], index) => ({
    member,
    column,
    at: ownFrom + index
  }))
  // The copy of a record that has all members is made in one piece; members that come one by one take five times the memory.
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
    for (const { at, column, member } of columns) fields[member] = toMember(column, values[at])
    fields["externalRefs"] = deletedRefs ?? externalRefs.map(parseQuery)
    const audit = auditOf({ version, created_at, updated_at, change_type, change_origin, deleted_at })
    return {
      uuid,
      version: Number(version),
      mergedInto: Id.fromUuidOrNull(table.type, merged_into),
      deleted: deleted_at !== null,
      resource: table.toResource(Id.fromUuid(table.type, uuid), fields as Fields, audit)
    }
  }
}
