/** What a measurement and its results are, and how contestants take turns, so that other load of the machine affects all alike. */
import { Effect, type Scope } from "effect"
import { median } from "./Report.ts"

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

/** The result of a measurement. */
export interface Measured {
  readonly lines: ReadonlyArray<Line>
  /** Tables that say more than the lines. They are shown, and not kept. */
  readonly report?: string
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

/** The seconds of a contestant's run in each round, the number of rounds, and the seconds of the warm-up. */
export interface Pace {
  readonly warmUp: number
  readonly seconds: number
  readonly rounds: number
}

/** The pace of a measurement. */
export const paceOf = ({ quick }: { readonly quick: boolean }): Pace =>
  quick ? { warmUp: 1, seconds: 1, rounds: 2 } : { warmUp: 5, seconds: 3, rounds: 11 }

/** Something that runs for some seconds and returns a report. */
export type Contestant<A, E, R> = (seconds: number) => Effect.Effect<A, E, R>

/** Runs all contestants in each round, starting with another one each time. Returns the reports of each by round. */
export const interleave = <Name extends string, A, E, R>(
  contestants: { readonly [N in Name]: Contestant<A, E, R> },
  pace: Pace
): Effect.Effect<{ readonly [N in Name]: ReadonlyArray<A> }, E, R> =>
  Effect.gen(function* () {
    const names = Object.keys(contestants) as Array<Name>
    for (const name of names) yield* contestants[name](pace.warmUp)
    const found = Object.fromEntries(names.map((name): [Name, Array<A>] => [name, []])) as { [N in Name]: Array<A> }
    for (let round = 0; round < pace.rounds; round++) {
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(round + turn) % names.length] as Name
        found[name].push(yield* contestants[name](pace.seconds))
      }
    }
    return found
  })

/** The median, minimum and maximum. */
export const spreadOf = (values: ReadonlyArray<number>): Spread => ({
  median: median(values),
  least: Math.min(...values),
  greatest: Math.max(...values)
})

/** The ratios of two contestants, round by round. */
export const ratioOf = (ours: ReadonlyArray<number>, theirs: ReadonlyArray<number>): Spread =>
  spreadOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
