/** `edge`: what a request costs the process of the API, part by part. See bench/README.md. */
import { Effect } from "effect"
import * as Id from "../src/core/Id.ts"
import { Database } from "../src/platform/db/Database.ts"
import * as Loads from "./http/Loads.ts"
import * as Teams from "./data/teams.ts"
import type { Line, Measurement, Options } from "./Measurement.ts"
import { secondsOf } from "./Programs.ts"
import * as Profile from "./Profile.ts"
import { table } from "./Report.ts"
import * as Service from "./Service.ts"

const fibers = "effects: fibers, services, promises"

/** The parts of a request, by the code that they are in. The first that matches counts. */
const parts: ReadonlyArray<readonly [part: string, code: RegExp, name?: RegExp]> = [
  ["the token, its limit and the audit context", /src\/core\/(?:auth|audit)\/|src\/http\/Authorization|http-api\//],
  ["metrics", /Metric\.js|RequestTelemetry/, /^(?:countAnswer|answeredRoute|updateUnsafe|update)$/],
  ["the log line", /src\/process\/Log|src\/http\/RequestTelemetry/],
  ["the console's log of requests", /src\/core\/requests\//],
  ["the edge: request id, headers, time limit", /src\/http\/(?:Edge|RequestState)|src\/platform\/Time/],
  ["the router", /effect\/dist\/http\/(?:HttpRouter|FindMyWay)/],
  ["the adapter: parameters, ETag, JSON", /src\/http\//],
  ["statements: the driver, and what joins lookups", /@effect\/sql-pg|src\/platform\/db\/|effect\/dist\/(?:sql|Pool)/],
  ["the use-case and its records", /\/src\/|typeid-js/],
  ["HTTP: reading requests, writing answers", /@effect\/platform-node|effect\/dist\/http\/|node:_http/]
]

// Between our code and these, everything is on behalf of our code.
const isFiber = ({ functionName, url }: Profile.Frame) =>
  url.endsWith("effect/dist/internal/effect.js") && (functionName === "runLoop" || functionName === "evaluate")

const writers = /@effect\/(?:sql-pg|platform-node)|src\/process\/Log/

/** The part that a stack was busy with: that of the innermost code which belongs to one. */
const partOf = ({ frames }: Profile.Stack): string | undefined => {
  const [leaf] = frames
  if (leaf === undefined || leaf.functionName === "(idle)") return undefined
  if (leaf.functionName === "(garbage collector)") return "the garbage collector"
  if (leaf.url === "" && leaf.functionName.startsWith("write")) {
    const writer = frames.find(({ url }) => writers.test(url))
    return `system calls: sending ${writer?.url.includes("sql-pg") === true ? "statements" : "answers, and the log"}`
  }
  for (const frame of frames) {
    if (isFiber(frame)) return fibers
    const found = parts.find(
      ([, code, name]) => code.test(frame.url) && (name === undefined || name.test(frame.functionName))
    )
    if (found !== undefined) return found[0]
  }
  return frames.some(({ url }) => url.startsWith("node:") || url.includes("effect/")) ? fibers : "Node's own"
}

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const [team] = yield* Teams.withContacts({ url: service.url, rows: [options.quick ? 400 : 10_000] })
  const sql = yield* Database
  const rows = yield* sql<{ id: string }>`select id from contacts where team_id = ${team?.uuid ?? ""} limit 1000`
  const tokens = team?.tokens ?? []
  const requests = {
    kind: "get" as const,
    requests: rows.map(({ id }, index) => ({
      path: `/api/v1/network/contacts/${Id.fromUuid("contact", id)}`,
      headers: { authorization: `Bearer ${tokens[index % tokens.length] ?? ""}` }
    }))
  }
  // Its address is at the beginning of the log.
  const { during } = yield* Profile.connect(service.api)
  const load = yield* Loads.make
  const seconds = options.quick ? 2 : 20
  const run = load({ url: service.origin, seconds, requests, expected: 200 })
  yield* run
  // Without the profiler, which makes everything a little slower.
  const before = secondsOf(service.api.pid) ?? Number.NaN
  const { answers } = yield* run
  const micros = (1e6 * ((secondsOf(service.api.pid) ?? Number.NaN) - before)) / answers
  const { stacks } = yield* during(run)
  const found = new Map<string, number>()
  for (const stack of stacks) {
    const part = partOf(stack)
    if (part !== undefined) found.set(part, (found.get(part) ?? 0) + stack.micros)
  }
  const all = [...found.values()].reduce((sum, one) => sum + one, 0)
  const shares = [...found].map(([part, one]) => ({ part, share: one / all })).toSorted((a, b) => b.share - a.share)
  const line: Line = {
    name: "edge",
    work: "processor time of the API for a GET of one contact, 32 connections, without Postgres",
    ours: `${Math.round(micros)} µs`,
    value: { amount: Math.round(micros), unit: "µs" },
    details: Object.fromEntries(shares.map(({ part, share }) => [part, Math.round(micros * share)]))
  }
  const report = table(
    ["Part of a GET of one contact", "µs", "Share"],
    shares.map(({ part, share }) => [part, (micros * share).toFixed(1), `${(100 * share).toFixed(1)} %`])
  )
  return { lines: [line], report: report.join("\n") }
})

/** The processor time of a request by part, from a profile. */
export const edge: Measurement = {
  name: "edge",
  summary: "What a request costs the API's process, by part: token, limits, log, metrics, router, driver",
  run: (options) =>
    Effect.gen(function* () {
      const service = yield* Service.make(Profile.inspected)
      return yield* measure(service, options).pipe(Effect.provide(Service.store(service)))
    })
}
