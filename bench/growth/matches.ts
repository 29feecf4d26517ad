/** `matches`: how the cost of the matches of a property, and of a mandate, grows with what they are compared with. See bench/README.md. */
import * as Tenant from "../../test/support/Tenant.ts"
import * as Service from "../Service.ts"
import * as Bulk from "../data/Bulk.ts"
import * as Mandates from "../data/mandates.ts"
import * as Properties from "../data/properties.ts"
import { Effect, Layer } from "effect"
import type { Pool } from "undici"
import { Gazetteer } from "../../src/market/mandates/gazetteer/Gazetteer.ts"
import type { Area } from "../../src/market/mandates/geography/Area.ts"
import { interleave, type Line, type Measured, type Measurement, type Options, ratioOf } from "../Measurement.ts"
import { median } from "../Report.ts"
import { ask, connect, type ExpectedRequest, sendFor } from "./Requests.ts"

const paceOf = ({ quick }: Options) =>
  quick ? { warmUp: 0.2, seconds: 0.2, rounds: 2 } : { warmUp: 2, seconds: 1, rounds: 9 }

/** How many mandates, and as many properties, a team has. BENCH_MATCHES names others, such as `10000,30000`. */
const sizesOf = ({ quick }: Options): ReadonlyArray<number> =>
  quick ? [1_000, 5_000] : (process.env["BENCH_MATCHES"]?.split(",").map(Number) ?? [10_000, 100_000])

const limits = { ratio: 2, millis: 15 }

const office = {
  name: "Bürohaus",
  country: "DE",
  categories: ["office"],
  tags: ["multi_tenant"],
  tenure: "freehold",
  yearBuilt: 1998,
  lettableArea: { value: 10_640, unit: "sqm" },
  pricing: {
    askingPrice: { value: 26_500_000, currency: "EUR" },
    netInitialYield: { value: 4.2, unit: "percent" }
  },
  income: { waultToBreak: { value: 5.5, unit: "years" } }
}

const wanted = {
  name: "Büro und Handel",
  categories: ["office", "retail"],
  investmentSize: { min: 10, max: 40, currency: "EUR", scale: "million" },
  lettableArea: { min: 5_000, max: 20_000, unit: "sqm" },
  yearBuilt: { min: 1990, max: null },
  positiveTags: ["fully_let"]
}

/** What is matched: a property with the mandates of the team, or a mandate with its properties. */
const cases = {
  city: {
    work: "the first page of the mandates that want a property in a city",
    kind: "properties",
    record: { ...office, coordinates: { latitude: 48.1385, longitude: 11.5309 } }
  },
  country: {
    work: "the same for a property without coordinates, of which only the country is known",
    kind: "properties",
    record: office
  },
  "mandate-city": {
    work: "the first page of the properties that fit a mandate for a city",
    kind: "mandates",
    record: { ...wanted, location: "Munich" }
  },
  "mandate-country": {
    work: "the same for a mandate for a country",
    kind: "mandates",
    record: { ...wanted, country: "DE" }
  }
} as const

type Name = keyof typeof cases

/** A service with a team. */
interface Stage {
  readonly rows: number
  readonly pool: Pool
  readonly requests: { readonly [Of in Name]: ExpectedRequest }
}

/** Creates what is matched, and returns the request. The figure of an empty page would mean nothing. */
const requestOf = (pool: Pool, token: string, name: Name) =>
  Effect.promise(async () => {
    const { kind, record } = cases[name]
    const path = `/api/v1/${kind}`
    const created = await ask(pool, { method: "POST", path, token, body: JSON.stringify(record), expected: 201 })
    const { id } = JSON.parse(created) as { readonly id: string }
    const request: ExpectedRequest = { method: "GET", path: `${path}/${id}/matches`, token, expected: 200 }
    const { data } = JSON.parse(await ask(pool, request)) as { readonly data: ReadonlyArray<unknown> }
    if (data.length === 0) throw new Error(`${name} has no matches`)
    return [name, request] as const
  })

/** A service with a database of its own and a team of this size. */
const stage = Effect.fnUntraced(function* (rows: number) {
  const service = yield* Service.make()
  return yield* Effect.gen(function* () {
    const { teamId, token } = yield* Tenant.make()
    const gazetteer = yield* Gazetteer
    const countries = new Map<string, Area | undefined>()
    for (const code of Mandates.countries) countries.set(code, yield* gazetteer.territoryOf(code))
    yield* Effect.scoped(
      Effect.gen(function* () {
        const session = yield* Bulk.session(service.url)
        yield* Mandates.add(session, teamId, rows, (code) => countries.get(code))
        yield* Bulk.fill(session, "properties", Properties.add(session, teamId, rows))
        yield* session.query("vacuum analyze")
        yield* session.query("checkpoint")
      })
    )
    const pool = yield* connect(service.origin)
    const requests = yield* Effect.forEach(Object.keys(cases) as Array<Name>, (name) => requestOf(pool, token, name))
    const prepared: Stage = { rows, pool, requests: Object.fromEntries(requests) as Stage["requests"] }
    return prepared
  }).pipe(Effect.provide(Layer.merge(Service.store(service), Gazetteer.layer)))
})

const millis = (value: number) => `${value.toFixed(1)} ms`

const measureOne = Effect.fnUntraced(function* (stages: ReadonlyArray<Stage>, name: Name, options: Options) {
  const contestants = Object.fromEntries(
    stages.map(({ pool, requests, rows }) => [
      String(rows),
      (seconds: number) => sendFor(pool, seconds, () => requests[name], 1)
    ])
  )
  const found = yield* interleave(contestants, paceOf(options))
  const each = ({ rows }: Stage) => (found[String(rows)] ?? []).map(({ p50 }) => p50)
  const [few, many] = [stages[0] as Stage, stages.at(-1) as Stage]
  const amount = Number(median(each(many)).toFixed(2))
  const size = many.rows.toLocaleString("en-GB")
  const lines: ReadonlyArray<Line> = [
    {
      name: `matches-${name}`,
      work: `${cases[name].work}, p50 of one request at a time, among ${size}`,
      beside: few.rows.toLocaleString("en-GB"),
      ours: millis(amount),
      theirs: millis(median(each(few))),
      ratio: ratioOf(each(many), each(few)),
      target: { most: limits.ratio }
    },
    {
      name: `matches-${name}-p50`,
      work: `${cases[name].work} among ${size}`,
      ours: millis(amount),
      value: { amount, unit: "ms" },
      target: { most: limits.millis }
    }
  ]
  return lines
})

/** The cost of matches at 10⁴ and 10⁵ mandates and properties. */
export const matches: Measurement = {
  name: "matches",
  summary: "what the matches of a property and of a mandate cost among 10⁴ and 10⁵",
  run: (options) =>
    Effect.gen(function* () {
      const stages = yield* Effect.forEach(sizesOf(options), stage)
      const lines = yield* Effect.forEach(Object.keys(cases) as Array<Name>, (name) =>
        measureOne(stages, name, options)
      )
      const measured: Measured = { lines: lines.flat() }
      return measured
    })
}
