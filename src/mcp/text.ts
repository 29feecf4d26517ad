/** What people wrote, in answers to agents (docs/behaviour/mcp.md#text-that-people-wrote), and how long answers may be. */
import type { Json } from "../core/usecase/Input.ts"

// Format characters, tags, fillers that look empty, and controls but for tabs and line breaks: none is seen, so instructions to an agent
// could hide in them. Arabic and other signs that enclose numbers are format characters, and seen.
const hidden =
  /(?![\u200c\u200d\p{Variation_Selector}\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\t\n])[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

// The joiners U+200D and U+200C, and variation selectors: seen only by what they do to the characters beside them.
const shaping = /[\u200c\u200d\p{Variation_Selector}]+/gu

const letter = /^[\p{L}\p{M}]$/u

// Scripts whose letters join, or form conjuncts.
const joining = new RegExp(
  `^[${(
    "Adlam Arabic Balinese Bengali Devanagari Grantha Gujarati Gurmukhi Hanifi_Rohingya Javanese Kannada Khmer Malayalam Mandaic " +
    "Manichaean Mongolian Myanmar Nko Oriya Phags_Pa Sinhala Syriac Tamil Telugu Tibetan"
  )
    .split(" ")
    .map((script) => `\\p{Script_Extensions=${script}}`)
    .join("")}]$`,
  "u"
)

const isJoined = (character: string): boolean => letter.test(character) && joining.test(character)

/** Whether a joiner between these characters shapes a word or an emoji; one that joins also shapes the last letter of a word. */
const joins = (joiner: string, before: string, after: string): boolean =>
  (isJoined(before) && (joiner === "\u200d" || isJoined(after))) ||
  (joiner === "\u200d" &&
    /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u.test(before) &&
    /^\p{Extended_Pictographic}$/u.test(after))

/** The variation selectors that a character can have. More, or others, would be data that nobody sees. */
const variants: ReadonlyArray<readonly [of: RegExp, selectors: RegExp]> = [
  [/^(?![0-9#*])\p{Emoji}$/u, /[\ufe0e\ufe0f]/],
  [/^\p{Script=Han}$/u, /[\ufe00-\ufe02\u{e0100}-\u{e01ef}]/u],
  [/^\p{Script=Mongolian}$/u, /[\u180b-\u180d\u180f]/],
  [/^[\p{Sm}\p{Script=Myanmar}\p{Script=Phags_Pa}]$/u, /\ufe00/]
]

const varies = (selector: string, before: string, after: string): boolean =>
  variants.some(([of, selectors]) => of.test(before) && selectors.test(selector)) ||
  (selector === "\ufe0f" && /^[0-9#*]$/.test(before) && after === "\u20e3")

/** The character that ends at an index. */
const characterBefore = (text: string, index: number): string => {
  const pair = text.slice(Math.max(0, index - 2), index)
  return pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xffff ? pair : pair.slice(-1)
}

/** Of a run of shaping characters at an index of a text, those that shape what is beside them: a variant, then a joiner. */
const shapingPart = (run: string, index: number, text: string): string => {
  const before = characterBefore(text, index)
  const after = String.fromCodePoint(text.codePointAt(index + run.length) ?? 0)
  const [first = "", ...others] = run
  const selector = varies(first, before, after) ? first : ""
  const joiner = (selector === "" ? [first, ...others] : others).find((one) => one === "\u200c" || one === "\u200d")
  return selector + (joiner !== undefined && joins(joiner, before, after) ? joiner : "")
}

// Most texts have no others: of these, none is hidden or shapes another.
const plainCharacters = /^[\t\n\x20-\x7e\xa0-\xac\xae-\u02ff]*$/

/** A text without the characters that nobody sees and that change nothing which is seen. Line breaks become `\n`. */
export const visible = (text: string): string =>
  plainCharacters.test(text)
    ? text
    : text.replaceAll("\r\n", "\n").replaceAll(hidden, "").replaceAll(shaping, shapingPart)

/** A value with all its texts made {@link visible}: the value itself where they are. */
export const visibleIn = (value: Json): Json => {
  if (typeof value === "string") return visible(value)
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) {
    const items = value as ReadonlyArray<Json>
    const shown = items.map(visibleIn)
    return shown.every((item, index) => item === items[index]) ? value : shown
  }
  const entries = Object.entries(value) as ReadonlyArray<readonly [string, Json]>
  const shown = entries.map(([key, item]) => [key, visibleIn(item)] as const)
  return shown.every(([, item], index) => item === entries[index]?.[1]) ? value : Object.fromEntries(shown)
}

// Members whose texts are the service's own: ids, times, codes and words of a fixed vocabulary. All others count as written by people.
const ownMembers = new Set([
  "asOf",
  "audience",
  "basis",
  "breakOn",
  "broker",
  "capabilities",
  "categories",
  "category",
  "change",
  "changeOrigin",
  "changeType",
  "class",
  "code",
  "condition",
  "contentFormat",
  "contractType",
  "conversions",
  "country",
  "criterion",
  "culture",
  "currency",
  "dealStructure",
  "dealStructures",
  "defaultAccess",
  "due",
  "etag",
  "event",
  "events",
  "exclusivity",
  "expiresOn",
  "failed",
  "grade",
  "id",
  "indexation",
  "interest",
  "investor",
  "kind",
  "language",
  "leaseType",
  "lifecycleStage",
  "lifecycleStages",
  "mandate",
  "match",
  "measuredOn",
  "mergedInto",
  "negativeTags",
  "nextCursor",
  "partly",
  "plan",
  "planningPermission",
  "positiveTags",
  "primaryLanguage",
  "priority",
  "qualifier",
  "result",
  "riskProfiles",
  "role",
  "scale",
  "scheme",
  "score",
  "stage",
  "standard",
  "state",
  "status",
  "subcategories",
  "subject",
  "teaserStage",
  "tenure",
  "tenures",
  "timeZone",
  "type",
  "uiCulture",
  "unit",
  "uses",
  "validUntil",
  "vatTreatment",
  "worstEnergyClass"
])

const ownEnding = /(?:Ids?|Utc|At|Date)$/

// Ids in other systems and registers, which people wrote in spite of their names.
const foreignId = /^(?:external|cadastral)/

// What machines and other systems go by: a part of it means nothing.
const addresses = /^(?:externalRefs|namespace|email|phone|domain|path|downloadPath)$|(?:Id|Url)s?$/

const isOwn = (name: string): boolean => ownMembers.has(name) || (ownEnding.test(name) && !foreignId.test(name))

/** Whether a text of a member of this name still says something when it is shortened. */
const isProse = (name: string): boolean => !isOwn(name) && !addresses.test(name)

/** The names of the members of a value that have texts which people wrote, sorted. */
export const writtenMembers = (value: Json): ReadonlyArray<string> => {
  const names = new Set<string>()
  const look = (item: Json, name: string): void => {
    if (typeof item === "string") {
      if (item !== "" && !isOwn(name)) names.add(name)
    } else if (Array.isArray(item)) {
      for (const one of item as ReadonlyArray<Json>) look(one, name)
    } else if (item !== null && typeof item === "object") {
      for (const [key, one] of Object.entries(item) as ReadonlyArray<[string, Json]>) look(one, key)
    }
  }
  look(value, "")
  return [...names].toSorted()
}

/** The beginning of a text, at most `length` characters and no half of a pair of surrogates, with an ellipsis where it is longer. */
export const excerpt = <Text extends string | null>(text: Text, length = 200): Text =>
  text === null || text.length <= length
    ? text
    : (`${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…` as Text)

// The size of answers (docs/behaviour/mcp.md#size): JSON is never cut, but pages end early and long texts are shortened.

/** The maximum length of an answer as JSON, in UTF-16 code units. */
export const maxLength = 40_000

/** How many of these items fit together into `room` characters as an array: at least 1. */
export const fitting = (items: ReadonlyArray<Json>, room: number): number => {
  let length = 2
  for (const [index, item] of items.entries()) {
    length += JSON.stringify(item).length + 1
    if (length > room) return Math.max(1, index)
  }
  return items.length
}

type View = { readonly [member: string]: Json }

/**
 * A view of a record with as many items of its lists as fit into these numbers of characters of JSON. `leftOut` has how many items of a
 * list are left out.
 */
export const cutLists = <V extends object>(
  view: V,
  rooms: { readonly [List in keyof V]?: number }
): V & { readonly leftOut?: { readonly [list: string]: number } } => {
  const shown: { [List in keyof V]?: unknown } = {}
  const leftOut: Record<string, number> = {}
  for (const list in rooms) {
    const items = (view[list] ?? []) as ReadonlyArray<Json>
    const count = fitting(items, rooms[list] ?? 0)
    if (count === items.length) continue
    shown[list] = items.slice(0, count)
    leftOut[list] = items.length - count
  }
  return Object.keys(leftOut).length === 0 ? view : { ...view, ...shown, leftOut }
}

type Path = ReadonlyArray<string>

/** The texts in a value that can be shortened, each with the name of its member; items of a list have that of the list. */
const proseIn = (
  value: Json,
  name = "",
  path: Path = []
): ReadonlyArray<{ name: string; path: Path; length: number }> => {
  if (typeof value === "string") return isProse(name) ? [{ name, path, length: value.length }] : []
  if (value === null || typeof value !== "object") return []
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, item]: [string, Json]) =>
    proseIn(item, isList ? name : key, [...path, key])
  )
}

const shortenedAt = (value: Json, [key, ...rest]: Path, length: number): Json => {
  if (key === undefined) return typeof value === "string" ? excerpt(value, length) : value
  if (Array.isArray(value)) {
    return (value as ReadonlyArray<Json>).map((item, index) =>
      String(index) === key ? shortenedAt(item, rest, length) : item
    )
  }
  const members = value as { readonly [key: string]: Json }
  const member = members[key]
  return member === undefined ? value : { ...members, [key]: shortenedAt(member, rest, length) }
}

// A text that was shortened to less says nothing.
const minTextLength = 100

/**
 * A value whose JSON has at most `room` characters: its longest texts are halved until it fits, and `shortened` names the
 * members whose texts were. Ids, references, addresses and words of a vocabulary stay whole. A value that has no long text stays as it is.
 */
export const shortened = (
  value: View,
  room: number
): { readonly value: View; readonly shortened: ReadonlyArray<string> } => {
  let current = value
  const names = new Set<string>()
  while (JSON.stringify(current).length > room) {
    const [longest] = proseIn(current).toSorted((a, b) => b.length - a.length)
    if (longest === undefined || longest.length <= minTextLength) break
    names.add(longest.name)
    current = shortenedAt(current, longest.path, Math.max(minTextLength, longest.length >> 1)) as View
  }
  return { value: current, shortened: [...names].toSorted() }
}
