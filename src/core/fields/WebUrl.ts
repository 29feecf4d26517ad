import { check, rewritten, Text } from "./Text.ts"

// What the parser drops (tabs and line breaks), turns into slashes, or encodes though it is no part of an address.
const repaired = /[\s\p{Cc}\\]/u

// What it drops from a host: all that is invisible but joiners, which are letters in some domains and refused in all others.
const repairedHost = /(?![\u200c\u200d])[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** The host of a web address as it was sent. */
const sentHost = (text: string): string =>
  text
    .replace(/^[^:]*:\/\//, "")
    .replace(/[/?#].*$/su, "")
    .replace(/^.*@/su, "")

/**
 * The parsed form of an absolute http or https URL. Undefined for anything else, also where the parser accepts a text only because it
 * mends it, such as `https:example.com`: docs/behaviour/http.md#text.
 */
export const parseWebUrl = (text: string): URL | undefined => {
  if (repaired.test(text) || !/^https?:\/\/[^/?#]/i.test(text)) return undefined
  return repairedHost.test(sentHost(text)) ? undefined : (URL.parse(text) ?? undefined)
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
