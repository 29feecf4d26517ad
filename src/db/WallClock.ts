import { Clock, Context, Effect } from "effect"

// What `Clock` is where nobody provided another: the machine's.
const wall: Clock.Clock = Context.get(Context.empty(), Clock.Clock)

/**
 * Runs an effect on the machine's clock, whatever clock the application is on. For waits on others (a server, another
 * process), who would not notice a test's clock.
 */
export const onWallClock: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  Clock.Clock,
  wall
)
