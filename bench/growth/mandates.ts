/** `mandates`: how the cost of a search by place grows with the mandates of a team. See bench/README.md. */
import * as Tenant from "../../test/support/Tenant.ts"
import * as Service from "../Service.ts"
import * as Bulk from "../data/Bulk.ts"
import * as Mandates from "../data/mandates.ts"
import { Effect, Layer } from "effect"
import type { Pool } from "undici"
import { Gazetteer } from "../../src/market/mandates/gazetteer/Gazetteer.ts"
import type { Area } from "../../src/market/mandates/geography/Area.ts"
import { interleave, type Line, type Measured, type Measurement, type Options, ratioOf } from "../Measurement.ts"
import { median } from "../Report.ts"
import { ask, connect, type Cost, sendFor } from "./Requests.ts"

/** The pace of the measurements. */
const paceOf = ({ quick }: Options) =>
  quick ? { warmUp: 0.2, seconds: 0.2, rounds: 2 } : { warmUp: 2, seconds: 1, rounds: 9 }

const [west, south, east, north] = [-11, 35, 30, 60]

/** What is searched. */
const searches = {
  village: { near: { latitude: 47.0, longitude: 9.0 }, radius: 2_000 },
  city: { location: "Munich" },
  country: { location: "Austria" },
  continent: {
    geography: {
      type: "Polygon",
      coordinates: [
        [
          [west, south],
          [east, south],
          [east, north],
          [west, north],
          [west, south]
        ]
      ]
    }
  }
} as const

/** The name of a search. */
type Name = keyof typeof searches

/** All of them. */
const names = Object.keys(searches) as ReadonlyArray<Name>

/** The request of a search. */
const requestOf = (token: string, name: Name) => ({
  method: "POST" as const,
  path: "/api/v1/mandates/search",
  token,
  body: JSON.stringify(searches[name]),
  expected: 200
})

/** A service with a team. */
interface Stage {
  readonly rows: number
  readonly pool: Pool
  readonly token: string
}

/** A service with a database of its own and a team of this size. */
const stage = Effect.fnUntraced(function* (rows: number) {
  const service = yield* Service.make()
  return yield* Effect.gen(function* () {
    const { teamId, token } = yield* Tenant.make()
    const gazetteer = yield* Gazetteer
    const countries = new Map<string, Area | undefined>()
    for (const code of Mandates.countries) {
      countries.set(code, yield* gazetteer.territoryOf(code))
    }
    yield* Effect.scoped(
      Effect.gen(function* () {
        const session = yield* Bulk.session(service.url)
        yield* Mandates.add(session, teamId, rows, (code) => countries.get(code))
        yield* session.query("vacuum analyze")
        yield* session.query("checkpoint")
      })
    )
    const prepared: Stage = { rows, pool: yield* connect(service.origin), token }
    return prepared
  }).pipe(Effect.provide(Layer.merge(Service.store(service), Gazetteer.layer)))
})

/** Dies if a search finds hardly anything: the figure of an empty page would mean nothing. */
const check = ({ pool, rows, token }: Stage) =>
  Effect.promise(async () => {
    for (const name of names) {
      const text = await ask(pool, requestOf(token, name))
      const { data } = JSON.parse(text) as { readonly data: ReadonlyArray<unknown> }
      if (data.length < 10) throw new Error(`The ${name} of ${rows} mandates has a page of ${data.length}`)
    }
  })

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
