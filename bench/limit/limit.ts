/** `limit`: a read over HTTP, compared with its statements alone. */
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { count, median } from "../Figures.ts"
import { sample } from "../http/Comparison.ts"
import { connections } from "../http/Loads.ts"
import { requestsFor } from "../http/read.ts"
import { Setup } from "../http/Setup.ts"
import type { Line, Measurement } from "../Measurement.ts"
import * as Programs from "../Programs.ts"
import { type Contestant, interleave, paceOf, ratioOf } from "../Rounds.ts"
import type { Order, Work } from "./loop.ts"
import * as pgbench from "./pgbench.ts"

/** The connections of the pools of the API, of the loops and of `pgbench`. */
const poolSize = 10

/** The rates of the rounds, per second. */
interface Rate {
  readonly rate: number
}

const ask = async (loop: ChildProcess, order: Order): Promise<Rate> => {
  loop.send(order)
  const [answer] = (await once(loop, "message")) as [{ readonly rate?: number; readonly fault?: string }]
  if (answer.rate === undefined) throw new Error(answer.fault)
  return { rate: answer.rate }
}

/** Starts the process of the loops until the scope ends. */
const startLoop = (work: Work) => Programs.fork(join(import.meta.dirname, "loop.ts"), [JSON.stringify(work)])

const rates = (found: ReadonlyArray<Rate>) => found.map(({ rate }) => rate)

const perSecond = (found: ReadonlyArray<Rate>) => `${count(Math.round(median(rates(found))))} /s`

/** Reads over HTTP, compared with loops of the same statements. */
export const limit: Measurement<Setup> = {
  name: "limit",
  summary: "GET of one contact, beside its two statements in a tight loop",
  run: Effect.fnUntraced(function* (options) {
    const { contacts, load, servers, url } = yield* Setup
    const work: Work = {
      url,
      teamId: contacts.teamId,
      tokens: contacts.tokens,
      ids: sample(contacts.ids, 1000),
      loops: connections
    }
    const loop = yield* startLoop(work)
    const through =
      (driver: Order["driver"]): Contestant<Rate, Error, never> =>
      (seconds) =>
        Effect.tryPromise({ try: () => ask(loop, { driver, seconds }), catch: (cause) => cause as Error })
    const ours: Contestant<Rate, Error, never> = (seconds) =>
      load({ urls: [servers.ours.url], seconds, requests: requestsFor(contacts), expected: 200 })
    const program = yield* Effect.promise(pgbench.find)
    const tool = program === undefined ? undefined : yield* pgbench.make(program, { ...work, loops: poolSize })
    const contestants = { ours, pg: through("pg"), own: through("own") }
    const found =
      tool === undefined
        ? { ...(yield* interleave(contestants, paceOf(options))), tool: undefined }
        : yield* interleave({ ...contestants, tool }, paceOf(options))
    const lineOf = (name: string, beside: string, theirs: ReadonlyArray<Rate> | undefined): Line => ({
      name,
      work: "GET one contact by id, 32 connections",
      beside,
      ours: perSecond(found.ours),
      theirs: theirs === undefined ? "not installed" : perSecond(theirs),
      ...(theirs === undefined
        ? {}
        : {
            ratio: ratioOf(rates(found.ours), rates(theirs)),
            details: { ours: rates(found.ours).map(Math.round), theirs: rates(theirs).map(Math.round) }
          })
    })
    const lines: ReadonlyArray<Line> = [
      {
        ...lineOf("limit", "its two statements in 32 loops, pg with 10 connections", found.pg),
        target: { least: 0.5 }
      },
      lineOf("limit-driver", "the same loops through our own driver", found.own),
      lineOf("limit-pgbench", "the same statements by pgbench, 10 connections", found.tool)
    ]
    return { lines }
  })
}
