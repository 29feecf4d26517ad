/** Spans of time as people write them. */
import { Duration } from "effect"

const units = { m: Duration.minutes, h: Duration.hours, d: Duration.days }

/** The duration that a text such as `24h` means: whole minutes (`m`), hours (`h`) or days (`d`), up to six digits. */
export const parseSpan = (text: string): Duration.Duration | undefined => {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  return unit === undefined ? undefined : units[unit as keyof typeof units](Number(amount))
}
