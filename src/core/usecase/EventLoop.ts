/** Turns of the event loop: work that takes it for milliseconds gives way in between, so that other requests are served. */
import { Effect, Semaphore } from "effect"

const oneAtATime = Semaphore.makeUnsafe(1)

/**
 * Does a piece of work in a turn of the event loop of its own: however many requests have such work, each turn has one piece. It must not
 * wait for anything.
 */
export const inTurn = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  oneAtATime.withPermits(1)(Effect.andThen(Effect.yieldNow, work))

/** Waits for a turn, between two pieces of long work. */
const next = inTurn(Effect.void)

/** After how many milliseconds work of many pieces gives way to others. */
const millisOfATurn = 8

/** When the pieces of long work have to give way. */
export interface Pacer {
  /** Whether they have taken some milliseconds. */
  readonly isDue: () => boolean
  /** Waits for the next turn. */
  readonly turn: Effect.Effect<void>
}

/** Makes one for work that begins now. */
export const makePacer = (): Pacer => {
  let began = performance.now()
  const restart = Effect.sync(() => {
    began = performance.now()
  })
  return { isDue: () => performance.now() - began >= millisOfATurn, turn: Effect.andThen(next, restart) }
}
