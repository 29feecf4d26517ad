/** `growth`: how the cost of operations grows with the data of a team. See bench/README.md. */
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../../src/platform/db/Database.ts"
import * as Id from "../../src/core/Id.ts"
import { type Curve, draw } from "../chart/Curves.ts"
import * as Teams from "../data/teams.ts"
import { median } from "../Figures.ts"
import type { Line, Measured, Measurement, Options, Spread } from "../Measurement.ts"
import { interleave, ratioOf, spreadOf } from "../Rounds.ts"
import * as Service from "../Service.ts"
import { sendFor, connect, type Cost } from "./Requests.ts"
import { check, type Operation, operations, prepare, type Prepared } from "./operations.ts"

const limit = 1.5

// Many short runs, so that other load of the machine affects all sizes alike.
const paceOf = ({ quick }: Options) =>
  quick ? { warmUp: 0.2, seconds: 0.2, rounds: 2 } : { warmUp: 2, seconds: 0.5, rounds: 15 }

const sizesOf = ({ quick }: Options): ReadonlyArray<number> =>
  quick ? [400, 2000, 10_000] : [10_000, 100_000, 1_000_000]

// A generic plan uses the average size of projects, and an installation has many small ones, too.
const neighbors = Array.from({ length: 10 }, () => 400)

// More than the requests read, so that hardly any contact is read twice.
const readable = 20_000

/** A service with a separate database and a team of this size. */
const stage = Effect.fnUntraced(function* (rows: number) {
  const service = yield* Service.make()
  return yield* Effect.gen(function* () {
    const teams = yield* Teams.withProjects({ url: service.url, rows: [...neighbors, rows] })
    const team = yield* Effect.fromNullishOr(teams.at(-1))
    const sql = yield* Database
    const ids = yield* sql<{ id: string }>`
      select id from contacts where team_id = ${team.uuid} order by hashtext(id::text) limit ${readable}`
    const [recent] = yield* sql<{ at: Date }>`
      select updated_at as at from contacts where team_id = ${team.uuid} order by updated_at desc offset 99 limit 1`
    return yield* prepare(yield* connect(service.origin), team, {
      ids: ids.map(({ id }) => Id.fromUuid("contact", id)),
      recently: recent?.at.toISOString() ?? ""
    })
  }).pipe(
    Effect.provide(
      Layer.merge(
        Database.layer({ url: service.url, applicationName: "property-network bench" }),
        SecureRandom.layerWebCrypto
      )
    )
  )
})

interface Found {
  readonly operation: Operation
  /** By size, round by round. */
  readonly costs: ReadonlyArray<{ readonly rows: number; readonly costs: ReadonlyArray<Cost> }>
}

const measureOne = Effect.fnUntraced(function* (
  teams: ReadonlyArray<Prepared>,
  operation: Operation,
  options: Options
) {
  // Counted for each team separately, so that all get the same requests.
  const contestants = Object.fromEntries(
    teams.map((prepared) => {
      let count = 0
      return [
        String(prepared.team.rows),
        (seconds: number) => sendFor(prepared.pool, seconds, (client) => operation.request(prepared, count++, client))
      ]
    })
  )
  const found = yield* interleave(contestants, paceOf(options))
  const costs = teams.map(({ team: { rows } }) => ({ rows, costs: found[String(rows)] ?? [] }))
  const result: Found = { operation, costs }
  return result
})

const each = (costs: ReadonlyArray<Cost>) => costs.map((cost) => cost.each)

const millis = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`

const power = (rows: number) => {
  const exponent = Math.log10(rows)
  return Number.isInteger(exponent) ? `10${[..."⁰¹²³⁴⁵⁶⁷⁸⁹"][exponent] ?? ""}` : rows.toLocaleString("en-GB")
}

const detailsOf = (costs: ReadonlyArray<Cost>) => ({
  perSecond: Math.round(1000 / median(each(costs))),
  p50Millis: median(costs.map(({ p50 }) => p50)),
  p99Millis: median(costs.map(({ p99 }) => p99)),
  requests: costs.reduce((sum, { requests }) => sum + requests, 0)
})

const lineOf = ({ costs, operation }: Found): Line => {
  const [least, ...others] = costs
  const base = each(least?.costs ?? [])
  const grown = others.map(({ costs, rows }) => ({ rows, costs, ratio: ratioOf(each(costs), base) }))
  // The plan for a medium size can be the worst.
  const worst = grown.reduce<Spread | undefined>(
    (most, { ratio }) => (most === undefined || ratio.median > most.median ? ratio : most),
    undefined
  )
  const lines = grown.map(
    ({ costs, ratio, rows }) => `${power(rows)}: ${millis(median(each(costs)))} (${ratio.median.toFixed(2)})`
  )
  return {
    name: `growth-${operation.name}`,
    work: operation.work,
    beside: `${power(least?.rows ?? 0)} rows`,
    ours: lines.join(", "),
    theirs: millis(median(base)),
    ...(worst === undefined ? {} : { ratio: worst }),
    ...(operation.counts ? { target: { most: limit } } : {}),
    details: Object.fromEntries(costs.map(({ costs, rows }) => [rows, detailsOf(costs)]))
  }
}

const curveOf = ({ costs, operation }: Found): Curve => {
  const base = each(costs[0]?.costs ?? [])
  return {
    name: operation.name,
    points: costs.map(({ costs, rows }, place) => {
      const { greatest, least, median } = place === 0 ? spreadOf([1]) : ratioOf(each(costs), base)
      return { x: rows, y: median, least, greatest }
    })
  }
}

const chartOf = (found: ReadonlyArray<Found>) => {
  const curves = found.filter(({ operation }) => operation.counts).map(curveOf)
  const ends = curves.map(({ name, points }) => `${name} ${points.map(({ y }) => y.toFixed(2)).join(", ")}`)
  return {
    file: "growth.svg",
    svg: draw({
      title: "How the cost of a request grows with the rows of its team",
      description: `The time of a request, by that of the smallest team, at each size. ${ends.join("; ")}.`,
      xLabel: "contacts, and as many prospects, of the team",
      yLabel: "cost, by that of the smallest",
      curves,
      limit: { y: limit, label: `at most ${limit}` }
    })
  }
}

const measureAll = Effect.fnUntraced(function* (measured: ReadonlyArray<Operation>, options: Options) {
  const prepared = yield* Effect.forEach(sizesOf(options), stage, { concurrency: 2 })
  yield* Effect.forEach(prepared, (one) => check(one, measured), { discard: true })
  return yield* Effect.forEach(measured, (operation) => measureOne(prepared, operation, options))
})

const run = Effect.fnUntraced(function* (options: Options) {
  const found = yield* measureAll(operations("growth"), options)
  const measured: Measured = { lines: found.map(lineOf), charts: [chartOf(found)] }
  return measured
})

/** Each line of {@link growth} by itself, without the chart. */
export const growthLines: ReadonlyArray<Measurement> = operations("growth").map((operation) => ({
  name: `growth-${operation.name}`,
  summary: `the line ${operation.name} of growth alone`,
  run: (options) => Effect.map(measureAll([operation], options), (found): Measured => ({ lines: found.map(lineOf) }))
}))

/** The cost of six operations on teams of 10⁴, 10⁵ and 10⁶ contacts, divided by that of the smallest. */
export const growth: Measurement = {
  name: "growth",
  summary: "what read, list, filter, search, create and delta cost at 10⁴, 10⁵ and 10⁶ rows",
  run
}
