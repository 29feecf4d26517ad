import { Clock, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Worker } from "../jobs/Worker.ts"

/**
 * Moves the test's clock forward and does what becomes due on the way, each job at its own time: a retry that a job
 * asks for is done too when it falls within. Completes when nothing is left to do at the new time.
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
