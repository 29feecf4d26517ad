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
const ownMember =
  /^(?!external|cadastral)(?:id|.*Ids?|.*Utc|.*At|.*Date|due|etag|type|kind|status|teaserStage|stage|state|interest|category|categories|priority|role|event|change|changeType|changeOrigin|country|currency|scale|unit|tenure|exclusivity|mandate|language|primaryLanguage|culture|uiCulture|timeZone|plan|capabilities|contentFormat|defaultAccess|audience|mergedInto|nextCursor|subject|broker|investor|score|code|events|subcategories|lifecycleStage|dealStructure|standard|measuredOn|expiresOn|breakOn|asOf|validUntil|conversions|uses|planningPermission|grade|condition|contractType|leaseType|indexation|qualifier|vatTreatment|class|basis|scheme|lifecycleStages|tenures|dealStructures|riskProfiles|positiveTags|negativeTags|worstEnergyClass|match|criterion|result|failed|partly)$/

/** The names of the members of a value that have texts which people wrote, sorted. */
export const writtenMembers = (value: Json): ReadonlyArray<string> => {
  const names = new Set<string>()
  const look = (item: Json, name: string): void => {
    if (typeof item === "string") {
      if (item !== "" && !ownMember.test(name)) names.add(name)
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
