import countries from "i18n-iso-countries/index.js"
import { check } from "./Text.ts"
import { Schema } from "effect"

// The package lists XK (Kosovo), which ISO 3166 does not assign.
const assigned = new Set(Object.keys(countries.getAlpha2Codes()).filter((code) => code !== "XK"))

/** An assigned ISO 3166-1 alpha-2 code in upper case: docs/behaviour/http.md#codes. */
export const Country = Schema.String.check(
  check(
    "invalid_country",
    "Must be an assigned ISO 3166-1 alpha-2 code in upper case, such as DE.",
    (value: string) => assigned.has(value),
    { pattern: "^[A-Z]{2}$" }
  )
).annotate({ examples: ["DE"] })
