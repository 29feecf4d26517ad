/** The SQL of a search: conditions that indexes find, and a keyset in any order. */
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import type { Position } from "../usecase/Page.ts"
import type { Condition, Key, Kind, Search, Term, Word } from "./SearchRules.ts"

/** Where a table is searched. See sql/0009_search.sql for its functions and indexes. */
export interface Searchable {
  /** The expression of the text that a query looks in. */
  readonly text: string
  /** The members of which that text has all. */
  readonly within: ReadonlyArray<string>
  /** The members whose parts have an index of their own. */
  readonly alone: ReadonlyArray<string>
  /** The expressions of members that have no column of their own. */
  readonly members: { readonly [member: string]: string }
}

/** A row that was found, and its place in the order. */
export interface Found<Stored> {
  readonly stored: Stored
  readonly position: Position
}

// How many rows with a part of a text are planned for, however few are asked for. By its statistics the database thinks
// that a part is in one row of hundreds when one of the rows that it drew has it; for the first few of so many it would walk
// the list in its order, and walk through all of it when the part is rare.
const plannedFor = 500

/** The expressions of the members that every record has. */
export const auditMembers = {
  id: "id",
  createdUtc: "created_at",
  updatedUtc: "updated_at",
  etag: "version",
  changeType: "change_type",
  changeOrigin: "change_origin",
  deletedUtc: "deleted_at"
}

/** What a member is sorted by, which is never null, and its type: null comes after everything. */
const sortKeys: { readonly [K in Kind]: (expression: string) => readonly [sql: string, type: string] } = {
  text: (of) => [`(search_key(${of}) collate "C")`, "text"],
  code: (of) => [`(coalesce(lower(${of} collate "C"), chr(1114111)) collate "C")`, "text"],
  id: (of) => [of === "id" ? of : `coalesce(${of}, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`, "uuid"],
  time: (of) => [of === "deleted_at" ? `coalesce(${of}, 'infinity')` : of, "timestamptz"],
  tags: (of) => [of, "text[]"],
  etag: (of) => [of, "bigint"]
}

const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

