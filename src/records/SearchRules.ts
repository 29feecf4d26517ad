/** What a search means, apart from any database: the words of its query, its conditions, and its order. */
import * as Id from "../Id.ts"
import { parseTimestamp } from "../fields/Timestamp.ts"

/**
 * How a member is compared. `text` is compared without case and accents; `code` likewise, and is ASCII alone; `etag` as it
 * is; of `tags` each is compared as it is.
 */
export type Kind = "text" | "code" | "id" | "time" | "tags" | "etag"

/** The members that can be searched by. An id says of what. */
export type Members = { readonly [member: string]: Exclude<Kind, "id"> | `id ${Id.Prefix}` }

/** How a member of {@link Members} is compared. */
export const kindOf = (member: Members[string]): Kind => (member.startsWith("id ") ? "id" : (member as Kind))

/** Of what a member of {@link Members} is the id. */
export const prefixOf = (member: Members[string]): Id.Prefix => member.replace(/^id /, "") as Id.Prefix

/** Which operators a kind of member has. */
export const operators = {
  text: ["eq", "in", "contains", "prefix", "gt", "gte", "lt", "lte", "exists"],
  code: ["eq", "in", "contains", "prefix", "gt", "gte", "lt", "lte", "exists"],
  id: ["eq", "in", "gt", "gte", "lt", "lte", "exists"],
  time: ["eq", "in", "gt", "gte", "lt", "lte", "exists"],
  tags: ["eq", "in", "contains", "exists"],
  etag: ["eq", "in", "exists"]
} as const

/** An operator of a filter. */
export type Operator = (typeof operators)[Kind][number]

/** A member's comparison with values, as a database takes them; one value unless the operator is `in`. */
export type Condition = { readonly member: string; readonly kind: Kind } & (
  | { readonly operator: Exclude<Operator, "exists">; readonly values: ReadonlyArray<string> }
  | { readonly operator: "exists"; readonly is: boolean }
)

/** A part of the query: all of its words are there, or else its digits are those of a phone number. */
export interface Term {
  readonly words: ReadonlyArray<Word>
  readonly digits: string | undefined
}

/** A word of the query: anywhere in a text, or at the beginning of a word of it. */
export interface Word {
  readonly text: string
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
  /** Never empty; ties are broken by the id, in the direction of the last. */
  readonly order: ReadonlyArray<Key>
}

/** What a client sends, decoded. */
export interface Body {
  readonly query?: string
  readonly filter?: { readonly [member: string]: { readonly [operator: string]: unknown } }
  readonly sort?: ReadonlyArray<{ readonly field: string; readonly direction?: "asc" | "desc" }>
}

const phoneLike = /^[+(]?[\d()./-]*\d[\d()./-]*$/

const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()

/** A word, in the form that is looked for: one of one or two letters would be anywhere. */
const wordOf = (text: string): Word => {
  const folded = plain(text)
  return /^[a-z0-9]{1,2}$/.test(folded) ? { text: folded, at: "beginning" } : { text, at: "anywhere" }
}

/** The digits of a phone number, without zeros in front; none when they are too few to be one. */
const digitsOf = (words: ReadonlyArray<string>): string | undefined => {
  const digits = words.join("").replace(/\D/g, "").replace(/^0+/, "")
  return digits.length < 3 || words.join(" ") === digits ? undefined : digits
}

/** The parts of a query. Words that look like parts of one phone number are one. */
export const termsOf = (query: string): ReadonlyArray<Term> => {
  const runs: Array<Array<string>> = []
  for (const word of query.split(/\s+/).filter((one) => one !== "")) {
    const run = runs.at(-1)
    const goesOn = run !== undefined && phoneLike.test(word) && phoneLike.test(run[0] ?? "")
    if (goesOn) run.push(word)
    else runs.push([word])
  }
  return runs.map((words) => ({
    words: words.map(wordOf),
    digits: phoneLike.test(words[0] ?? "") ? digitsOf(words) : undefined
  }))
}

const valueOf = (kind: Kind, member: Members[string], value: string): string => {
  if (kind === "id") return Id.toUuid(prefixOf(member), value) ?? value
  return kind === "time" ? (parseTimestamp(value)?.toISOString() ?? value) : value
}

const conditionsOf = (members: Members, filter: NonNullable<Body["filter"]>): ReadonlyArray<Condition> =>
  Object.entries(members).flatMap(([member, declared]) => {
    const kind = kindOf(declared)
    const asked = filter[member] ?? {}
    return operators[kind].flatMap((operator: Operator): ReadonlyArray<Condition> => {
      const value = asked[operator]
      if (value === undefined) return []
      if (operator === "exists") return [{ member, kind, operator, is: value === true }]
      const values = (Array.isArray(value) ? value : [value]) as ReadonlyArray<string>
      return [{ member, kind, operator, values: values.map((one) => valueOf(kind, declared, one)) }]
    })
  })

/** The order of creation, unless told. What comes after the id has no say. */
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

/** What a body means where these members can be searched by. */
export const searchOf = (members: Members, { filter, query, sort }: Body): Search => ({
  terms: termsOf(query ?? ""),
  conditions: conditionsOf(members, filter ?? {}),
  order: orderOf(members, sort ?? [])
})
