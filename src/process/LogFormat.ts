/** The formats of log lines: flat JSON documents for programs, short text for people. */
import type { LogLevel } from "effect"
import { callerOf, levelOf, type RequestLine } from "../http/RequestTelemetry.ts"

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
export interface LogFormat {
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
      ...callerOf(line.caller),
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
      const { client, user } = callerOf(line.caller)
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
