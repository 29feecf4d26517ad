/** What a measurement is, and what it answers: lines of the table of results, and charts. */
import type { Effect, Scope } from "effect"

/** The median of what the rounds gave, with the least and the greatest of them. */
export interface Spread {
  readonly median: number
  readonly least: number
  readonly greatest: number
}

/** What is demanded of a ratio, or of a value in its unit. */
export type Target = { readonly least: number } | { readonly most: number }

/** A line of the table. */
export interface Line {
  /** Tells the line from all others; that of the measurement where it has one line only. */
  readonly name: string
  /** What is done, for people. */
  readonly work: string
  /** What it stands beside, for people; left out where it stands alone. */
  readonly beside?: string
  /** Our figure with its unit: `5,120 /s`. */
  readonly ours: string
  /** The figure of what it stands beside, with its unit, or why there is none. */
  readonly theirs?: string
  /** Ours by theirs. */
  readonly ratio?: Spread
  /** Ours by that of the peer that takes shortcuts. */
  readonly shortcut?: Spread
  /** What the target is held against where that is no ratio: the number of `ours`. */
  readonly value?: { readonly amount: number; readonly unit: string }
  readonly target?: Target
  /** Further figures, which are kept with the results and not shown in the table. */
  readonly details?: { readonly [name: string]: unknown }
}

/** A chart, for `bench/charts/`. */
export interface Chart {
  /** The name of its file: `growth.svg`. */
  readonly file: string
  readonly svg: string
}

/** What a measurement found. */
export interface Measured {
  readonly lines: ReadonlyArray<Line>
  readonly charts?: ReadonlyArray<Chart>
}

/** How a measurement is to run. */
export interface Options {
  /** Only whether it works: as little data and time as do. What comes out is no figure. */
  readonly quick: boolean
}

/** A measurement; `R` is what it shares with others. */
export interface Measurement<R = never> {
  /** As in `npm run bench -- NAME`. */
  readonly name: string
  /** One line, for the list of measurements. */
  readonly summary: string
  /** Ends what it started with its scope. Dies or fails, with a reason for people, of what makes its figures worthless. */
  readonly run: (options: Options) => Effect.Effect<Measured, unknown, Scope.Scope | R>
}

/** What the target of a line is held against: its ratio, or else its value. */
export const judged = (line: Line): number | undefined => line.ratio?.median ?? line.value?.amount

/** Whether a line meets its target; `undefined` where there is no target, or nothing to hold against it. */
export const isMet = (line: Line): boolean | undefined => {
  const found = judged(line)
  if (line.target === undefined || found === undefined) return undefined
  return "least" in line.target ? found >= line.target.least : found <= line.target.most
}
