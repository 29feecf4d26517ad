import { Clock, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Worker } from "../../src/platform/jobs/Worker.ts"

/**
 * Advances the test clock, and runs each job that becomes due on the way at its time, retries included. Completes when no
 * work is due at the new time.
 */
export const advance = Effect.fn("advance")(function* (duration: Duration.Input) {
  const worker = yield* Worker
  const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.fromInputUnsafe(duration))
  yield* worker.drain
  for (;;) {
    const next = yield* worker.nextRunAt
    if (next === undefined || next.getTime() > end) break
    yield* TestClock.setTime(next.getTime())
    yield* worker.drain
  }
  yield* TestClock.setTime(end)
  yield* worker.drain
})
