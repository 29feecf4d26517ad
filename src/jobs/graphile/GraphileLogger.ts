import { Effect } from "effect"
import { Logger } from "graphile-worker"

/**
 * graphile-worker's log in Effect's: its chatter at debug level, its warnings and errors as they are. Failed jobs are
 * at debug level too, as whoever runs them has said more about them already.
 */
export const make: Effect.Effect<Logger> = Effect.map(Effect.context<never>(), (context) => {
  const fork = Effect.runForkWith(context)
  return new Logger(() => (level, message, meta) => {
    const failedJob = meta?.["failure"] === true
    const log = failedJob
      ? Effect.logDebug(message)
      : level === "error"
      ? Effect.logError(message)
      : level === "warning"
      ? Effect.logWarning(message)
      : Effect.logDebug(message)
    fork(Effect.annotateLogs(log, "module", "graphile-worker"))
  })
})
