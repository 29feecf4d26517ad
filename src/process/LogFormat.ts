/** What log lines look like: a flat JSON document each for programs, and short for people. */
import type { LogLevel } from "effect"
import { callerOf, type RequestLine } from "../http/RequestLog.ts"

/** Something that was logged. */
export interface Entry {
  readonly time: Date
  readonly level: LogLevel.LogLevel
  readonly message: string
  /** With its stack traces, or empty. */
  readonly cause: string
  /** What else is said of it, by name. */
  readonly members: Readonly<Record<string, unknown>>
}

/** Makes lines, without the newline at their end. */
export interface LogFormat {
  readonly entry: (entry: Entry) => string
  readonly request: (line: RequestLine, time: Date) => string
}

const levelOf = (line: RequestLine): LogLevel.LogLevel => (line.slow ? "Warn" : "Info")

const summaryOf = ({ method, path, route, slow, status }: RequestLine): string =>
  `${method} ${route ?? path} ${status}${slow ? " took long" : ""}`

/** One JSON document a line. */
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
    const { bytes, durationMs, method, path, requestId, route, status, traceId } = line
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
      status,
      durationMs,
      bytes
    })
  }
}

const colours = { red: 31, green: 32, yellow: 33, cyan: 36, grey: 90 }

type Paint = (colour: keyof typeof colours, text: string) => string

const plain: Paint = (_, text) => text

const coloured: Paint = (colour, text) => `\x1b[${colours[colour]}m${text}\x1b[39m`

const two = (value: number) => String(value).padStart(2, "0")

const clockOf = (time: Date) =>
  `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, "0")}`

// A client chooses what its path is: it must not move the cursor of whoever reads.
const printable = (text: string) => text.replaceAll(/\p{Cc}/gu, "?")

const valueOf = (value: unknown): string =>
  typeof value === "string" && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value)

const colourOfLevel = (level: LogLevel.LogLevel): keyof typeof colours =>
  level === "Warn" ? "yellow" : level === "Error" || level === "Fatal" ? "red" : "grey"

const colourOfStatus = (status: number): keyof typeof colours =>
  status >= 500 ? "red" : status >= 400 ? "yellow" : status >= 300 ? "cyan" : "green"

const indented = (text: string) =>
  text
    .split("\n")
    .map((line) => `\n    ${line}`)
    .join("")

/** One short line for a request, and more for what has a cause. */
export const readable = (options: { readonly colours: boolean }): LogFormat => {
  const paint = options.colours ? coloured : plain
  return {
    entry: ({ cause, level, members, message, time }) => {
      const shown = level === "Info" ? "" : ` ${paint(colourOfLevel(level), level.toUpperCase())}`
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
        paint(colourOfStatus(line.status), String(line.status)),
        `${line.durationMs} ms`,
        ...[client ?? user, line.requestId].flatMap((id) => (id === undefined ? [] : [paint("grey", id)]))
      ]
      return parts.join(" ")
    }
  }
}
