/**
 * Waiting for what announces itself to nobody: rows, locks and sessions of Postgres, files, the output of other
 * processes. Where there is an event (a `Deferred`, a `Queue`, `Worker.drain`, `Receiver.until`), wait for it instead.
 *
 * Both functions check at once and then every 5 ms of the wall clock, under `TestClock` too, and fail the test when the
 * time is over: `eventually` with the last failure of its assertion, `pollUntil` with what it waited for and what it last
 * found.
 */
import { Effect } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { inspect } from "node:util"
import { vi } from "vitest"

const interval = 5

const defaultTimeout = 15_000

/** Waits until `assertion` does not throw, and returns its result. */
export const eventually = <A>(assertion: () => A | Promise<A>, timeout = defaultTimeout): Effect.Effect<A> =>
  Effect.promise(() => vi.waitFor(assertion, { timeout, interval }))

/** Reads until `isExpected` accepts the value, and returns it. `awaited` names it in the failure: "ten claimed rows". */
export const pollUntil = Effect.fnUntraced(function* <A, E, R>(
  awaited: string,
  read: Effect.Effect<A, E, R>,
  isExpected: (value: A) => boolean,
  timeout = defaultTimeout
) {
  const end = performance.now() + timeout
  for (;;) {
    const value = yield* read
    if (isExpected(value)) return value
    if (performance.now() > end) {
      return yield* Effect.die(new Error(`Waited ${timeout} ms for ${awaited}; last found: ${inspect(value)}`))
    }
    yield* Effect.promise((signal) => sleep(interval, undefined, { signal }))
  }
})
