import { Effect } from "effect"
import { Logger } from "graphile-worker"

/**
 * graphile-worker's log messages in Effect's log: information at debug level, warnings and errors as they are. A failed
 * job is at debug level as well, because the task list has logged it with its cause.
 */
export const make: Effect.Effect<Logger> = Effect.map(Effect.context<never>(), (context) => {
  const fork = Effect.runForkWith(context)
  return new Logger(() => (level, message, meta) => {
    const isExpected =
      meta?.["failure"] === true ||
      // It recommends a connection for each concurrent job; ours need one for a millisecond to claim and to complete.
      message.includes("having maxPoolSize")
    const log = isExpected
      ? Effect.logDebug(message)
      : level === "error"
        ? Effect.logError(message)
        : level === "warning"
          ? Effect.logWarning(message)
          : Effect.logDebug(message)
    fork(Effect.annotateLogs(log, "module", "graphile-worker"))
  })
})
