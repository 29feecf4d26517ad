/** Logs when the database stops answering, or becomes a standby, and when it answers again. */
import { Effect, Exit, Layer, Schedule } from "effect"
import { Database } from "../platform/db/Database.ts"
import * as Readiness from "../platform/db/Readiness.ts"
import { onWallClock } from "../platform/db/WallClock.ts"
import { runWithin } from "../http/Deadline.ts"

const checkInterval = "1 second"

/** After how many milliseconds without an answer the database counts as lost. */
const answerTimeout = 2000

/** Watches the database for as long as the layer lives. */
export const layer: Layer.Layer<never, never, Database> = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* Database
    let isAnswering = true
    // The query of /readyz, so that both agree.
    const check = Effect.gen(function* () {
      const exit = yield* runWithin(Readiness.check(sql), answerTimeout, () => Exit.die("no answer in time"))
      const isStandby = Exit.isSuccess(exit) && exit.value === "standby"
      const isAnsweringNow = Exit.isSuccess(exit) && !isStandby
      if (isAnsweringNow === isAnswering) return
      isAnswering = isAnsweringNow
      yield* isAnswering
        ? Effect.logInfo("The database answers again.")
        : Effect.logWarning(
            `The database ${isStandby ? "is a standby" : "does not answer"}. Requests get 503, and jobs wait.`
          )
    })
    yield* check.pipe(
      Effect.repeat(Schedule.spaced(checkInterval)),
      Effect.withTracerEnabled(false),
      onWallClock,
      Effect.forkScoped
    )
  })
)
