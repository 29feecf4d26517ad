/** How far an import or an export is: a bar in a terminal, else a line from time to time. On standard error. */
import { Clock, Console, Effect } from "effect"

/** How far it is. */
export interface State {
  readonly rows: number
  /** The rows that were there already when this run began: they took it no time. */
  readonly before: number
  readonly failed: number
  /** From 0 to 1; undefined when nobody knows how much there is. */
  readonly part: number | undefined
  /** What part of all there was when this run began. */
  readonly partBefore: number
}

const number = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 0 })

const duration = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const minutes = Math.floor(whole / 60)
  return minutes === 0
    ? `${whole} s`
    : minutes < 60
      ? `${minutes} min ${whole % 60} s`
      : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const barWidth = 24

const bar = (part: number) => {
  const full = Math.round(part * barWidth)
  return `[${"#".repeat(full)}${"-".repeat(barWidth - full)}] `
}

/** One line of how far it is after `seconds`. */
export const lineOf = (state: State, seconds: number, options: { readonly bar: boolean }): string => {
  const { before, failed, part, partBefore, rows } = state
  const done = part === undefined ? undefined : Math.min(1, part)
  const rate = seconds > 0 ? (rows - before) / seconds : 0
  const gained = (done ?? 0) - partBefore
  const left = done === undefined || gained <= 0 ? undefined : ((1 - done) * seconds) / gained
  return [
    `${options.bar && done !== undefined ? bar(done) : ""}${done === undefined ? "" : `${Math.floor(done * 100)}%, `}${number(rows)} rows`,
    ...(failed > 0 ? [`${number(failed)} bad`] : []),
    `${number(rate)} rows/s`,
    ...(left === undefined || done === 1 ? [] : [`${duration(left)} left`])
  ].join(", ")
}

/** How long a run took, and how fast it was. */
export const pace = (rows: number, seconds: number): string =>
  `${number(rows)} rows in ${duration(seconds)}, ${number(seconds > 0 ? rows / seconds : rows)} rows/s`

// In milliseconds.
const betweenBars = 200
const betweenLines = 5000

/** Where progress is shown. */
export interface Progress {
  readonly show: (state: State) => Effect.Effect<void>
  /** Takes the bar away, so that other lines can follow. */
  readonly end: Effect.Effect<void>
  /** Seconds since it began. */
  readonly seconds: Effect.Effect<number>
}

/** Shows progress from now on. */
export const make: Effect.Effect<Progress> = Effect.gen(function* () {
  const isTerminal = process.stderr.isTTY === true
  const begun = yield* Clock.currentTimeMillis
  let shown = begun
  let isOnScreen = false
  const seconds = Effect.map(Clock.currentTimeMillis, (now) => (now - begun) / 1000)
  const show = Effect.fnUntraced(function* (state: State) {
    const now = yield* Clock.currentTimeMillis
    if (now - shown < (isTerminal ? betweenBars : betweenLines)) return
    shown = now
    const line = lineOf(state, (now - begun) / 1000, { bar: isTerminal })
    if (!isTerminal) return yield* Console.error(line)
    isOnScreen = true
    process.stderr.write(`\r\x1b[2K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`)
  })
  const end = Effect.sync(() => {
    if (isOnScreen) process.stderr.write("\r\x1b[2K")
    isOnScreen = false
  })
  return { show, end, seconds }
})
