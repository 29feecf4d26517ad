/** Requests to the service, a few at a time, and what they cost. */
import { Effect } from "effect"
import { Pool } from "undici"
import { quantile } from "../Figures.ts"

/** A request, and what must be true of its answer for the figure to mean anything. */
export interface Asked {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly token: string
  readonly body?: string
  readonly expected: number
}

/** What a run of requests cost, in milliseconds. */
export interface Cost {
  /** The time of all by their number. */
  readonly each: number
  readonly p50: number
  readonly p99: number
  readonly requests: number
}

/** How many requests are under way at a time. */
export const atATime = 4

/** Connections to the service, for as long as the scope lasts. */
export const connect = (origin: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Pool(origin, { connections: atATime, pipelining: 1 })),
    (pool) => Effect.promise(() => pool.close())
  )

/** Makes a request and reads the whole answer, which it hands over; fails of any other status than the expected one. */
export const ask = async (pool: Pool, asked: Asked): Promise<string> => {
  const { body, expected, method, path, token } = asked
  const response = await pool.request({
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body })
  })
  const text = await response.body.text()
  if (response.statusCode !== expected) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
  return text
}

/** Makes requests for some seconds, {@link atATime} at a time; `next` returns the next request of a caller. */
export const askFor = (pool: Pool, seconds: number, next: (asker: number) => Asked): Effect.Effect<Cost> =>
  Effect.promise(async () => {
    const times: Array<number> = []
    const begun = performance.now()
    const until = begun + seconds * 1000
    const asker = async (_: unknown, number: number) => {
      for (let now = performance.now(); now < until;) {
        await ask(pool, next(number))
        const done = performance.now()
        times.push(done - now)
        now = done
      }
    }
    await Promise.all(Array.from({ length: atATime }, asker))
    return {
      each: (performance.now() - begun) / times.length,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      requests: times.length
    }
  })

/** The pages of a list, one after the other, each by the cursor of the one before: answers the cursor of page `page`. */
export const cursorOf = (
  pool: Pool,
  list: { readonly path: string; readonly token: string; readonly pageSize: number },
  page: number
): Effect.Effect<string> =>
  Effect.promise(async () => {
    let cursor = ""
    for (let number = 1; number < page; number++) {
      const text = await ask(pool, {
        method: "GET",
        path: `${list.path}?page_size=${list.pageSize}${cursor === "" ? "" : `&cursor=${cursor}`}`,
        token: list.token,
        expected: 200
      })
      const next = /"nextCursor":"([^"]+)"/.exec(text)?.[1]
      if (next === undefined) throw new Error(`${list.path} has no page ${number + 1}`)
      cursor = next
    }
    return cursor
  })
