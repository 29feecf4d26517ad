/** Pure decisions on days and moments: when tasks are due, and when access ends. Days are `YYYY-MM-DD` in UTC. */
import { DateTime } from "effect"
import { parseTimestamp } from "../../core/fields/Timestamp.ts"

/** The calendar day of a moment, in UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** The day that is this many days after another; a negative number is before it. */
export const daysAfter = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000))

/** The midnight of a day, as a timestamp. */
export const midnightOf = (day: string): string => `${day}T00:00:00.000Z`

/** Days from one to another, both included. */
export interface DueDates {
  readonly from: string
  readonly to: string
}

/** The due dates that a filter by tasks selects. A week ends with its Sunday, and excludes overdue tasks. */
export const dueDatesOf = (filter: "overdue" | "today" | "this_week", today: string): DueDates => {
  if (filter === "overdue") return { from: "0001-01-01", to: daysAfter(today, -1) }
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  return { from: today, to: filter === "today" ? today : daysAfter(today, (7 - weekday) % 7) }
}

const named: { readonly [name: string]: string } = { tomorrow: "1d", next_week: "1w", next_month: "1m" }

/**
 * The moment that an expiry means: `3d`, `2w` or `1m` from now, `tomorrow`, `next_week` or `next_month`, or ISO 8601.
 * `undefined` for anything else. A month later is the same day of the next month, or its last one.
 */
export const expiryOf = (text: string, now: Date): Date | undefined => {
  const [, amount, unit] = /^(\d{1,4})([dwm])$/.exec(named[text] ?? text) ?? []
  if (unit === undefined) return parseTimestamp(text)
  const count = Number(amount)
  const parts = unit === "d" ? { days: count } : unit === "w" ? { weeks: count } : { months: count }
  return DateTime.toDateUtc(DateTime.add(DateTime.makeUnsafe(now), parts))
}

/** The moment that an end means: as {@link expiryOf}, and also seconds and hours from now, such as `10s` and `2h`. */
export const endOf = (text: string, now: Date): Date | undefined => {
  const [, amount, unit] = /^(\d{1,6})([sh])$/.exec(text) ?? []
  if (unit === undefined) return expiryOf(text, now)
  return new Date(now.getTime() + Number(amount) * (unit === "s" ? 1_000 : 3_600_000))
}
