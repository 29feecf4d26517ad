/** Durations as text (`24h`), and times relative to now, by the clock of the application. */
import { Clock, Duration, Effect } from "effect"

const units = { m: Duration.minutes, h: Duration.hours, d: Duration.days }

/** Parses a duration such as `24h`: whole minutes (`m`), hours (`h`) or days (`d`), up to six digits. */
export const parseDuration = (text: string): Duration.Duration | undefined => {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  return unit === undefined ? undefined : units[unit as keyof typeof units](Number(amount))
}

/** The current time. */
export const now: Effect.Effect<Date> = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

/** The time so many days ago: the start of a retention period. */
export const daysAgo = (days: number): Effect.Effect<Date> =>
  Effect.map(Clock.currentTimeMillis, (now) => new Date(now - Duration.toMillis(Duration.days(days))))

/** The current date in UTC: `YYYY-MM-DD`. */
export const today: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (now) =>
  new Date(now).toISOString().slice(0, 10)
)
