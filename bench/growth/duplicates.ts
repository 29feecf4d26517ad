/** `duplicates`: how the cost of a look for duplicates, and of a create with its check, grows with the companies of a team. See bench/README.md. */
import * as Tenant from "../../test/support/Tenant.ts"
import * as Service from "../Service.ts"
import * as Bulk from "../data/Bulk.ts"
import * as Companies from "../data/companies.ts"
import { Effect } from "effect"
import type { Pool } from "undici"
import { interleave, type Line, type Measured, type Measurement, type Options, ratioOf } from "../Measurement.ts"
import { median } from "../Report.ts"
import { connect, type ExpectedRequest, sendFor } from "./Requests.ts"

const paceOf = ({ quick }: Options) =>
  quick ? { warmUp: 0.2, seconds: 0.2, rounds: 2 } : { warmUp: 2, seconds: 1, rounds: 9 }

/** How many companies a team has. BENCH_DUPLICATES names others, such as `10000,100000`. */
const sizesOf = ({ quick }: Options): ReadonlyArray<number> =>
  quick ? [1_000, 5_000] : (process.env["BENCH_DUPLICATES"]?.split(",").map(Number) ?? [10_000, 1_000_000])

const most = 2

/** A service with a team. */
interface Stage {
  readonly rows: number
  readonly pool: Pool
  readonly token: string
}

const of = (names: ReadonlyArray<string>, count: number) => names[count % names.length] ?? ""

const find =
  (names: ReadonlyArray<string>) =>
  (token: string, count: number): ExpectedRequest => ({
    method: "POST",
    path: "/api/v1/companies/find-duplicates",
    token,
    body: JSON.stringify({ name: of(names, count) }),
    expected: 200
  })

/** The cases. Names of one word have the most others beside them: all that begin with the same letter. */
const cases = {
  "duplicates-word": {
    work: "find-duplicates of a name of one word, with a slip",
    request: find(["Schmellermanna", "Braunbergo GmbH", "Sellerbergru", "Kellbachero AB"])
  },
  "duplicates-words": {
    work: "find-duplicates of a name of two or three words, with a slip",
    request: find(["Kuleaux Capital Partners SA", "Checkic Projektentwiklung BV", "Gondova Property Köln"])
  },
  "duplicates-create": {
    work: "POST a company with a domain, which is checked for both",
    request: (token: string, count: number): ExpectedRequest => ({
      method: "POST",
      path: "/api/v1/network/companies",
      token,
      body: JSON.stringify({
        name: `Neubau ${count} Immobilien GmbH`,
        country: "DE",
        domain: `neubau-${count}.example`
      }),
      expected: 201
    })
  }
} as const

type Name = keyof typeof cases

/** A service with a database of its own and a team of this size. */
const stage = Effect.fnUntraced(function* (rows: number) {
  const service = yield* Service.make()
  return yield* Effect.gen(function* () {
    const { teamId, token } = yield* Tenant.make()
    yield* Effect.scoped(
      Effect.gen(function* () {
        const session = yield* Bulk.session(service.url)
        yield* Bulk.fill(session, "companies", Companies.add(session, teamId, rows))
        yield* session.query("vacuum analyze")
        yield* session.query("checkpoint")
      })
    )
    const prepared: Stage = { rows, pool: yield* connect(service.origin), token }
    return prepared
  }).pipe(Effect.provide(Service.store(service)))
})

const millis = (value: number) => `${value.toFixed(1)} ms`

const measureOne = Effect.fnUntraced(function* (stages: ReadonlyArray<Stage>, name: Name, options: Options) {
  const contestants = Object.fromEntries(
    stages.map(({ pool, rows, token }) => {
      let count = 0
      return [
        String(rows),
        (seconds: number) => sendFor(pool, seconds, () => cases[name].request(token, count++), 1)
      ] as const
    })
  )
  const found = yield* interleave(contestants, paceOf(options))
  const each = ({ rows }: Stage) => (found[String(rows)] ?? []).map(({ p50 }) => p50)
  const [few, many] = [stages[0] as Stage, stages.at(-1) as Stage]
  const line: Line = {
    name,
    work: `${cases[name].work}, p50 of one request at a time, among ${many.rows.toLocaleString("en-GB")} companies`,
    beside: `${few.rows.toLocaleString("en-GB")} companies`,
    ours: millis(median(each(many))),
    theirs: millis(median(each(few))),
    ratio: ratioOf(each(many), each(few)),
    target: { most }
  }
  return line
})

/** The cost of looks for duplicates at 10⁴ and 10⁶ companies. */
export const duplicates: Measurement = {
  name: "duplicates",
  summary: "what find-duplicates and the check of a create cost among 10⁴ and 10⁶ companies",
  run: (options) =>
    Effect.gen(function* () {
      const stages = yield* Effect.forEach(sizesOf(options), stage)
      const lines = yield* Effect.forEach(Object.keys(cases) as Array<Name>, (name) =>
        measureOne(stages, name, options)
      )
      const measured: Measured = { lines }
      return measured
    })
}
