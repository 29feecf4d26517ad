/** Our API beside its two peers, under the same load. */
import { Effect } from "effect"
import { count, median } from "../Figures.ts"
import type { Line, Options } from "../Measurement.ts"
import { interleave, paceOf, ratioOf } from "../Rounds.ts"
import * as Cpu from "../Cpu.ts"
import type { Report, Requests } from "./Loads.ts"
import { type Server, Stage } from "./Stage.ts"

/** How a load went, and what it cost the servers: seconds of processor time, where that is known. */
export interface Turn extends Report {
  readonly cpu: number | undefined
}

/** Requests a second, for people. */
export const perSecond = (reports: ReadonlyArray<Report>): string =>
  `${count(Math.round(median(reports.map(({ rate }) => rate))))} /s`

const rates = (reports: ReadonlyArray<Report>) => reports.map(({ rate }) => rate)

const cpuOf = (servers: ReadonlyArray<Server>): number | undefined =>
  servers.reduce<number | undefined>((sum, { pid }) => {
    const seconds = Cpu.secondsOf(pid)
    return sum === undefined || seconds === undefined ? undefined : sum + seconds
  }, 0)

/** Servers under a load that they share. */
export const contestant = (servers: ReadonlyArray<Server>, requests: Requests, expected: number) => (seconds: number) =>
  Effect.gen(function* () {
    const { load } = yield* Stage
    const before = cpuOf(servers)
    const report = yield* load({ urls: servers.map(({ url }) => url), seconds, requests, expected })
    const after = cpuOf(servers)
    const turn: Turn = { ...report, cpu: before === undefined || after === undefined ? undefined : after - before }
    return turn
  })

const sum = (values: ReadonlyArray<number>) => values.reduce((all, value) => all + value, 0)

/** The figures of rounds, to be kept. */
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

/** How the first reports stand beside the others. */
export const ratioOfReports = (ours: ReadonlyArray<Report>, theirs: ReadonlyArray<Report>) =>
  ratioOf(rates(ours), rates(theirs))

/** Puts all three under a load, in turns. */
export const compare = Effect.fnUntraced(function* (
  options: Options & {
    readonly requests: Requests
    readonly expected: number
    readonly line: Pick<Line, "name" | "work" | "target">
  }
) {
  const { servers } = yield* Stage
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

/** Dies unless ours and its peers give the same answer to a request: same status, same bytes, same ETag. */
export const sameAnswers = Effect.fnUntraced(function* (target: string, init: RequestInit = {}) {
  const { request, servers } = yield* Stage
  const ours = yield* request(servers.ours, target, init)
  for (const way of ["strict", "shortcut"] as const) {
    const theirs = yield* request(servers[way], target, init)
    const link = (reply: typeof ours, { url }: Server) => reply.headers.get("link")?.replaceAll(url, "")
    const same =
      ours.status === theirs.status &&
      ours.text === theirs.text &&
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
