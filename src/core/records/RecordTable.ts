/** All statements of a table of versioned records: reads (TableReads.ts), writes (TableWrites.ts), search (SearchTable.ts). */
import { Effect } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { reader, selectedColumns } from "./RowReader.ts"
import type { Searchable } from "./SearchConditions.ts"
import { auditMembers, make as makeSearch } from "./SearchTable.ts"
import type { AnyFields, Column, Table } from "./Table.ts"
import * as TableReads from "./TableReads.ts"
import * as TableWrites from "./TableWrites.ts"

/** Makes the statements of a table. */
export const make = Effect.fnUntraced(function* <Fields extends AnyFields, Resource>(table: Table<Fields, Resource>) {
  const sql = yield* Database
  const reads = yield* TableReads.make(table)
  const writes = yield* TableWrites.make(table)

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
