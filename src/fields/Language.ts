import { check, Text } from "./Text.ts"

/** The canonical case of a well-formed BCP-47 tag (`en-us` becomes `en-US`), or `undefined`. */
export const canonicalLanguage = (tag: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** A well-formed BCP-47 language tag; it is stored in canonical case (decisions §1). */
export const Language = Text(35)
  .check(
    check(
      "invalid_language",
      "Must be a BCP-47 language tag such as en-US.",
      (value: string) => canonicalLanguage(value) !== undefined
    )
  )
  .annotate({ examples: ["en-US"] })
