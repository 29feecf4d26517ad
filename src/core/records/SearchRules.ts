/** The meaning of a search, independent of the database: the words of its query, its conditions and its order. Pure. */
import * as Id from "../Id.ts"
import { canonicalDomain, canonicalEmail, writtenUrl } from "../fields/InternetAddress.ts"
import { fold, foldLoosely } from "../fields/spelling.ts"
import { inNfc } from "../fields/Text.ts"
import { parseTimestamp } from "../fields/Timestamp.ts"

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
export type Condition = { readonly member: string; readonly kind: Kind } & (
  | { readonly operator: Exclude<Operator, "exists">; readonly values: ReadonlyArray<string> }
  | { readonly operator: "exists"; readonly is: boolean }
)

/** A part of the query: it matches if all its words do, or as a phone number. */
export interface Term {
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
