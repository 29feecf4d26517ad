/** Compares our API with its two peers under the same load. */
import { Effect } from "effect"
import { count, median } from "../Figures.ts"
import type { Line, Options } from "../Measurement.ts"
import { interleave, paceOf, ratioOf } from "../Rounds.ts"
import * as Cpu from "../Cpu.ts"
import type { Report, Requests } from "./Loads.ts"
import { type Server, Setup } from "./Setup.ts"

/** The report of a load, with the processor time of the servers in seconds if it is known. */
export interface Turn extends Report {
  readonly cpu: number | undefined
}

/** Formats requests per second. */
export const perSecond = (reports: ReadonlyArray<Report>): string =>
  `${count(Math.round(median(reports.map(({ rate }) => rate))))} /s`

const rates = (reports: ReadonlyArray<Report>) => reports.map(({ rate }) => rate)

const cpuOf = (servers: ReadonlyArray<Server>): number | undefined =>
  servers.reduce<number | undefined>((sum, { pid }) => {
    const seconds = Cpu.secondsOf(pid)
    return sum === undefined || seconds === undefined ? undefined : sum + seconds
  }, 0)

/** A contestant: servers that share a load. */
export const contestant = (servers: ReadonlyArray<Server>, requests: Requests, expected: number) => (seconds: number) =>
  Effect.gen(function* () {
    const { load } = yield* Setup
    const before = cpuOf(servers)
    const report = yield* load({ urls: servers.map(({ url }) => url), seconds, requests, expected })
    const after = cpuOf(servers)
    const turn: Turn = { ...report, cpu: before === undefined || after === undefined ? undefined : after - before }
    return turn
  })

const sum = (values: ReadonlyArray<number>) => values.reduce((all, value) => all + value, 0)

/** The figures of the rounds, for the stored results. */
export const detailsOf = (reports: ReadonlyArray<Turn>) => ({
  ...(reports.every(({ cpu }) => cpu !== undefined)
    ? {
        cpuMicrosPerRequest: Math.round(
          (1e6 * sum(reports.map(({ cpu }) => cpu ?? 0))) / sum(reports.map(({ answers }) => answers))
        )
      }
    : {}),
  perSecond: rates(reports).map(Math.round),
  p50Millis: median(reports.map(({ p50 }) => p50)),
  p99Millis: median(reports.map(({ p99 }) => p99))
})

/** Compares the first reports with the others. */
export const ratioOfReports = (ours: ReadonlyArray<Report>, theirs: ReadonlyArray<Report>) =>
  ratioOf(rates(ours), rates(theirs))

/** Runs the load on all three, in interleaved rounds. */
export const compare = Effect.fnUntraced(function* (
  options: Options & {
    readonly requests: Requests
    readonly expected: number
    readonly line: Pick<Line, "name" | "work" | "target">
  }
) {
  const { servers } = yield* Setup
  const { expected, line, requests } = options
  const found = yield* interleave(
    {
      ours: contestant([servers.ours], requests, expected),
      strict: contestant([servers.strict], requests, expected),
      shortcut: contestant([servers.shortcut], requests, expected)
    },
    paceOf(options)
  )
  const result: Line = {
    ...line,
    beside: "by hand, Fastify and pg",
    ours: perSecond(found.ours),
    theirs: perSecond(found.strict),
    ratio: ratioOfReports(found.ours, found.strict),
    shortcut: ratioOfReports(found.ours, found.shortcut),
    details: { ours: detailsOf(found.ours), strict: detailsOf(found.strict), shortcut: detailsOf(found.shortcut) }
  }
  return result
})

// Our cursors and the last page also carry how far the reader has seen the list, which the peers do not track.
const withoutPosition = (text: string | undefined) =>
  text
    ?.replace(/"nextCursor":"[^"]+"/, '"nextCursor":"…"')
    .replace(/"nextSince":"[^"]+"/, '"nextSince":null')
    .replace(/cursor=[\w-]+/, "cursor=…")

/** Dies unless our API and its peers respond equally: same status, same bytes but for positions, same ETag. */
export const sameAnswers = Effect.fnUntraced(function* (target: string, init: RequestInit = {}) {
  const { request, servers } = yield* Setup
  const ours = yield* request(servers.ours, target, init)
  for (const way of ["strict", "shortcut"] as const) {
    const theirs = yield* request(servers[way], target, init)
    const link = (reply: typeof ours, { url }: Server) =>
      withoutPosition(reply.headers.get("link")?.replaceAll(url, ""))
    const same =
      ours.status === theirs.status &&
      withoutPosition(ours.text) === withoutPosition(theirs.text) &&
      ours.headers.get("etag") === theirs.headers.get("etag") &&
      link(ours, servers.ours) === link(theirs, servers[way])
    if (!same) {
      return yield* Effect.die(
        new Error(
          `${way} does not answer ${target} as we do:\n${ours.status} ${ours.text}\n${theirs.status} ${theirs.text}`
        )
      )
    }
  }
  return ours
})

/** Some of the values, at even distances. */
export const sample = <A>(values: ReadonlyArray<A>, most: number): ReadonlyArray<A> => {
  const step = Math.max(1, Math.floor(values.length / most))
  return values.filter((_, index) => index % step === 0).slice(0, most)
}
