import { Schema } from "effect"
import { parseTimestamp } from "./Timestamp.ts"
import { check } from "./Text.ts"

/** A date without a time, `YYYY-MM-DD`: docs/behaviour/http.md#dates. */
export const CalendarDate = Schema.String.annotate({ format: "date" })
  .check(
    check(
      "invalid_date",
      "Must be a date such as 2027-12-31, without a time.",
      (value: string) => value.length === 10 && parseTimestamp(value) !== undefined
    )
  )
  .annotate({ examples: ["2027-12-31"] })
