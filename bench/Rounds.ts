/** Rounds of contestants that take turns, so that what slows the machine down for a while slows all of them. */
import { Effect } from "effect"
import { median } from "./Figures.ts"
import type { Spread } from "./Measurement.ts"

/** How long contestants run: the seconds of each turn, how many turns each has, and the seconds before the first. */
export interface Pace {
  readonly warmUp: number
  readonly seconds: number
  readonly rounds: number
}

/** The pace of a measurement. */
export const paceOf = ({ quick }: { readonly quick: boolean }): Pace =>
  quick ? { warmUp: 1, seconds: 1, rounds: 2 } : { warmUp: 5, seconds: 3, rounds: 11 }

/** Something that can be run for some seconds, and says how that went. */
export type Contestant<A, E, R> = (seconds: number) => Effect.Effect<A, E, R>

/** Runs all contestants in turn. Each round begins with another of them. Answers what each found, round by round. */
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

/** The median of figures, with the least and the greatest. */
export const spreadOf = (values: ReadonlyArray<number>): Spread => ({
  median: median(values),
  least: Math.min(...values),
  greatest: Math.max(...values)
})

/** The ratios of two contestants, round by round. */
export const ratioOf = (ours: ReadonlyArray<number>, theirs: ReadonlyArray<number>): Spread =>
  spreadOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
