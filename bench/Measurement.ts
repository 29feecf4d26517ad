/** The types of a measurement and its results: rows of the table, and charts. */
import type { Effect, Scope } from "effect"

/** The median, minimum and maximum over the rounds. */
export interface Spread {
  readonly median: number
  readonly least: number
  readonly greatest: number
}

/** The bound for a ratio, or for a value in its unit. */
export type Target = { readonly least: number } | { readonly most: number }

/** A row of the table of results. */
export interface Line {
  /** Unique; the name of the measurement if it has one row only. */
  readonly name: string
  /** The measured operation, in words. */
  readonly work: string
  /** What it is compared with, in words. */
  readonly beside?: string
  /** Our figure with its unit: `5,120 /s`. */
  readonly ours: string
  /** The figure of the comparison with its unit, or why there is none. */
  readonly theirs?: string
  /** Ours divided by theirs. */
  readonly ratio?: Spread
  /** Ours divided by the shortcut peer. */
  readonly shortcut?: Spread
  /** The number of `ours`, if the target is not for a ratio. */
  readonly value?: { readonly amount: number; readonly unit: string }
  readonly target?: Target
  /** Further figures, stored with the results but not shown in the table. */
  readonly details?: { readonly [name: string]: unknown }
}

/** A chart, for `bench/charts/`. */
export interface Chart {
  /** The name of its file: `growth.svg`. */
  readonly file: string
  readonly svg: string
}

/** The result of a measurement. */
export interface Measured {
  readonly lines: ReadonlyArray<Line>
  readonly charts?: ReadonlyArray<Chart>
}

/** The options of a measurement. */
export interface Options {
  /** Check only that it works, with as little data and time as possible. */
  readonly quick: boolean
}

/** A measurement. `R` is the set-up that it shares with others. */
export interface Measurement<R = never> {
  /** The name for `npm run bench -- NAME`. */
  readonly name: string
  /** A line for the list of measurements. */
  readonly summary: string
  /** Runs it, and stops everything with the scope. Fails or dies with a readable reason if the results would be invalid. */
  readonly run: (options: Options) => Effect.Effect<Measured, unknown, Scope.Scope | R>
}

/** The number that is compared with the target: the ratio, or else the value. */
export const comparedValue = (line: Line): number | undefined => line.ratio?.median ?? line.value?.amount

/** Whether a row meets its target; `undefined` without a target or a number. */
export const isMet = (line: Line): boolean | undefined => {
  const found = comparedValue(line)
  if (line.target === undefined || found === undefined) return undefined
  return "least" in line.target ? found >= line.target.least : found <= line.target.most
}
