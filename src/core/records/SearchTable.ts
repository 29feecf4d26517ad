/** The SQL of a search: conditions, written so that indexes find the rows, and the page in any order. */
import type * as Id from "../Id.ts"
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "../../platform/db/Database.ts"
import { parseQuery } from "../externalRefs/ExternalRef.ts"
import { fold, foldLoosely } from "../fields/spelling.ts"
import { type Condition, type Key, type Kind, type Search, spellingsOf, type Term, type Word } from "./SearchRules.ts"
import { Effect } from "effect"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Position } from "../usecase/Page.ts"

/** How a table is searched. sql/0002_text.sql has the functions. */
export interface Searchable {
  /** The column of the text that a query is searched in. */
  readonly text: string
  /** The members that this text contains. */
  readonly within: ReadonlyArray<string>
  /** Columns that have a trigram index of their own, and beside them one in which long texts are stored folded. */
  readonly alone: ReadonlyArray<string>
  /** The SQL expressions of members that are not columns. */
  readonly members: { readonly [member: string]: string }
}

/** The SQL expression that a member is sorted by, and its type. It is never null: null sorts after everything. */
export const sortKeys: { readonly [K in Kind]: (expression: string) => readonly [sql: string, type: string] } = {
  text: (of) => [`(search_key(${of}) collate "C")`, "text"],
  phone: (of) => [`(coalesce(search_phone(${of}), chr(1114111)) collate "C")`, "text"],
  code: (of) => [`(coalesce(lower(${of} collate "C"), chr(1114111)) collate "C")`, "text"],
  id: (of) => [of === "id" ? of : `coalesce(${of}, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`, "uuid"],
  time: (of) => [of === "deleted_at" ? `coalesce(${of}, 'infinity')` : of, "timestamptz"],
  number: (of) => [`coalesce((${of})::numeric, 'infinity')`, "numeric"],
  boolean: (of) => [`(coalesce((${of})::text, chr(1114111)) collate "C")`, "text"],
  tags: (of) => [of, "text[]"],
  refs: (of) => [of, "text[]"],
  etag: (of) => [of, "bigint"]
}

/** The types of values that are compared as they are. */
const valueTypes = { id: "uuid", time: "timestamptz", number: "numeric", boolean: "boolean" } as const

const comparisons = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

// How much of a text is folded to see how it begins: values have 2,048 characters, and invisible ones do not count.
const prefixSearched = 5000

type Operator = Exclude<Condition["operator"], "exists">

// The characters before which a word begins, as in the trigram index.
const beginning = "[ .,:;@/_&('+-]"

