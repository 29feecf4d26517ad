/** A search: its meaning, which is independent of the database (the words of its query, its conditions and its order), then its SQL. */
import * as Id from "../Id.ts"
import { canonicalDomain, canonicalEmail, writtenUrl } from "../fields/InternetAddress.ts"
import { fold, foldLoosely } from "../fields/spelling.ts"
import { inNfc } from "../fields/Text.ts"
import { parseTimestamp } from "../fields/Timestamp.ts"
import type { Fragment } from "effect/sql/Statement"
import { averageTeamId } from "../../platform/db/SetStatements.ts"
import type { Database } from "../../platform/db/Database.ts"
import { parseQuery } from "../externalRefs/ExternalRef.ts"
import { Effect } from "effect"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Position } from "../usecase/Page.ts"

/**
 * How a member is compared: `text` folded (docs/behaviour/network.md#how-text-is-compared); `phone` by the number that is dialled within
 * a country; `code`, which is ASCII, without case; `etag` and each of `tags` exactly; `refs`, external references, exactly as
 * NAMESPACE:ID; `number` and `boolean` by their values.
 */
export type Kind = "text" | "phone" | "code" | "id" | "time" | "number" | "boolean" | "tags" | "refs" | "etag"

/** The members of a search. An id names its type. */
export type Members = { readonly [member: string]: Exclude<Kind, "id"> | `id ${Id.Prefix}` }

/** How a member of {@link Members} is compared. */
export const kindOf = (member: Members[string]): Kind => (member.startsWith("id ") ? "id" : (member as Kind))

/** The type of an id of {@link Members}. */
export const prefixOf = (member: Members[string]): Id.Prefix => member.replace(/^id /, "") as Id.Prefix

/** The operators of each kind of member. */
export const operators = {
  text: ["eq", "in", "contains", "prefix", "gt", "gte", "lt", "lte", "exists"],
  phone: ["eq", "in", "contains", "prefix", "gt", "gte", "lt", "lte", "exists"],
  code: ["eq", "in", "contains", "prefix", "gt", "gte", "lt", "lte", "exists"],
  id: ["eq", "in", "gt", "gte", "lt", "lte", "exists"],
  time: ["eq", "in", "gt", "gte", "lt", "lte", "exists"],
  number: ["eq", "in", "gt", "gte", "lt", "lte", "exists"],
  boolean: ["eq", "exists"],
  tags: ["eq", "in", "contains", "exists"],
  refs: ["eq", "in", "prefix", "exists"],
  etag: ["eq", "in", "exists"]
} as const

/** An operator of a filter. */
export type Operator = (typeof operators)[Kind][number]

/** A comparison of a member with values as they are stored; one value, except for `in`. */
type Condition = { readonly member: string; readonly kind: Kind } & (
  | { readonly operator: Exclude<Operator, "exists">; readonly values: ReadonlyArray<string> }
  | { readonly operator: "exists"; readonly is: boolean }
)

/** A part of the query: it matches if all its words do, or as a phone number. */
interface Term {
  readonly words: ReadonlyArray<Word>
  readonly phone: string | undefined
}

/** A word of the query, which matches anywhere in a text, in one of its spellings, or at the beginning of its words. */
export interface Word {
  readonly spellings: ReadonlyArray<string>
  readonly at: "anywhere" | "beginning"
}

/** A member that rows are sorted by. */
export interface Key {
  readonly member: string
  readonly kind: Kind
  readonly descending: boolean
}

/** A search. */
export interface Search {
  readonly terms: ReadonlyArray<Term>
  readonly conditions: ReadonlyArray<Condition>
  /** Never empty. The id breaks ties, in the direction of the last key. */
  readonly order: ReadonlyArray<Key>
}

/** The body of a search, without its page. */
export interface Body {
  readonly query?: string
  readonly filter?: { readonly [member: string]: { readonly [operator: string]: unknown } }
  readonly sort?: ReadonlyArray<{ readonly field: string; readonly direction?: "asc" | "desc" }>
}

