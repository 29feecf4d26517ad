/** Runs contestants in interleaved rounds, so that other load of the machine affects all of them alike. */
import { Effect } from "effect"
import { median } from "./Figures.ts"
import type { Spread } from "./Measurement.ts"

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
