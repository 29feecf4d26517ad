import { Schema } from "effect"
import { check } from "./Text.ts"

const currencies = new Set(Intl.supportedValuesOf("currency"))

/** An ISO 4217 code in upper case: docs/behaviour/http.md#codes. */
export const Currency = Schema.String.check(
  check(
    "invalid_currency",
    "Must be an ISO 4217 code in upper case, such as EUR.",
    (value: string) => currencies.has(value),
    { pattern: "^[A-Z]{3}$" }
  )
).annotate({ description: "The ISO 4217 code of the currency.", examples: ["EUR"] })