const isPhoneLike = (word: string): boolean => /^[+(]?[\d()./-]*\d[\d()./-]*$/.test(fold(word))

/** Whether nothing of a text is compared, such as a hamza or accents alone: all texts would contain it. */
export const foldsToNothing = (text: string): boolean => fold(text).trim() === ""

/** A domain, or the end of an e-mail address, in the ASCII form in which it is stored; undefined for a text without other letters. */
const asciiDomainOf = (text: string): string | undefined => {
  const at = text.lastIndexOf("@") + 1
  const sent = text.slice(at)
  if (/^[\0-\x7f]*$/.test(sent)) return undefined
  const domain = canonicalDomain(sent)
  return domain === undefined ? undefined : fold(text.slice(0, at)) + domain
}

/**
 * The folded spellings of a text that is looked for. Stored texts are compared in all of their spellings, so that `müller` finds `Mueller`
 * in any case, and `mueller` finds `Müller`; for `mueller` to find `Muller`, it is looked for as `muller` as well. What would be shorter
 * than four letters then is not: `joe` is not `jo`. A domain with other letters than ASCII is also looked for as it is stored.
 */
export const spellingsOf = (text: string): ReadonlyArray<string> => {
  const folded = fold(text)
  const loose = foldLoosely(folded)
  return [folded, ...(loose === folded || loose.length < 4 ? [] : [loose]), ...[asciiDomainOf(text) ?? []].flat()]
}

/**
 * A word in the form that is searched. One of one or two letters only matches the beginning of words: it would be in most texts. `ß` is
 * not one of these, though folded it has two letters.
 */
const wordOf = (word: string): Word => {
  const folded = fold(word)
  const isShort = /^[a-z0-9]{1,2}$/.test(folded) && word.normalize("NFC").length >= folded.length
  return { spellings: spellingsOf(word), at: isShort ? "beginning" : "anywhere" }
}

/** Words as a phone number; undefined if they have too few digits. */
const phoneOf = (words: ReadonlyArray<string>): string | undefined => {
  const phone = fold(words.join(" "))
  return phone.replace(/[^0-9]/g, "").length < 3 ? undefined : phone
}

/** The parts of a query. Consecutive words that look like a phone number are one part. What folds to nothing is left out. */
export const termsOf = (query: string): ReadonlyArray<Term> => {
  const runs: Array<Array<string>> = []
  for (const word of query.split(/\s+/)) {
    if (foldsToNothing(word)) continue
    const run = runs.at(-1)
    const continues = run !== undefined && isPhoneLike(word) && isPhoneLike(run[0] ?? "")
    if (continues) run.push(word)
    else runs.push([word])
  }
  return runs.map((words) => ({
    words: words.map(wordOf),
    phone: isPhoneLike(words[0] ?? "") ? phoneOf(words) : undefined
  }))
}

const valueOf = (kind: Kind, member: Members[string], sent: unknown): string => {
  const value = String(sent)
  if (kind === "id") return Id.toUuid(prefixOf(member), value) ?? value
  if (kind === "tags") return inNfc(value)
  return kind === "time" ? (parseTimestamp(value)?.toISOString() ?? value) : value
}

// A whole e-mail address, domain or web address is compared in the form in which it is stored.
const storedForms: { readonly [member: string]: (text: string) => string | undefined } = {
  email: canonicalEmail,
  domain: canonicalDomain,
  homepageUrl: writtenUrl,
  linkedInUrl: writtenUrl,
  profilePictureUrl: writtenUrl
}

const conditionsOf = (members: Members, filter: NonNullable<Body["filter"]>): ReadonlyArray<Condition> =>
  Object.entries(members).flatMap(([member, declared]) => {
    const kind = kindOf(declared)
    const conditions = filter[member] ?? {}
    return operators[kind].flatMap((operator: Operator): ReadonlyArray<Condition> => {
      const value = conditions[operator]
      if (value === undefined) return []
      if (operator === "exists") return [{ member, kind, operator, is: value === true }]
      const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
      const isWhole = operator === "eq" || operator === "in"
      const storedForm = isWhole || (operator === "prefix" && member === "email") ? storedForms[member] : undefined
      return [
        {
          member,
          kind,
          operator,
          values: values.map((one) => valueOf(kind, declared, one)).map((one) => storedForm?.(one) ?? one)
        }
      ]
    })
  })

/** The order; defaults to that of creation. Keys after the id have no effect. */
const orderOf = (members: Members, sort: NonNullable<Body["sort"]>): ReadonlyArray<Key> => {
  const keys = (sort.length === 0 ? [{ field: "createdUtc" }] : sort).map(
    ({ direction, field }: { readonly field: string; readonly direction?: string }): Key => ({
      member: field,
      kind: kindOf(members[field] ?? "text"),
      descending: direction === "desc"
    })
  )
  const id = keys.findIndex(({ member }) => member === "id")
  return id === -1 ? keys : keys.slice(0, id + 1)
}

const listed = (names: ReadonlyArray<string>): string => [...new Set(names)].join(", ")

const isText = (kind: Kind): boolean => kind === "text" || kind === "phone"

/** What to change about a search of so many rows that takes too long, for people: the costly parts of it, and what helps. */
export const narrowing = ({ conditions, order, terms }: Search, rows: number): string => {
  const texts = conditions.filter(({ kind, operator }) => isText(kind) && operator !== "exists")
  const short = terms
    .flatMap(({ words }) => words)
    .some(({ spellings }) => spellings.some((spelling) => [...spelling].length < 3))
  const sortedBy = order.filter(({ kind }) => isText(kind))
  return [
    ...(texts.length === 0
      ? []
      : [`Compare fewer texts (${listed(texts.map(({ member }) => member))}), or with \`contains\` longer ones.`]),
    ...(short ? ["Search for longer words in query."] : []),
    ...(sortedBy.length === 0
      ? []
      : [`Sort by createdUtc or id instead of ${listed(sortedBy.map(({ member }) => member))}.`]),
    "Add conditions that fewer records meet, such as on tags, an id or a time.",
    ...(rows > 50 ? ["Ask for a smaller page_size."] : [])
  ].join(" ")
}

/** The search that a body describes. */
export const searchOf = (members: Members, { filter, query, sort }: Body): Search => ({
  terms: termsOf(query ?? ""),
  conditions: conditionsOf(members, filter ?? {}),
  order: orderOf(members, sort ?? [])
})

// The SQL of a search: conditions, written so that indexes find the rows, and the page in any order.

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

type Comparison = Exclude<Condition["operator"], "exists">

// The characters before which a word begins, as in the trigram index.
const beginning = "[ .,:;@/_&('+-]"

/** The words in a folded text that the index of endings finds (sql/0032_search_endings.sql). */
const wordsIn = (folded: string): ReadonlyArray<string> =>
  folded.split(/[^a-z\u0080-\u{10ffff}]+/u).filter((word) => [...word].length > 2)

const isWord = (folded: string): boolean => wordsIn(folded)[0] === folded

/** Makes the conditions of a table, whose records have this type. */
export const makeSearchConditions = (
  sql: Database["Service"],
  { searchable, table, type }: { readonly table: string; readonly type: Id.Prefix; readonly searchable: Searchable }
) => {
  const text = sql.literal(searchable.text)
  const expressionOf = (member: string) => searchable.members[member] ?? member

  // A word, or a part of one, by the endings that begin with it, which are few if it is rare; what is more, or shorter, also by
  // its trigrams, of which there are many.
  const contains = (teamId: string, spelling: string) => {
    const isLike = sql`${text} like search_pattern(${spelling}::text)`
    const [longest] = [...wordsIn(spelling)].sort((a, b) => b.length - a.length)
    if (longest === undefined) return isLike
    const hasEnding = sql`search_endings(team_id, ${text}) @@ search_beginning(${teamId}::uuid, ${longest}::text)`
    return sql`(${hasEnding} and ${isWord(spelling) ? sql`strpos(${text}, search_fold(${spelling}::text)) > 0` : isLike})`
  }

  const textContains = (teamId: string, spellings: ReadonlyArray<string>) =>
    sql.or(spellings.map((spelling) => contains(teamId, spelling)))

  const wordIn = (teamId: string, { at, spellings }: Word) =>
    at === "beginning" ? sql`${text} ~ ${beginning + (spellings[0] ?? "")}` : textContains(teamId, spellings)

  const termIn = (teamId: string, { phone, words }: Term) => {
    const all = sql.and(words.map((word) => wordIn(teamId, word)))
    return phone === undefined ? all : sql.or([all, sql`${text} like search_pattern(search_phone(${phone}::text))`])
  }

  /** Conditions on phone numbers, as text and as they are dialled within their country. */
  const phoneCondition = (member: string, operator: Comparison, values: ReadonlyArray<string>) => {
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
  const textCondition = (teamId: string, member: string, operator: Comparison, values: ReadonlyArray<string>) => {
    const expression = expressionOf(member)
    const key = sql.literal(sortKeys.text(expression)[0])
    const column = sql.literal(expression)
    const stored = searchable.alone.includes(member) ? sql.literal(`${expression}_folded`) : undefined
    const [value = ""] = values
    const spellings = spellingsOf(value)
    // The indexes of the searched text narrow the rows down: it contains its members in all spellings.
    const helpedBy = (looked: ReadonlyArray<string>) =>
      searchable.within.includes(member) && looked.every((spelling) => [...spelling].length > 2)
        ? sql` and ${textContains(teamId, looked)}`
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
  const codeCondition = (expression: string, operator: Comparison, values: ReadonlyArray<string>) => {
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
        return textCondition(teamId, member, operator, values)
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

// The limits that searches for parts of texts are planned for. By its statistics, the planner expects a part in one of hundreds of
// rows if one of the sampled rows has it. For the first few of so many it would walk the list in its order, and walk all of it
// when the part is rare. Of endings, the common ones are counted.
const plannedLimits = { trigrams: 500, endings: 100 }

const isCounted = ({ phone, words }: Term): boolean =>
  phone === undefined && words.some(({ at, spellings }) => at === "anywhere" && spellings.every(isWord))

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
      ...terms.map((term) => termIn(teamId, term)),
      ...conditions.map((condition) => conditionOf(teamId, condition)),
      ...(position === undefined ? [] : [after(keys, position)])
    ]
    const looksForParts =
      terms.length > 0 ||
      conditions.some(({ kind, operator }) => (kind === "text" || kind === "phone") && operator === "contains")
    const plannedLimit = plannedLimits[terms.some(isCounted) ? "endings" : "trigrams"]
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
      from page join ${name} on id = found_id and team_id = ${averageTeamId(sql, teamId)}
      order by ${inOrder}`.valuesUnprepared
    )
    return rows.map((values): Found<Stored> => ({
      stored: toStored(values),
      position: values.slice(-names.length).map((value) => String(value ?? ""))
    }))
  })

  return search
}
