import countries from "i18n-iso-countries/index.js"
import { check } from "./Text.ts"
import { Schema } from "effect"

// XK (Kosovo) is user-assigned in ISO 3166, and the package lists it nevertheless.
const assigned = new Set(Object.keys(countries.getAlpha2Codes()).filter((code) => code !== "XK"))

/** An assigned ISO 3166-1 alpha-2 code in upper case (decisions §1). */
export const Country = Schema.String.check(
  check(
    "invalid_country",
    "Must be an assigned ISO 3166-1 alpha-2 code in upper case, such as DE.",
    (value: string) => assigned.has(value),
    { pattern: "^[A-Z]{2}$" }
  )
).annotate({ examples: ["DE"] })
