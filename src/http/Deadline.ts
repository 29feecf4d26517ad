/** Timeouts of requests. */
import { Effect, type Exit, Fiber } from "effect"

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
