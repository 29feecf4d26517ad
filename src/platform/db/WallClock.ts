import { Clock, Context, Effect } from "effect"

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
