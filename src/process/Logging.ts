/** The logger of a process: readable lines in a terminal, JSON documents elsewhere, all on standard error. */
import { Effect, Formatter, Layer, Logger, LogLevel, References } from "effect"
import { callerOf, levelOf, type RequestLine, RequestLog } from "../http/RequestTelemetry.ts"
import { prettyCause, withSources } from "../platform/telemetry/Stacks.ts"
import { writeSync } from "node:fs"

/** For how many milliseconds an ending process waits for the reader of its log. */
const drainTimeout = 500

const textOf = (part: unknown): string =>
  typeof part === "string"
    ? part
    : part instanceof Error
      ? withSources(part.stack ?? String(part))
      : Formatter.format(part)

const isUrgent = LogLevel.isGreaterThanOrEqualTo("Warn")

const droppedLineIn = (format: LogFormat) => (lines: number) =>
  format.entry({
    time: new Date(),
    level: "Warn",
    message: `${lines} log lines were dropped here, because standard error was blocked.`,
    cause: "",
    members: {}
  })

const loggerOf = (format: LogFormat, sink: LogSink) =>
  Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) => {
    const span = fiber.cache.span
    const line = format.entry({
      time: date,
      level: logLevel,
      message: (Array.isArray(message) ? message : [message]).map(textOf).join(" "),
      cause: cause.reasons.length === 0 ? "" : prettyCause(cause),
      members: {
        ...(span?._tag === "Span" && span.sampled ? { traceId: span.traceId } : {}),
        ...fiber.getRef(References.CurrentLogAnnotations)
      }
    })
    sink.line(line, isUrgent(logLevel))
  })

