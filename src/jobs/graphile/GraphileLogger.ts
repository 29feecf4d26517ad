import { Effect } from "effect"
import { Logger } from "graphile-worker"

/**
 * graphile-worker's log in Effect's: its chatter at debug level, its warnings and errors as they are. Failed jobs are
 * at debug level too, as whoever runs them has said more about them already.
 */
export const make: Effect.Effect<Logger> = Effect.map(Effect.context<never>(), (context) => {
  const fork = Effect.runForkWith(context)
  return new Logger(() => (level, message, meta) => {
    const known =
      meta?.["failure"] === true ||
      // It would have a connection for each job done at the same time; they need few, for a millisecond each.
      message.includes("having maxPoolSize")
    const log = known
      ? Effect.logDebug(message)
      : level === "error"
        ? Effect.logError(message)
        : level === "warning"
          ? Effect.logWarning(message)
          : Effect.logDebug(message)
    fork(Effect.annotateLogs(log, "module", "graphile-worker"))
  })
})
