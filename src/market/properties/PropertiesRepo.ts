/** All SQL of properties, scoped by team. */
import * as Id from "../../core/Id.ts"
import * as RecordTable from "../../core/records/RecordTable.ts"
import { Context, Effect, Layer } from "effect"
import type { Range } from "../../core/mutation/DeltaList.ts"
import { arrayParameter } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { columnsOf, type Table } from "../../core/records/Table.ts"
import { blank } from "./rules.ts"
import { foundMembers, Property, type PropertyFields, propertyKinds, type PropertyListQuery } from "./Property.ts"

const columns = columnsOf(propertyKinds)

/** The lists of a tombstone, whose columns are null. */
const lists = Object.fromEntries(Object.entries(blank).filter(([, value]) => Array.isArray(value)))

/** The table of properties. */
export const propertiesTable: Table<PropertyFields, Property> = {
  type: "property",
  name: "properties",
  columns,
  answers: Property.fields,
  mergeable: false,
  toResource: (id, fields, audit) => ({
    id,
    ...fields,
    ...(audit.deletedUtc === null ? {} : { ...lists, externalRefs: fields.externalRefs }),
    ...audit
  })
}

/** The SQL expression of a value inside of a member, by its path. Names of members are from the contract, not from clients. */
const expressionOf = (path: ReadonlyArray<string>, kind: string): string => {
  const [member = "", ...inner] = path
  const column = columns[member as keyof typeof columns].name
  const last = inner.at(-1)
  if (last === undefined) return column
  const above = inner.slice(0, -1).map((name) => ` -> '${name}'`)
  const value = `(${column}${above.join("")} ->> '${last}')`
  return kind === "number" ? `${value}::numeric` : value
}

/** How properties are searched. sql/0002_text.sql has the functions. */
const searchable = {
  text: "searched_text",
  within: ["name", "locality", "address.street", "address.houseNumber", "address.postalCode", "address.region"],
  alone: ["description"],
  members: Object.fromEntries(
    Object.entries(foundMembers).map(([name, { kind, path }]) => [name, expressionOf(path, kind)])
  )
}

/** A property and its projects, by their UUIDs. */
interface ProjectsRow {
  readonly id: string
  readonly project_ids: ReadonlyArray<string>
}

const byId = (rows: ReadonlyArray<ProjectsRow>): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    rows.map(({ id, project_ids }) => [
      Id.fromUuid("property", id),
      project_ids.map((uuid) => Id.fromUuid("project", uuid))
    ])
  )

const make = Effect.gen(function* () {
  const sql = yield* Database
  const table = yield* RecordTable.make(propertiesTable)

  const list = Effect.fn("PropertiesRepo.list")(function* (
    teamId: string,
    range: Range,
    { external_ref: externalRef, tags }: PropertyListQuery
  ) {
    return yield* table.list(teamId, range, {
      externalRef,
      ofMembers: tags === undefined ? [] : [sql`tags <> '{}' and tags && ${tags}::text[]`]
    })
  })

  /** Living ones of these properties, in the order of creation, after a position. */
  const listOf = Effect.fn("PropertiesRepo.listOf")(
    (
      teamId: string,
      uuids: ReadonlyArray<string>,
      after: { readonly at: string; readonly id: string } | undefined,
      limit: number
    ) =>
      uuids.length === 0
        ? Effect.succeed([])
        : table.select(
            teamId,
            sql`id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null${
              after === undefined ? sql`` : sql` and (created_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`
            }`,
            limit
          )
  )

  /** The ids of the projects of living ones of these properties, by the id of the property. */
  const projectIdsOf = Effect.fn("PropertiesRepo.projectIdsOf")(function* (
    teamId: string,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return new Map<string, ReadonlyArray<string>>()
    return byId(
      yield* orDie(sql<ProjectsRow>`
        select id, project_ids from properties
        where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null`)
    )
  })

  /** As `projectIdsOf`, of the properties that name one of these projects (UUIDs). */
  const naming = Effect.fn("PropertiesRepo.naming")(function* (teamId: string, projectUuids: ReadonlyArray<string>) {
    return byId(
      yield* orDie(sql<ProjectsRow>`
        select id, project_ids from properties
        where team_id = ${teamId} and project_ids && ${projectUuids}::uuid[] and project_ids <> '{}'
          and deleted_at is null`)
    )
  })

  return { ...table, list, listOf, projectIdsOf, naming, search: table.searchBy(searchable) }
})

/** The properties of teams. */
export class PropertiesRepo extends Context.Service<PropertiesRepo, Effect.Success<typeof make>>()(
  "market/properties/PropertiesRepo"
) {
  static readonly layer = Layer.effect(PropertiesRepo, make)
}