/** Logs lines of at least `level` in a format to a sink. */
export const layerInto = (level: LogLevel.LogLevel, format: LogFormat, sink: LogSink): Layer.Layer<never> => {
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

const onStandardError = Effect.gen(function* () {
  const { stderr } = process
  const format = stderr.isTTY === true ? readable({ colors: stderr.hasColors() }) : json
  const sink = standardError(droppedLineIn(format))
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
  Layer.unwrap(Effect.map(onStandardError, ({ format, sink }) => layerInto(level, format, sink)))

// The formats of log lines: flat JSON documents for programs, short text for people.

/** A log entry. */
export interface Entry {
  readonly time: Date
  readonly level: LogLevel.LogLevel
  readonly message: string
  /** The cause with its stack traces; empty if there is none. */
  readonly cause: string
  /** The annotations by name. */
  readonly members: Readonly<Record<string, unknown>>
}

/** Formats entries as lines, without a newline at the end. */
interface LogFormat {
  readonly entry: (entry: Entry) => string
  readonly request: (line: RequestLine, time: Date) => string
}

const summaryOf = ({ method, path, route, slow, status }: RequestLine): string =>
  `${method} ${route ?? path} ${status}${slow ? " was slow" : ""}`

/** Formats each entry as a JSON document. */
export const json: LogFormat = {
  entry: ({ cause, level, members, message, time }) =>
    JSON.stringify({
      timestamp: time.toISOString(),
      level: level.toUpperCase(),
      message,
      ...members,
      ...(cause === "" ? {} : { cause })
    }),
  request: (line, time) => {
    const { bytes, durationMs, method, path, requestId, route, status, tool, traceId } = line
    return JSON.stringify({
      timestamp: time.toISOString(),
      level: levelOf(line).toUpperCase(),
      message: summaryOf(line),
      requestId,
      traceId,
      ...callerOf(line.caller, line.audit),
      method,
      route,
      path,
      tool,
      status,
      durationMs,
      bytes
    })
  }
}

const colors = { red: 31, green: 32, yellow: 33, cyan: 36, grey: 90 }

type Paint = (color: keyof typeof colors, text: string) => string

const plain: Paint = (_, text) => text

const colored: Paint = (color, text) => `\x1b[${colors[color]}m${text}\x1b[39m`

const twoDigits = (value: number) => String(value).padStart(2, "0")

const clockOf = (time: Date) =>
  `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}:${twoDigits(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, "0")}`

// A client chooses the path, which must not contain control characters of the reader's terminal.
const printable = (text: string) => text.replaceAll(/\p{Cc}/gu, "?")

const valueOf = (value: unknown): string =>
  typeof value === "string" && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value)

const colorOfLevel = (level: LogLevel.LogLevel): keyof typeof colors =>
  level === "Warn" ? "yellow" : level === "Error" || level === "Fatal" ? "red" : "grey"

const colorOfStatus = (status: number): keyof typeof colors =>
  status >= 500 ? "red" : status >= 400 ? "yellow" : status >= 300 ? "cyan" : "green"

const indented = (text: string) =>
  text
    .split("\n")
    .map((line) => `\n    ${line}`)
    .join("")

/** Formats each entry as a short line, followed by its cause if there is one. */
export const readable = (options: { readonly colors: boolean }): LogFormat => {
  const paint = options.colors ? colored : plain
  return {
    entry: ({ cause, level, members, message, time }) => {
      const shown = level === "Info" ? "" : ` ${paint(colorOfLevel(level), level.toUpperCase())}`
      const more = Object.entries(members)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => ` ${paint("grey", `${name}=${valueOf(value)}`)}`)
        .join("")
      return `${paint("grey", clockOf(time))}${shown} ${message}${more}${cause === "" ? "" : indented(cause)}`
    },
    request: (line, time) => {
      const { client, user } = callerOf(line.caller, line.audit)
      const parts = [
        paint("grey", clockOf(time)),
        ...(line.slow ? [paint("yellow", "SLOW")] : []),
        line.method,
        printable(line.path),
        paint(colorOfStatus(line.status), String(line.status)),
        `${line.durationMs} ms`,
        ...[client ?? user, line.requestId].flatMap((id) => (id === undefined ? [] : [paint("grey", id)]))
      ]
      return parts.join(" ")
    }
  }
}

// The destination of log lines: buffers them, and writes them in order a few times a second, without ever blocking. A
// slow or closed reader costs log lines and nothing else.
//
// `sonic-boom` does not do this: see docs/adr/0021-own-log-sink.md.

/** A destination of log lines. */
interface LogSink {
  /** Adds a line (without a newline). An urgent line is written immediately, after all buffered lines. */
  readonly line: (text: string, urgent: boolean) => void
  /** Writes as many of the buffered lines as the reader accepts. */
  readonly flush: () => void
  /** Writes the buffered lines, and blocks for at most `timeout` milliseconds while the reader accepts none. */
  readonly drain: (timeout: number) => void
}

/** How long a line is buffered at most, in milliseconds. */
const flushInterval = 100

/** The number of buffered characters that triggers a write. */
const flushThreshold = 16_384

/** The maximum number of buffered characters. Lines beyond it are dropped and counted. */
const maxBuffered = 1_048_576

/** The delay before a write is retried when the reader accepts nothing, in milliseconds. */
const retryDelay = 20

const wouldBlockCodes = new Set<unknown>(["EAGAIN", "EWOULDBLOCK", "EINTR"])
const closedCodes = new Set<unknown>(["EPIPE", "EBADF", "EIO", "ECONNRESET", "ENXIO"])

const sleep = (milliseconds: number) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/**
 * A sink that writes with `write`, which returns how many bytes it wrote, or throws as `fs.writeSync` does.
 * `droppedLine` makes the line that reports how many lines were dropped.
 */
export const make = (write: (bytes: Uint8Array) => number, droppedLine: (lines: number) => string): LogSink => {
  let buffer = ""
  let chunk = Buffer.alloc(0)
  let dropped = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let isBlocked = false

  const flushIn = (milliseconds: number) => {
    timer ??= setTimeout(() => {
      timer = undefined
      isBlocked = false
      flush()
    }, milliseconds).unref()
  }

  const writeChunk = (): boolean => {
    try {
      chunk = chunk.subarray(write(chunk))
      return true
    } catch (error) {
      const code = (error as { readonly code?: unknown }).code
      if (wouldBlockCodes.has(code)) {
        isBlocked = true
        return false
      }
      // Either the reader has closed, or the chunk cannot be written now, as when a disk is full.
      if (closedCodes.has(code)) {
        isClosed = true
        buffer = ""
      } else {
        dropped += chunk.toString().split("\n").length - 1
      }
      chunk = Buffer.alloc(0)
      return !isClosed
    }
  }

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (;;) {
      if (chunk.length === 0) {
        if (buffer === "") return
        if (dropped > 0) {
          buffer += `${droppedLine(dropped)}\n`
          dropped = 0
        }
        chunk = Buffer.from(buffer)
        buffer = ""
      }
      if (!writeChunk()) {
        if (isBlocked) flushIn(retryDelay)
        return
      }
    }
  }

  return {
    line: (text, urgent) => {
      if (isClosed) return
      if (buffer.length + chunk.length > maxBuffered) {
        dropped++
        return
      }
      buffer += `${text}\n`
      if (isBlocked) return
      if (urgent || buffer.length >= flushThreshold) flush()
      else flushIn(flushInterval)
    },
    flush,
    drain: (timeout) => {
      const deadline = performance.now() + timeout
      flush()
      while (isBlocked && performance.now() < deadline) {
        sleep(5)
        isBlocked = false
        flush()
      }
    }
  }
}

/** A sink that writes to standard error. */
export const standardError = (droppedLine: (lines: number) => string): LogSink => {
  // Reading `process.stderr` makes Node switch the descriptor of a pipe to non-blocking writes.
  const { fd } = process.stderr
  return make((bytes) => writeSync(fd, bytes), droppedLine)
}
