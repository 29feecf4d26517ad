/** Timestamps and dates in requests and responses: docs/behaviour/http.md#timestamps. */
import { Schema } from "effect"
import { check } from "./Text.ts"

const isoDate = /^\d{4}-\d{2}-\d{2}$/
const isoWithOffset = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)$/i

/**
 * Parses a timestamp of a client: ISO 8601 with an offset, or a date alone, which means midnight UTC, in the years 1 to 9999.
 * Returns `undefined` for anything else, such as 30 February.
 */
export const parseTimestamp = (text: string): Date | undefined => {
  if (!isoDate.test(text) && !isoWithOffset.test(text)) return undefined
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number)
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined
  const normal = text
    .replace(",", ".")
    .replace(/([+-]\d{2})(\d{2})?$/, (match, hours: string, minutes?: string) =>
      isoDate.test(text) ? match : `${hours}:${minutes ?? "00"}`
    )
  const date = new Date(isoDate.test(text) ? `${text}T00:00:00Z` : normal.toUpperCase())
  // An offset can move the time into a year that does not have four digits. Postgres has no year 0.
  const isWithin = date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999
  return isWithin ? date : undefined
}

const isTimestamp = check(
  "invalid_timestamp",
  "Must be an ISO 8601 date, or a date and time with an offset, such as 2026-11-21T09:30:00Z (in a URL, + is %2B).",
  (value: string) => parseTimestamp(value) !== undefined
)

const example = "2026-11-21T09:30:00.000Z"

/** A timestamp in the body of a request. */
export const TimestampInput = Schema.String.check(isTimestamp).annotate({ examples: [example] })

/** A timestamp in a query parameter. */
export const TimestampParameter = (description: string) =>
  Schema.String.annotate({ format: "date-time" })
    .check(isTimestamp)
    .annotate({
      description: `${description} An ISO 8601 date, or a date and time with an offset, such as \`${example}\`. In a URL, write \`+\` as \`%2B\`.`,
      examples: [example]
    })

/** A timestamp in a response: UTC with milliseconds and `Z`. */
export const Timestamp = Schema.String.annotate({
  description: "ISO 8601 in UTC, with milliseconds.",
  format: "date-time",
  examples: [example]
})

/** A date without a time, `YYYY-MM-DD`: docs/behaviour/http.md#timestamps. */
export const CalendarDate = Schema.String.annotate({ format: "date" })
  .check(
    check(
      "invalid_date",
      "Must be a date such as 2027-12-31, without a time.",
      (value: string) => value.length === 10 && parseTimestamp(value) !== undefined
    )
  )
  .annotate({ examples: ["2027-12-31"] })
