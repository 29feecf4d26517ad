/** `growth`: how the cost of operations grows with the data of a team. See bench/README.md. */
import { Effect } from "effect"
import type { Pool } from "undici"
import * as Id from "../../src/core/Id.ts"
import { Database } from "../../src/platform/db/Database.ts"
import {
  type Line,
  type Measured,
  type Measurement,
  type Options,
  type Spread,
  interleave,
  ratioOf
} from "../Measurement.ts"
import { median } from "../Report.ts"
import * as Service from "../Service.ts"
import * as names from "../data/contacts.ts"
import * as Teams from "../data/teams.ts"
import { sendFor, connect, type Cost, type ExpectedRequest, ask, cursorOf } from "./Requests.ts"

/** A team, a connection pool, and data that is looked up before the measurement. */
interface Prepared {
  readonly pool: Pool
  readonly team: Teams.TeamWithProject
  /** Public ids of contacts, in random order. */
  readonly ids: ReadonlyArray<string>
  /** The cursor of the middle page of the contacts. */
  readonly middle: string
  /** The time of the hundredth newest change. */
  readonly recently: string
}

/** An operation: its name, its description, and request number `count` of client number `client`. */
interface Operation {
  readonly name: string
  readonly work: string
  /** Whether its cost has a target. */
  readonly counts: boolean
  /** The target, if it is not the one of all. */
  readonly most?: number
  readonly request: (prepared: Prepared, count: number, client: number) => ExpectedRequest
}

const contacts = "/api/v1/network/contacts"

const of = <A>(values: ReadonlyArray<A>, count: number): A => values[count % values.length] as A

const get = (path: string, { team }: Prepared, client: number): ExpectedRequest => ({
  method: "GET",
  path,
  token: of(team.tokens, client),
  expected: 200
})

const search = (prepared: Prepared, client: number, query: string): ExpectedRequest => ({
  method: "POST",
  path: `${contacts}:search`,
  token: of(prepared.team.tokens, client),
  body: JSON.stringify({ query, page_size: 100 }),
  expected: 200
})

// One in fifty or sixty of all prospects.
const filters = "stage=teaser&classification=contacted&tags=core"

const rareQuery = (count: number) => of(names.rareSurnames, count).toLowerCase()

// The word is new in the database.
const person = (count: number, word = "growth") => ({
  firstName: of(names.firstNames, count),
  lastName: `${of(names.onsets, count * 7)}${of(names.vowels, count * 3)}${of(names.codas, count)}${of(names.endings, count * 11)}`,
  email: `${word}.${count}@${of(names.domains, count)}`,
  phone: `+49 30 ${5_000_000 + count}`,
  primaryLanguage: "de-DE",
  tags: [of(names.tags, count), of(names.tags, count + 5)],
  externalRefs: [{ namespace: "crm", externalId: `${word}-${count}` }]
})

const operations: ReadonlyArray<Operation> = [
  {
    name: "read",
    work: "GET one contact by id, any of the team's",
    counts: true,
    request: (prepared, count, client) => get(`${contacts}/${of(prepared.ids, count)}`, prepared, client)
  },
  {
    name: "list",
    work: "a page of 100 contacts: the first, and the one in the middle, in turns",
    counts: true,
    request: (prepared, count, client) =>
      get(`${contacts}?page_size=100${count % 2 === 0 ? "" : `&cursor=${prepared.middle}`}`, prepared, client)
  },
  {
    name: "filtered",
    work: "a page of 100 of a project's prospects, by stage, classification and tag",
    counts: true,
    request: (prepared, _, client) =>
      get(`/api/v1/projects/${prepared.team.project}/prospects?page_size=100&${filters}`, prepared, client)
  },
  {
    name: "search",
    work: `search for a surname that ${names.holders} contacts have at each size`,
    counts: true,
    request: (prepared, count, client) => search(prepared, client, rareQuery(count))
  },
  {
    name: "search-part",
    work: "search for four to six letters from within such a surname",
    counts: true,
    most: 3,
    request: (prepared, count, client) => {
      const surname = rareQuery(count)
      const from = 1 + (Math.floor(count / names.rareSurnames.length) % 3)
      return search(prepared, client, surname.slice(from, from + 4 + (count % 3)))
    }
  },
  {
    name: "create",
    work: "POST a contact with a reference",
    counts: true,
    request: (prepared, count, client) => ({
      method: "POST",
      path: contacts,
      token: of(prepared.team.tokens, client),
      body: JSON.stringify(person(count)),
      expected: 201
    })
  },
  {
    name: "delta",
    work: "a page of 100 of what changed: since the last 100 changes, and since the beginning, in turns",
    counts: true,
    request: (prepared, count, client) =>
      get(
        `${contacts}?page_size=100&updated_since=${count % 2 === 0 ? prepared.recently : "1970-01-01"}`,
        prepared,
        client
      )
  },
  {
    name: "search-common",
    work: "search for a first name that one contact in eleven has, a page of 100",
    counts: false,
    request: (prepared, _, client) => search(prepared, client, "anna")
  }
]