/** Makes the conditions of a table, whose records have this type. */
export const makeSearchConditions = (
  sql: Database["Service"],
  { searchable, table, type }: { readonly table: string; readonly type: Id.Prefix; readonly searchable: Searchable }
) => {
  const text = sql.literal(searchable.text)
  const expressionOf = (member: string) => searchable.members[member] ?? member

  const textContains = (spellings: ReadonlyArray<string>) =>
    sql.or(spellings.map((spelling) => sql`${text} like search_pattern(${spelling}::text)`))

  const wordIn = ({ at, spellings }: Word) =>
    at === "beginning" ? sql`${text} ~ ${beginning + (spellings[0] ?? "")}` : textContains(spellings)

  const termIn = ({ phone, words }: Term) => {
    const all = sql.and(words.map(wordIn))
    return phone === undefined ? all : sql.or([all, sql`${text} like search_pattern(search_phone(${phone}::text))`])
  }

  /** Conditions on phone numbers, as text and as they are dialled within their country. */
  const phoneCondition = (member: string, operator: Operator, values: ReadonlyArray<string>) => {
    const expression = sql.literal(expressionOf(member))
    const [value = ""] = values
    const present = sql`${expression} is not null`
    // The trigram index of the searched text narrows the rows down: it has numbers as they are written and as they are dialled.
    const looked = (matches: (part: Fragment) => Fragment) =>
      sql.or(
        [sql`search_fold(${value}::text)`, sql`search_phone(${value}::text)`].map(
          (part) => sql`(${text} like search_pattern(${part}) and (${matches(part)}))`
        )
      )
    switch (operator) {
      case "eq":
      case "in":
        return sql`${present} and search_phone(${expression}) in (${sql.csv(values.map((one) => sql`search_phone(${one}::text)`))})
          and ${sql.or(values.map((one) => sql`${text} like search_pattern(search_phone(${one}::text))`))}`
      case "prefix":
        return sql`${present} and ${looked(
          (part) => sql`starts_with(search_fold(${expression}), ${part})
          or starts_with(search_phone(${expression}), ${part})`
        )}`
      case "contains":
        return sql`${present} and ${looked((part) => sql`search_fold(phone_text(${expression})) like search_pattern(${part})`)}`
      default:
        return sql`${present} and ${sql.literal(sortKeys.phone(expressionOf(member))[0])}
          ${sql.literal(comparisons[operator])} search_phone(${value}::text)`
    }
  }

  /** Conditions on text: on its indexed key, and on the whole text. */
  const textCondition = (member: string, operator: Operator, values: ReadonlyArray<string>) => {
    const expression = expressionOf(member)
    const key = sql.literal(sortKeys.text(expression)[0])
    const column = sql.literal(expression)
    const stored = searchable.alone.includes(member) ? sql.literal(`${expression}_folded`) : undefined
    const [value = ""] = values
    const spellings = spellingsOf(value)
    // The trigram index of the searched text narrows the rows down: it contains its members in all spellings.
    const helpedBy = (looked: ReadonlyArray<string>) =>
      searchable.within.includes(member) && looked.every((spelling) => [...spelling].length > 2)
        ? sql` and ${textContains(looked)}`
        : sql``
    const present = sql`${column} is not null`
    switch (operator) {
      case "eq":
        return sql`${present} and ${key} = search_key(${value}::text) and search_equal(${column}, ${value}::text)${helpedBy(
          [foldLoosely(fold(value))]
        )}`
      case "in":
        return sql`${present} and ${key} in (${sql.csv(values.map((one) => sql`search_key(${one}::text)`))})
          and ${sql.or(values.map((one) => sql`search_equal(${column}, ${one}::text)`))}`
      case "prefix":
        return sql`${present} and ${key} >= search_key(${value}::text) and ${key} < search_key(${value}::text) || chr(1114111)
          and ${sql.or(
            spellings.map((spelling) => sql`search_begins(left(${column}, ${prefixSearched}), ${spelling}::text)`)
          )}${helpedBy(spellings)}`
      case "contains":
        // The planner would expect next to no rows of a `like` on an expression without statistics.
        return stored === undefined
          ? sql`${present} and ${sql.or(
              spellings.map((spelling) => sql`strpos(search_text(${column}), search_fold(${spelling}::text)) > 0`)
            )}${helpedBy(spellings)}`
          : sql`${present} and ${sql.or(
              spellings.map(
                (spelling) => sql`((${stored} is null and search_text(${column}) like search_pattern(${spelling}::text))
                  or ${stored} like search_pattern(${spelling}::text))`
              )
            )}`
      default:
        return sql`${present} and ${key} ${sql.literal(comparisons[operator])} search_key(${value}::text)`
    }
  }

  /** Conditions on codes, which are ASCII: only the value needs folding. */
  const codeCondition = (expression: string, operator: Operator, values: ReadonlyArray<string>) => {
    const code = sql.literal(`(lower(${expression} collate "C") collate "C")`)
    const [value = ""] = values
    switch (operator) {
      case "eq":
      case "in":
        return sql`${code} in (${sql.csv(values.map((one) => sql`search_fold(${one}::text)`))})`
      case "prefix":
        return sql`starts_with(${code}, search_fold(${value}::text))`
      case "contains":
        return sql`${code} like search_pattern(${value}::text)`
      default:
        return sql`${code} ${sql.literal(comparisons[operator])} search_fold(${value}::text)`
    }
  }

  /** Conditions on external references. Few records have one of some: as an array, these are found by the key of the references. */
  const refsCondition = (teamId: string, condition: Condition) => {
    const isOfType = sql`refs.team_id = ${teamId} and refs.resource_type = ${type}`
    const hasRef = (matching: Fragment) => sql`exists (
      select from external_references refs
      where refs.resource_id = ${sql.literal(table)}.id and ${isOfType}${matching})`
    if (condition.operator === "exists") return condition.is ? hasRef(sql``) : sql`not ${hasRef(sql``)}`
    const refs = condition.values.map(parseQuery)
    const namespaces = refs.map(({ namespace }) => namespace)
    return condition.operator === "prefix"
      ? hasRef(sql` and refs.namespace = any(${namespaces}::text[])`)
      : sql`id = any(array(
          select refs.resource_id
          from unnest(${namespaces}::text[], ${refs.map(({ externalId }) => externalId)}::text[])
            as wanted (namespace, external_id)
          join external_references refs using (namespace, external_id)
          where ${isOfType}))`
  }

  const conditionOf = (teamId: string, condition: Condition): Fragment => {
    if (condition.kind === "refs") return refsCondition(teamId, condition)
    const expression = sql.literal(expressionOf(condition.member))
    if (condition.operator === "exists") {
      if (condition.kind === "tags") return sql`${expression} ${sql.literal(condition.is ? "<>" : "=")} '{}'`
      return sql`${expression} is ${sql.literal(condition.is ? "not null" : "null")}`
    }
    const { kind, member, operator, values } = condition
    switch (kind) {
      case "text":
        return textCondition(member, operator, values)
      case "phone":
        return phoneCondition(member, operator, values)
      case "code":
        return codeCondition(expressionOf(member), operator, values)
      case "tags":
        return sql`${expression} <> '{}' and ${expression} ${sql.literal(operator === "in" ? "&&" : "@>")} ${values}::text[]`
      case "etag":
        return sql`'"v' || ${expression} || '"' = any(${values}::text[])`
      default: {
        const type = sql.literal(valueTypes[kind])
        return operator === "gt" || operator === "gte" || operator === "lt" || operator === "lte"
          ? sql`${expression} ${sql.literal(comparisons[operator])} ${values[0] ?? ""}::${type}`
          : sql`${expression} = any(${values}::${type}[])`
      }
    }
  }

  return { expressionOf, termIn, conditionOf }
}

// The SQL of a page of a search: keyset pagination in any order. One statement.

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
  const { conditionOf, expressionOf, termIn } = makeSearchConditions(sql, {
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
