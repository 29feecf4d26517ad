/** Bounds how long an answer is waited for. */
import { Effect, type Exit, Fiber } from "effect"

/**
 * How a fiber ends, or, when it has not ended in so many milliseconds, what `late` says; a number gives it so many
 * more. What is late is interrupted, but not awaited: a statement that hangs needs seconds to be given up. The time is
 * the machine's, as others are waited for.
 */
export const ended = <A, E, E2 = never>(
  fiber: Fiber.Fiber<A, E>,
  milliseconds: number,
  late: () => Exit.Exit<A, E2> | number
): Effect.Effect<Exit.Exit<A, E | E2>> => {
  const already = fiber.pollUnsafe()
  if (already !== undefined) return Effect.succeed(already)
  // The server lets nobody interrupt what is outside the routes; a client that goes must be able to.
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

/** As {@link ended}, for an effect, which is begun. */
export const within = <A, E, R, E2 = never>(
  effect: Effect.Effect<A, E, R>,
  milliseconds: number,
  late: () => Exit.Exit<A, E2> | number
): Effect.Effect<Exit.Exit<A, E | E2>, never, R> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) => ended(fiber, milliseconds, late))
