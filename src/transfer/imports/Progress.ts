/** Shows the progress of an import or export on standard error: a bar in a terminal, elsewhere a line every 5 seconds. */
import { Clock, Console, Effect } from "effect"

/** The state of an import or export. */
export interface State {
  readonly rows: number
  /** The rows of earlier runs, which do not count for the rate. */
  readonly before: number
  readonly failed: number
  /** The completed share of the input, from 0 to 1; undefined when its size is unknown. */
  readonly share: number | undefined
  /** The share that earlier runs completed. */
  readonly shareBefore: number
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

const bar = (share: number) => {
  const full = Math.round(share * barWidth)
  return `[${"#".repeat(full)}${"-".repeat(barWidth - full)}] `
}

/** The progress line after `seconds`. */
export const lineOf = (state: State, seconds: number, options: { readonly bar: boolean }): string => {
  const { before, failed, rows, share, shareBefore } = state
  const done = share === undefined ? undefined : Math.min(1, share)
  const rate = seconds > 0 ? (rows - before) / seconds : 0
  const gained = (done ?? 0) - shareBefore
  const left = done === undefined || gained <= 0 ? undefined : ((1 - done) * seconds) / gained
  return [
    `${options.bar && done !== undefined ? bar(done) : ""}${done === undefined ? "" : `${Math.floor(done * 100)}%, `}${number(rows)} rows`,
    ...(failed > 0 ? [`${number(failed)} bad`] : []),
    `${number(rate)} rows/s`,
    ...(left === undefined || done === 1 ? [] : [`${duration(left)} left`])
  ].join(", ")
}

/** The duration and the rate of a finished run. */
export const pace = (rows: number, seconds: number): string =>
  `${number(rows)} rows in ${duration(seconds)}, ${number(seconds > 0 ? rows / seconds : rows)} rows/s`

// The intervals between updates, in milliseconds.
const barInterval = 200
const lineInterval = 5000

/** Shows the progress of one run. */
export interface Progress {
  readonly show: (state: State) => Effect.Effect<void>
  /** Removes the bar, so that other output can follow. */
  readonly end: Effect.Effect<void>
  /** The seconds since the run began. */
  readonly seconds: Effect.Effect<number>
}

/** Begins a run. */
export const make: Effect.Effect<Progress> = Effect.gen(function* () {
  const isTerminal = process.stderr.isTTY === true
  const begun = yield* Clock.currentTimeMillis
  let shown = begun
  let isOnScreen = false
  const seconds = Effect.map(Clock.currentTimeMillis, (now) => (now - begun) / 1000)
  const show = Effect.fnUntraced(function* (state: State) {
    const now = yield* Clock.currentTimeMillis
    if (now - shown < (isTerminal ? barInterval : lineInterval)) return
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
