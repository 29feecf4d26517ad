/** Log lines: readable in a terminal, one JSON document each elsewhere. They go to standard error, all by one way. */
import { Cause, Effect, Formatter, Layer, Logger, LogLevel, References } from "effect"
import { RequestLog } from "../http/RequestLog.ts"
import * as LogFormat from "./LogFormat.ts"
import * as LogSink from "./LogSink.ts"

/** How long a process that ends may wait for whoever reads its lines, in milliseconds. */
const drainTimeout = 500

const textOf = (part: unknown): string =>
  typeof part === "string" ? part : part instanceof Error ? (part.stack ?? String(part)) : Formatter.format(part)

const isUrgent = LogLevel.isGreaterThanOrEqualTo("Warn")

const lostIn = (format: LogFormat.LogFormat) => (lines: number) =>
  format.entry({
    time: new Date(),
    level: "Warn",
    message: `${lines} log lines are missing here: standard error could not take them.`,
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

/** Lines of at least `level`, in this format, into this sink. */
export const layerInto = (
  level: LogLevel.LogLevel,
  format: LogFormat.LogFormat,
  sink: LogSink.LogSink
): Layer.Layer<never> => {
  const shows = (one: LogLevel.LogLevel) => LogLevel.isGreaterThanOrEqualTo(one, level)
  const [showsInfo, showsWarnings] = [shows("Info"), shows("Warn")]
  return Layer.mergeAll(
    Logger.layer([loggerOf(format, sink)]),
    Layer.succeed(References.MinimumLogLevel, level),
    Layer.succeed(RequestLog, (line) => {
      if (line.slow ? showsWarnings : showsInfo) sink.line(format.request(line, new Date()), line.slow)
    })
  )
}

const standardError = Effect.gen(function* () {
  const { stderr } = process
  const format = stderr.isTTY === true ? LogFormat.readable({ colours: stderr.hasColors() }) : LogFormat.json
  const sink = LogSink.standardError(lostIn(format))
  const drain = () => sink.drain(drainTimeout)
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      process.on("exit", drain)
      // Before Node says itself what nobody caught.
      process.on("uncaughtExceptionMonitor", drain)
    }),
    // The listeners stay: something may be said even after this.
    () => Effect.sync(drain)
  )
  return { format, sink }
})

/** The logger of a process, for lines of at least `level`. */
export const layer = (level: LogLevel.LogLevel): Layer.Layer<never> =>
  Layer.unwrap(Effect.map(standardError, ({ format, sink }) => layerInto(level, format, sink)))