/** The statement of a page: `selected` are the columns of an answer. */
export const make = <Stored>(options: {
  readonly sql: Database["Service"]
  readonly name: string
  /** As {@link Searchable} has it, with the expression of each member. */
  readonly searchable: Searchable
  readonly selected: Fragment
  /** Of the values of `selected`; what comes after them is not looked at. */
  readonly toStored: (values: ReadonlyArray<unknown>) => Stored
}) => {
  const { searchable, selected, sql, toStored } = options
  const name = sql.literal(options.name)
  const text = sql.literal(searchable.text)
  const expressionOf = (member: string) => searchable.members[member] ?? member

  // Where a word begins, as far as an index by trigrams knows.
  const beginning = "[ .,:;@/_&('+-]"

  const wordIn = ({ at, text: word }: Word) =>
    at === "beginning" ? sql`${text} ~ ${beginning + word}` : sql`${text} like search_pattern(${word}::text)`

  const termIn = ({ digits, words }: Term) => {
    const all = sql.and(words.map(wordIn))
    return digits === undefined ? all : sql.or([all, sql`${text} like search_pattern(${digits}::text)`])
  }

  const listOf = (values: ReadonlyArray<Fragment>) => sql.csv(values)

  /** Conditions on text: by its key, which indexes have, and by the whole of it. */
  const textCondition = (
    member: string,
    operator: Exclude<Condition["operator"], "exists">,
    values: ReadonlyArray<string>
  ) => {
    const expression = expressionOf(member)
    const key = sql.literal(sortKeys.text(expression)[0])
    const whole = sql`search_fold(${sql.literal(expression)})`
    const [value = ""] = values
    // What the index of the query's text finds has it in one of its members.
    const helped =
      searchable.within.includes(member) && [...value].length > 2
        ? sql` and ${text} like search_pattern(${value}::text)`
        : sql``
    const present = sql`${sql.literal(expression)} is not null`
    switch (operator) {
      case "eq":
        return sql`${present} and ${key} = search_key(${value}::text) and ${whole} = search_fold(${value}::text)${helped}`
      case "in":
        return sql`${present} and ${key} in (${listOf(values.map((one) => sql`search_key(${one}::text)`))})
          and ${whole} in (${listOf(values.map((one) => sql`search_fold(${one}::text)`))})`
      case "prefix":
        return sql`${present} and ${key} >= search_key(${value}::text) and ${key} < search_key(${value}::text) || chr(1114111)
          and starts_with(${whole}, search_fold(${value}::text))${helped}`
      case "contains":
        // A `like` that no statistics are kept for would seem to be true of next to nothing.
        return searchable.alone.includes(member)
          ? sql`${present} and ${whole} like search_pattern(${value}::text)`
          : sql`${present} and strpos(${whole}, search_fold(${value}::text)) > 0${helped}`
      default:
        return sql`${present} and ${key} ${sql.literal(comparisons[operator])} search_key(${value}::text)`
    }
  }

  /** Conditions on what is ASCII: folding the other side is enough. */
  const codeCondition = (
    expression: string,
    operator: Exclude<Condition["operator"], "exists">,
    values: ReadonlyArray<string>
  ) => {
    const code = sql.literal(`(lower(${expression} collate "C") collate "C")`)
    const [value = ""] = values
    switch (operator) {
      case "eq":
      case "in":
        return sql`${code} in (${listOf(values.map((one) => sql`search_fold(${one}::text)`))})`
      case "prefix":
        return sql`starts_with(${code}, search_fold(${value}::text))`
      case "contains":
        return sql`${code} like search_pattern(${value}::text)`
      default:
        return sql`${code} ${sql.literal(comparisons[operator])} search_fold(${value}::text)`
    }
  }

  const conditionOf = (condition: Condition): Fragment => {
    const expression = sql.literal(expressionOf(condition.member))
    if (condition.operator === "exists") {
      if (condition.kind === "tags") return sql`${expression} ${sql.literal(condition.is ? "<>" : "=")} '{}'`
      return sql`${expression} is ${sql.literal(condition.is ? "not null" : "null")}`
    }
    const { kind, member, operator, values } = condition
    switch (kind) {
      case "text":
        return textCondition(member, operator, values)
      case "code":
        return codeCondition(expressionOf(member), operator, values)
      case "tags":
        return sql`${expression} <> '{}' and ${expression} ${sql.literal(operator === "in" ? "&&" : "@>")} ${values}::text[]`
      case "etag":
        return sql`'"v' || ${expression} || '"' = any(${values}::text[])`
      default: {
        const type = sql.literal(kind === "id" ? "uuid" : "timestamptz")
        return operator === "gt" || operator === "gte" || operator === "lt" || operator === "lte"
          ? sql`${expression} ${sql.literal(comparisons[operator])} ${values[0] ?? ""}::${type}`
          : sql`${expression} = any(${values}::${type}[])`
      }
    }
  }

  const keysOf = (order: ReadonlyArray<Key>) => {
    const keys = order.map(({ descending, kind, member }) => {
      const [expression, type] = sortKeys[kind](expressionOf(member))
      return { expression, type, descending }
    })
    const last = keys.at(-1)
    return last === undefined || last.expression === "id"
      ? keys
      : [...keys, { expression: "id", type: "uuid", descending: last.descending }]
  }

  type Keys = ReturnType<typeof keysOf>

  const given = (key: Keys[number] | undefined, value: string | undefined) =>
    sql`${value ?? ""}::${sql.literal(key?.type ?? "text")}`

  /** What comes after a place. In one direction it is one comparison of rows, which an index answers. */
  const after = (keys: Keys, position: Position): Fragment => {
    if (keys.every(({ descending }) => descending === keys[0]?.descending)) {
      const row = sql.literal(keys.map(({ expression }) => expression).join(", "))
      const sign = sql.literal(keys[0]?.descending === true ? "<" : ">")
      return sql`(${row}) ${sign} (${sql.csv(keys.map((key, index) => given(key, position[index])))})`
    }
    const [key, ...others] = keys
    const expression = sql.literal(key?.expression ?? "")
    const sign = key?.descending === true ? "<" : ">"
    const value = given(key, position[0])
    return others.length === 0
      ? sql`${expression} ${sql.literal(sign)} ${value}`
      : sql`(${expression} ${sql.literal(`${sign}=`)} ${value} and
          (${expression} ${sql.literal(sign)} ${value} or ${after(others, position.slice(1))}))`
  }

  /** The rows after a place that a search finds in a team, at most `limit`, in its order. One statement. */
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
      ...conditions.map(conditionOf),
      ...(position === undefined ? [] : [after(keys, position)])
    ]
    const looksForParts =
      terms.length > 0 || conditions.some(({ kind, operator }) => kind === "text" && operator === "contains")
    const places = keys.map((_, index) => `place_${index}`)
    const placed = sql.literal(
      keys.map(({ descending }, index) => `place_${index}${descending ? " desc" : ""}`).join(", ")
    )
    // Planned anew each time: how common a term is decides how it is found. What an answer shows is read for its rows only;
    // of those that it is planned for, no more are looked for.
    const rows = yield* orDie(
      sql`
      with planned as materialized (
        select id as found_id,
          ${sql.literal(keys.map(({ expression }, index) => `${expression} as place_${index}`).join(", "))}
        from ${name} where ${sql.and(all)}
        order by ${placed}
        limit ${looksForParts ? Math.max(limit, plannedFor) : limit}
      ), page as materialized (
        select * from planned order by ${placed} limit ${limit}
      )
      select ${selected}, ${sql.literal(places.map((place) => `${place}::text`).join(", "))}
      from page join ${name} on id = found_id
      order by ${placed}`.valuesUnprepared
    )
    return rows.map((values): Found<Stored> => ({
      stored: toStored(values),
      position: values.slice(-places.length).map((place) => String(place ?? ""))
    }))
  })

  return search
}
