/** Log lines: readable in a terminal, one JSON document each elsewhere. They go to standard error. */
import { Layer, Logger, type LogLevel, References } from "effect"

/** The logger of a process, for lines of at least `level`. */
export const layer = (level: LogLevel.LogLevel): Layer.Layer<never> =>
  Layer.merge(
    Logger.layer([
      process.stderr.isTTY === true
        ? Logger.withConsoleError(Logger.formatLogFmt)
        : Logger.withConsoleError(Logger.formatJson)
    ]),
    Layer.succeed(References.MinimumLogLevel, level)
  )
