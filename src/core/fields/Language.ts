import { check, Text } from "./Text.ts"

const maxLength = 35

/** The canonical case of a BCP-47 tag (`en-us` becomes `en-US`); `undefined` if it is not well-formed. */
export const canonicalLanguage = (tag: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** A well-formed BCP-47 language tag; the service stores it in canonical case (docs/behaviour/http.md#codes). */
export const Language = Text(maxLength)
  .check(
    check(
      "invalid_language",
      "Must be a BCP-47 language tag such as en-US.",
      // A longer one is too long, and would take long to read.
      (value: string) => value.length > maxLength || canonicalLanguage(value) !== undefined
    )
  )
  .annotate({ examples: ["en-US"] })
