import { check, rewritten, Text } from "./Text.ts"

// What the parser drops (tabs and line breaks), turns into slashes, or encodes though it is no part of an address.
const repaired = /[\s\p{Cc}\\]/u

/**
 * The parsed form of an absolute http or https URL. Undefined for anything else, also where the parser accepts a text only because it
 * mends it, such as `https:example.com`: docs/behaviour/http.md#text.
 */
export const parseWebUrl = (text: string): URL | undefined => {
  if (repaired.test(text) || !/^https?:\/\/[^/?#]/i.test(text)) return undefined
  return URL.parse(text) ?? undefined
}

/** An URL as the parser writes it; any other text as it is, for the check that refuses it. */
export const writtenUrl = (text: string): string => parseWebUrl(text)?.href ?? text

/** An absolute http or https URL as it is sent: at most 2,048 characters (docs/behaviour/http.md#text). */
export const SentWebUrl = Text(2048)
  .check(
    check("invalid_url", "Must be an absolute http or https URL.", (value: string) => parseWebUrl(value) !== undefined)
  )
  .annotate({ examples: ["https://www.example.com/anna-berg"] })

/** A {@link SentWebUrl}, stored as {@link writtenUrl}. */
export const WebUrl = rewritten(SentWebUrl, writtenUrl)
