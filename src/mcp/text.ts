/** What people wrote, in answers to agents (docs/behaviour/mcp.md#text-that-people-wrote). */
import type { Json } from "../usecase/Input.ts"

// Format and private-use characters, fillers that look empty, variation selectors, and controls but for tabs and line breaks: none is
// seen, so instructions to an agent could hide in them.
const invisible =
  /\p{Cf}|\p{Co}|\p{Cn}|[\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}|\u034f|\u17b4|\u17b5|(?![\t\n])\p{Cc}/gu

/** A text without the characters that nobody sees. Line breaks become `\n`. */
export const visible = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll(invisible, "")

/** A value with all its texts made {@link visible}. */
export const visibleIn = (value: Json): Json => {
  if (typeof value === "string") return visible(value)
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return (value as ReadonlyArray<Json>).map(visibleIn)
  return Object.fromEntries(Object.entries(value).map(([key, item]: [string, Json]) => [key, visibleIn(item)]))
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
export const isProse = (name: string): boolean => !isOwn(name) && !addresses.test(name)

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