const rowsOf = (text: string): number => {
  const { data } = JSON.parse(text) as { readonly data: ReadonlyArray<unknown> }
  return data.length
}

/** Looks up the data that the operations need. */
const prepare = Effect.fnUntraced(function* (
  pool: Pool,
  team: Teams.TeamWithProject,
  { ids, recently }: Pick<Prepared, "ids" | "recently">
) {
  const token = team.tokens[0] ?? ""
  const pageSize = Math.min(500, team.rows / 4)
  const middle = yield* cursorOf(pool, { path: contacts, token, pageSize }, Math.floor(team.rows / pageSize / 2) + 1)
  // The cursor is bound to the list and its filters, not to the size of its pages.
  const prepared: Prepared = { pool, team, ids, middle, recently }
  return prepared
})

/** Dies unless the pages have the expected numbers of rows. */
const check = (prepared: Prepared, operations: ReadonlyArray<Operation>): Effect.Effect<void> =>
  Effect.promise(async () => {
    const wanted: Readonly<Record<string, number>> = {
      list: 100,
      filtered: 100,
      search: names.holders,
      delta: 100,
      "search-common": 100
    }
    for (const { name, request } of operations) {
      const rows = wanted[name]
      if (rows === undefined) continue
      for (const count of [0, 1, 2, 3, 4]) {
        const found = rowsOf(await ask(prepared.pool, request(prepared, count, 0)))
        if (found < Math.min(rows, prepared.team.rows / 100)) {
          throw new Error(`${name} answers ${found} rows, not ${rows}, in the team of ${prepared.team.rows}`)
        }
      }
    }
  })

const limit = 1.5

// Many short runs, so that other load of the machine affects all sizes alike.
const paceOf = ({ quick }: Options) =>
  quick ? { warmUp: 0.2, seconds: 0.2, rounds: 2 } : { warmUp: 2, seconds: 0.5, rounds: 15 }

/** The sizes of teams. BENCH_GROWTH names others, such as `10000,100000`. */
const sizesOf = ({ quick }: Options): ReadonlyArray<number> =>
  quick ? [400, 2000, 10_000] : (process.env["BENCH_GROWTH"]?.split(",").map(Number) ?? [10_000, 100_000, 1_000_000])

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
  }).pipe(Effect.provide(Service.store(service)))
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
    ...(operation.counts ? { target: { most: operation.most ?? limit } } : {}),
    details: Object.fromEntries(costs.map(({ costs, rows }) => [rows, detailsOf(costs)]))
  }
}

const measureAll = Effect.fnUntraced(function* (measured: ReadonlyArray<Operation>, options: Options) {
  const prepared = yield* Effect.forEach(sizesOf(options), stage, { concurrency: 2 })
  yield* Effect.forEach(prepared, (one) => check(one, measured), { discard: true })
  return yield* Effect.forEach(measured, (operation) => measureOne(prepared, operation, options))
})

/** Each line of {@link growth} by itself. */
export const growthLines: ReadonlyArray<Measurement> = operations.map((operation) => ({
  name: `growth-${operation.name}`,
  summary: `the line ${operation.name} of growth alone`,
  run: (options) => Effect.map(measureAll([operation], options), (found): Measured => ({ lines: found.map(lineOf) }))
}))

/** The cost of six operations on teams of 10⁴, 10⁵ and 10⁶ contacts, divided by that of the smallest. */
export const growth: Measurement = {
  name: "growth",
  summary: "what read, list, filter, search, create and delta cost at 10⁴, 10⁵ and 10⁶ rows",
  run: (options) => Effect.map(measureAll(operations, options), (found): Measured => ({ lines: found.map(lineOf) }))
}
