/** The SQL of a page of a search: keyset pagination in any order. One statement. */
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type * as Id from "../Id.ts"
import type { Position } from "../usecase/Page.ts"
import { make as makeConditions, type Searchable, sortKeys } from "./SearchConditions.ts"
import type { Key, Search } from "./SearchRules.ts"

/** A found row, and its position in the order. */
export interface Found<Stored> {
  readonly stored: Stored
  readonly position: Position
}

// The limit that searches for parts of texts are planned for. By its statistics, the planner expects a part in one of hundreds of
// rows if one of the sampled rows has it. For the first few of so many it would walk the list in its order, and walk all of it
// when the part is rare.
const plannedLimit = 500

/** The SQL expressions of the members that every record has. */
export const auditMembers = {
  id: "id",
  createdUtc: "created_at",
  updatedUtc: "updated_at",
  etag: "version",
  changeType: "change_type",
  changeOrigin: "change_origin",
  deletedUtc: "deleted_at"
}

interface SortKey {
  readonly expression: string
  readonly type: string
  readonly descending: boolean
}

const keyOf = (expression: string, { descending, kind }: Pick<Key, "descending" | "kind">): SortKey => {
  const [sortedBy, type] = sortKeys[kind](expression)
  return { expression: sortedBy, type, descending }
}

/** Makes the search of a table. */
export const make = <Stored>(options: {
  readonly sql: Database["Service"]
  readonly name: string
  readonly type: Id.Prefix
  /** With the expressions of all members. */
  readonly searchable: Searchable
  readonly selected: Fragment
  /** Makes a record of the values of `selected`; further values are ignored. */
  readonly toStored: (values: ReadonlyArray<unknown>) => Stored
}) => {
  const { searchable, selected, sql, toStored } = options
  const name = sql.literal(options.name)
  const { conditionOf, expressionOf, termIn } = makeConditions(sql, {
    searchable,
    table: options.name,
    type: options.type
  })

  /** The sort keys of an order; `id` breaks ties, in the direction of the last key. */
  const keysOf = (order: ReadonlyArray<Key>): ReadonlyArray<SortKey> => {
    const keys = order.map((key) => keyOf(expressionOf(key.member), key))
    const last = keys.at(-1)
    return last === undefined || last.expression === "id"
      ? keys
      : [...keys, { expression: "id", type: "uuid", descending: last.descending }]
  }

  const valueOf = (key: SortKey | undefined, value: string | undefined) =>
    sql`${value ?? ""}::${sql.literal(key?.type ?? "text")}`

  /** The rows after a position. If all keys have one direction, it is one row comparison, which an index supports. */
  const after = (keys: ReadonlyArray<SortKey>, position: Position): Fragment => {
    if (keys.every(({ descending }) => descending === keys[0]?.descending)) {
      const row = sql.literal(keys.map(({ expression }) => expression).join(", "))
      const sign = sql.literal(keys[0]?.descending === true ? "<" : ">")
      return sql`(${row}) ${sign} (${sql.csv(keys.map((key, index) => valueOf(key, position[index])))})`
    }
    const [key, ...others] = keys
    const expression = sql.literal(key?.expression ?? "")
    const sign = key?.descending === true ? "<" : ">"
    const value = valueOf(key, position[0])
    return others.length === 0
      ? sql`${expression} ${sql.literal(sign)} ${value}`
      : sql`(${expression} ${sql.literal(`${sign}=`)} ${value} and
          (${expression} ${sql.literal(sign)} ${value} or ${after(others, position.slice(1))}))`
  }

  /** At most `limit` rows that a search finds in a team after a position, in its order. */
  const search = Effect.fnUntraced(function* (
    teamId: string,
    { conditions, order, terms }: Search,
    position: Position | undefined,
    limit: number
  ) {
    const keys = keysOf(order)
    const all = [
      sql`team_id = ${teamId}`,
      sql`deleted_at is null`,
      ...terms.map(termIn),
      ...conditions.map((condition) => conditionOf(teamId, condition)),
      ...(position === undefined ? [] : [after(keys, position)])
    ]
    const looksForParts =
      terms.length > 0 ||
      conditions.some(({ kind, operator }) => (kind === "text" || kind === "phone") && operator === "contains")
    const names = keys.map((_, index) => `key_${index}`)
    const inOrder = sql.literal(
      keys.map(({ descending }, index) => `key_${index}${descending ? " desc" : ""}`).join(", ")
    )
    // Planned for its values each time, because the best plan depends on how common a term is. The columns of the answer are only
    // read for the rows of the page.
    const rows = yield* orDie(
      sql`
      with planned as materialized (
        select id as found_id,
          ${sql.literal(keys.map(({ expression }, index) => `${expression} as key_${index}`).join(", "))}
        from ${name} where ${sql.and(all)}
        order by ${inOrder}
        limit ${looksForParts ? Math.max(limit, plannedLimit) : limit}
      ), page as materialized (
        select * from planned order by ${inOrder} limit ${limit}
      )
      select ${selected}, ${sql.literal(names.map((name) => `${name}::text as ${name}_text`).join(", "))}
      from page join ${name} on id = found_id and team_id = ${teamId}
      order by ${inOrder}`.valuesUnprepared
    )
    return rows.map((values): Found<Stored> => ({
      stored: toStored(values),
      position: values.slice(-names.length).map((value) => String(value ?? ""))
    }))
  })

  return search
}
