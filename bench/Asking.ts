/** One client that asks again and again, one request at a time, and what each answer costs the server. */
import { Effect } from "effect"
import { type Dispatcher, Pool } from "undici"
import { secondsOf } from "./Programs.ts"
import { median } from "./Report.ts"
import type { Server } from "./http/Setup.ts"

/** A request. */
export interface Asked {
  readonly method: Dispatcher.HttpMethod
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What asking for some seconds found. */
export interface Turn {
  /** The time that an answer took, on average. */
  readonly millis: number
  /** The processor time of the server for it, without Postgres. */
  readonly cpuMillis: number
  /** The size of the last answer, as it came. */
  readonly bytes: number
}

/** Sends what `next` makes until the time is over. Every answer must be a success, and `check`, if there is one, accept the last. */
export const asking =
  (server: Server, next: () => Asked, check: (content: Buffer) => string | undefined = () => undefined) =>
  (seconds: number): Effect.Effect<Turn> =>
    Effect.promise(async () => {
      const pool = new Pool(server.url, { connections: 1, pipelining: 1 })
      const until = performance.now() + 1000 * seconds
      const [began, used] = [performance.now(), secondsOf(server.pid) ?? Number.NaN]
      let answers = 0
      let last: Buffer = Buffer.alloc(0)
      while (performance.now() < until) {
        const asked = next()
        const { body, statusCode } = await pool.request(asked)
        last = Buffer.from(await body.arrayBuffer())
        if (statusCode >= 300) throw new Error(`${asked.method} ${asked.path}: ${statusCode} ${last.toString()}`)
        answers += 1
      }
      const elapsed = performance.now() - began
      const cpu = (secondsOf(server.pid) ?? Number.NaN) - used
      await pool.close()
      const fault = check(last)
      if (fault !== undefined) throw new Error(fault)
      return { millis: elapsed / answers, cpuMillis: (1000 * cpu) / answers, bytes: last.length }
    })

/** The times of answers, turn by turn. */
export const millisOf = (turns: ReadonlyArray<Turn>): ReadonlyArray<number> => turns.map(({ millis }) => millis)

/** The median time of an answer, as a figure of a table. */
export const figureOf = (turns: ReadonlyArray<Turn>): string => `${median(millisOf(turns)).toFixed(2)} ms`

/** The median processor time of an answer. */
export const cpuOf = (turns: ReadonlyArray<Turn>): number =>
  Number(median(turns.map(({ cpuMillis }) => cpuMillis)).toFixed(3))
