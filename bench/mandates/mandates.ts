/** `mandates`: how the cost of a search by place grows with the mandates of a team. See bench/README.md. */
import { Effect } from "effect"
import { median } from "../Figures.ts"
import { type Cost, sendFor } from "../growth/Requests.ts"
import type { Line, Measured, Measurement, Options } from "../Measurement.ts"
import { interleave, ratioOf } from "../Rounds.ts"
import { check, type Name, names, paceOf, requestOf, type Stage, stage } from "./stage.ts"

const limits = { ratio: 2, cityMillis: 10 }

/** The sizes of teams. BENCH_MANDATES names others, such as `10000,100000`. */
const sizesOf = ({ quick }: Options): ReadonlyArray<number> =>
  quick ? [1_000, 5_000] : (process.env["BENCH_MANDATES"]?.split(",").map(Number) ?? [10_000, 100_000, 1_000_000])

const each = (costs: ReadonlyArray<Cost>) => costs.map(({ p50 }) => p50)

const millis = (value: number) => `${value.toFixed(1)} ms`

const measureOne = Effect.fnUntraced(function* (stages: ReadonlyArray<Stage>, name: Name, options: Options) {
  const contestants = Object.fromEntries(
    stages.map(({ pool, rows, token }) => [
      String(rows),
      (seconds: number) => sendFor(pool, seconds, () => requestOf(token, name), 1)
    ])
  )
  const found = yield* interleave(contestants, paceOf(options))
  const costs = stages.map(({ rows }) => ({ rows, costs: found[String(rows)] ?? [] }))
  const [least, ...others] = costs
  const base = each(least?.costs ?? [])
  const last = others.at(-1)
  const grown = last === undefined ? undefined : ratioOf(each(last.costs), base)
  const line: Line = {
    name: `mandates-${name}`,
    work: `the first page of a search of mandates by a ${name}, p50 of one request at a time`,
    beside: `${least?.rows.toLocaleString("en-GB")} mandates`,
    ours: others.map(({ costs, rows }) => `${rows.toLocaleString("en-GB")}: ${millis(median(each(costs)))}`).join(", "),
    theirs: millis(median(base)),
    ...(grown === undefined ? {} : { ratio: grown }),
    target: { most: limits.ratio },
    details: Object.fromEntries(
      costs.map(({ costs, rows }) => [
        rows,
        { p50Millis: median(each(costs)), p99Millis: median(costs.map(({ p99 }) => p99)) }
      ])
    )
  }
  const amount = last === undefined ? undefined : Number(median(each(last.costs)).toFixed(2))
  const absolute: ReadonlyArray<Line> =
    name !== "city" || last === undefined || amount === undefined
      ? []
      : [
          {
            name: "mandates-city-p50",
            work: `the same of ${last.rows.toLocaleString("en-GB")} mandates by a city`,
            ours: millis(amount),
            value: { amount, unit: "ms" },
            target: { most: limits.cityMillis }
          }
        ]
  return [line, ...absolute]
})

/** The cost of searches of mandates by a village, a city, a country and a continent, at 10⁴, 10⁵ and 10⁶ mandates. */
export const mandates: Measurement = {
  name: "mandates",
  summary: "what searches of mandates by place cost at 10⁴, 10⁵ and 10⁶ mandates",
  run: (options) =>
    Effect.gen(function* () {
      const stages = yield* Effect.forEach(sizesOf(options), stage)
      yield* Effect.forEach(stages, check, { discard: true })
      const lines = yield* Effect.forEach(names, (name) => measureOne(stages, name, options))
      const measured: Measured = { lines: lines.flat() }
      return measured
    })
}
