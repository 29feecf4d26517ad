/** `depth`: the cost of a page deep in a long list, compared with the first page. See bench/README.md. */
import { Effect } from "effect"
import * as Teams from "../data/teams.ts"
import { count, median } from "../Figures.ts"
import type { Line, Measurement, Options } from "../Measurement.ts"
import { interleave, ratioOf } from "../Rounds.ts"
import * as Service from "../Service.ts"
import { type ExpectedRequest, sendFor, connect, type Cost, cursorOf } from "./Requests.ts"

const path = "/api/v1/network/contacts"
const pageSize = 100

const settingsOf = ({ quick }: Options) =>
  quick
    ? { rows: 10_000, page: 100, pace: { warmUp: 0.2, seconds: 0.2, rounds: 2 } }
    : { rows: 1_000_000, page: 2000, pace: { warmUp: 1, seconds: 0.5, rounds: 25 } }

const each = (costs: ReadonlyArray<Cost>) => costs.map((cost) => cost.each)

const millis = (costs: ReadonlyArray<Cost>) => `${median(each(costs)).toFixed(2)} ms`

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const { pace, page, rows } = settingsOf(options)
  const [team] = yield* Teams.withContacts({ url: service.url, rows: [rows] })
  const tokens = team?.tokens ?? []
  const pool = yield* connect(service.origin)
  const cursor = yield* cursorOf(pool, { path, token: tokens[0] ?? "", pageSize }, page)
  const pageAt =
    (place: string) =>
    (client: number): ExpectedRequest => ({
      method: "GET",
      path: `${path}?page_size=${pageSize}${place}`,
      token: tokens[client % tokens.length] ?? "",
      expected: 200
    })
  const found = yield* interleave(
    {
      deep: (seconds: number) => sendFor(pool, seconds, pageAt(`&cursor=${cursor}`)),
      first: (seconds: number) => sendFor(pool, seconds, pageAt(""))
    },
    pace
  )
  const line: Line = {
    name: "depth",
    work: `page ${count(page)} of a list of ${count(rows)} contacts, ${pageSize} a page`,
    beside: "page 1",
    ours: millis(found.deep),
    theirs: millis(found.first),
    ratio: ratioOf(each(found.deep), each(found.first)),
    target: { most: 1.2 }
  }
  return { lines: [line] }
})

/** Page 2,000 of a list of a million contacts, compared with the first page. */
export const depth: Measurement = {
  name: "depth",
  summary: "page 2,000 of a list of a million contacts beside page 1",
  run: (options) =>
    Effect.gen(function* () {
      const service = yield* Service.make()
      return yield* measure(service, options).pipe(Effect.provide(Service.store(service)))
    })
}
