/** Times by the clock of the application, durations as text (`24h`), and waits that follow the wall clock whatever a test's clock says. */
import { Clock, Context, Duration, Effect, type Exit, Fiber } from "effect"

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

/** The time so many hours ago. */
export const hoursAgo = (hours: number): Effect.Effect<Date> =>
  Effect.map(Clock.currentTimeMillis, (now) => new Date(now - Duration.toMillis(Duration.hours(hours))))

/** The current date in UTC: `YYYY-MM-DD`. */
export const today: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (now) =>
  new Date(now).toISOString().slice(0, 10)
)

// The default of `Clock`.
const wallClock: Clock.Clock = Context.get(Context.empty(), Clock.Clock)

/**
 * Runs an effect on the machine's clock, even where a test provides another. For waits and timeouts that concern a
 * server or another process, which a test's clock does not move.
 */
export const onWallClock: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  Clock.Clock,
  wallClock
)

/**
 * The exit of a fiber. If the fiber is still running after `milliseconds`, `late` decides: a number allows that many
 * milliseconds more, an exit replaces that of the fiber. The fiber is then interrupted but not awaited, because a hanging
 * statement needs seconds to stop. The timer uses the wall clock and not Effect's `Clock`, because clients and the database
 * do not follow a test's clock.
 */
export const exitWithin = <A, E, E2 = never>(
  fiber: Fiber.Fiber<A, E>,
  milliseconds: number,
  late: () => Exit.Exit<A, E2> | number
): Effect.Effect<Exit.Exit<A, E | E2>> => {
  const already = fiber.pollUnsafe()
  if (already !== undefined) return Effect.succeed(already)
  // The server makes everything outside the routes uninterruptible. A client that disconnects must interrupt the request.
  return Effect.interruptible(
    Effect.callback<Exit.Exit<A, E | E2>>((resume) => {
      const look = () => {
        const decided = late()
        if (typeof decided === "number") {
          timer = setTimeout(look, decided)
          return
        }
        resume(Effect.succeed(decided))
        fiber.interruptUnsafe()
      }
      let timer = setTimeout(look, milliseconds)
      fiber.addObserver((exit) => {
        clearTimeout(timer)
        resume(Effect.succeed(exit))
      })
      return Effect.suspend(() => {
        clearTimeout(timer)
        return Fiber.interrupt(fiber)
      })
    })
  )
}

/** Runs an effect and returns its exit as {@link exitWithin} does. */
export const runWithin = <A, E, R, E2 = never>(
  effect: Effect.Effect<A, E, R>,
  milliseconds: number,
  late: () => Exit.Exit<A, E2> | number
): Effect.Effect<Exit.Exit<A, E | E2>, never, R> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) =>
    exitWithin(fiber, milliseconds, late)
  )
