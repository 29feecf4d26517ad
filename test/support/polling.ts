/**
 * Polling, for conditions without an event: rows, locks and sessions of Postgres, files, the output of other processes.
 * Where there is an event (a `Deferred`, a `Queue`, `Worker.drain`, `Receiver.until`), wait for that instead.
 *
 * Both functions check at once and then every 5 ms of the wall clock, even under `TestClock`. After the timeout they fail the
 * test: `eventually` with the last failure of its assertion, `pollUntil` with what it waited for and the last value.
 */
import { Effect } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { inspect } from "node:util"
import { vi } from "vitest"

const interval = 5

const defaultTimeout = 60_000

/** Polls until `assertion` does not throw, and returns its result. */
export const eventually = <A>(assertion: () => A | Promise<A>, timeout = defaultTimeout): Effect.Effect<A> =>
  Effect.promise(() => vi.waitFor(assertion, { timeout, interval }))

/** Polls `read` until `isExpected` accepts its value, and returns that. `awaited` describes it, such as "ten claimed rows". */
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
