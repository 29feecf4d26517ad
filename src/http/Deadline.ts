/** Bounds how long an answer is waited for. */
import { Effect, type Exit, Fiber } from "effect"

/**
 * How an effect ends, or, when it has not ended in so many milliseconds, what `late` says; `undefined` gives it as long
 * again. What is late is interrupted, but not awaited: a statement that hangs needs seconds to be given up. The time is
 * the machine's, as others are waited for.
 */
export const within = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  milliseconds: number,
  late: () => Exit.Exit<A, E> | undefined
): Effect.Effect<Exit.Exit<A, E>, never, R> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) =>
    // The server lets nobody interrupt what is outside the routes; a client that goes must be able to.
    Effect.interruptible(Effect.callback<Exit.Exit<A, E>>((resume) => {
      const timer = setInterval(() => {
        const exit = late()
        if (exit === undefined) return
        clearInterval(timer)
        resume(Effect.succeed(exit))
        fiber.interruptUnsafe()
      }, milliseconds)
      fiber.addObserver((exit) => {
        clearInterval(timer)
        resume(Effect.succeed(exit))
      })
      return Effect.suspend(() => {
        clearInterval(timer)
        return Fiber.interrupt(fiber)
      })
    })))
