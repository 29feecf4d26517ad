/** The logger of a process: readable lines in a terminal, JSON documents elsewhere, all on standard error. */
import { Cause, Effect, Formatter, Layer, Logger, LogLevel, References } from "effect"
import { levelOf, RequestLog } from "../http/RequestTelemetry.ts"
import * as LogFormat from "./LogFormat.ts"
import * as LogSink from "./LogSink.ts"

/** For how many milliseconds an ending process waits for the reader of its log. */
const drainTimeout = 500

const textOf = (part: unknown): string =>
  typeof part === "string" ? part : part instanceof Error ? (part.stack ?? String(part)) : Formatter.format(part)

const isUrgent = LogLevel.isGreaterThanOrEqualTo("Warn")

const droppedLineIn = (format: LogFormat.LogFormat) => (lines: number) =>
  format.entry({
    time: new Date(),
    level: "Warn",
    message: `${lines} log lines were dropped here, because standard error was blocked.`,
    cause: "",
    members: {}
  })

const loggerOf = (format: LogFormat.LogFormat, sink: LogSink.LogSink) =>
  Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) => {
    const span = fiber.cache.span
    const line = format.entry({
      time: date,
      level: logLevel,
      message: (Array.isArray(message) ? message : [message]).map(textOf).join(" "),
      cause: cause.reasons.length === 0 ? "" : Cause.pretty(cause),
      members: {
        ...(span?._tag === "Span" && span.sampled ? { traceId: span.traceId } : {}),
        ...fiber.getRef(References.CurrentLogAnnotations)
      }
    })
    sink.line(line, isUrgent(logLevel))
  })

/** Logs lines of at least `level` in a format to a sink. */
export const layerInto = (
  level: LogLevel.LogLevel,
  format: LogFormat.LogFormat,
  sink: LogSink.LogSink
): Layer.Layer<never> => {
  const isEnabled = (other: LogLevel.LogLevel) => LogLevel.isGreaterThanOrEqualTo(other, level)
  const enabled = new Set(LogLevel.values.filter(isEnabled))
  return Layer.mergeAll(
    Logger.layer([loggerOf(format, sink)]),
    Layer.succeed(References.MinimumLogLevel, level),
    Layer.succeed(RequestLog, (line) => {
      if (enabled.has(levelOf(line))) sink.line(format.request(line, new Date()), line.slow)
    })
  )
}

const standardError = Effect.gen(function* () {
  const { stderr } = process
  const format = stderr.isTTY === true ? LogFormat.readable({ colors: stderr.hasColors() }) : LogFormat.json
  const sink = LogSink.standardError(droppedLineIn(format))
  const drain = () => sink.drain(drainTimeout)
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      process.on("exit", drain)
      // Before Node prints the uncaught exception.
      process.on("uncaughtExceptionMonitor", drain)
    }),
    // The listeners stay, because later finalizers may log as well.
    () => Effect.sync(drain)
  )
  return { format, sink }
})

/** The logger of a process, for lines of at least `level`. */
export const layer = (level: LogLevel.LogLevel): Layer.Layer<never> =>
  Layer.unwrap(Effect.map(standardError, ({ format, sink }) => layerInto(level, format, sink)))
