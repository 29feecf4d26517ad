/** Sends requests to the service, a few at a time, and measures them. */
import { Effect } from "effect"
import { Pool } from "undici"
import { quantile } from "../Report.ts"

/** A request with its expected status. */
export interface ExpectedRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly token: string
  readonly body?: string
  readonly expected: number
}

/** The durations of a run of requests, in milliseconds. */
export interface Cost {
  /** The duration of the run divided by the number of requests. */
  readonly each: number
  readonly p50: number
  readonly p99: number
  readonly requests: number
}

/** How many requests are in flight at a time. */
export const concurrency = 4

/** A connection pool until the scope ends. */
export const connect = (origin: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Pool(origin, { connections: concurrency, pipelining: 1 })),
    (pool) => Effect.promise(() => pool.close())
  )

/** Sends a request and returns the response body. Rejects an unexpected status. */
export const ask = async (pool: Pool, asked: ExpectedRequest): Promise<string> => {
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

/** Sends requests for some seconds, some at a time. `next` creates each request for the client with this number. */
export const sendFor = (
  pool: Pool,
  seconds: number,
  next: (client: number) => ExpectedRequest,
  atATime = concurrency
): Effect.Effect<Cost> =>
  Effect.promise(async () => {
    const times: Array<number> = []
    const begun = performance.now()
    const until = begun + seconds * 1000
    const client = async (_: unknown, number: number) => {
      for (let now = performance.now(); now < until;) {
        await ask(pool, next(number))
        const done = performance.now()
        times.push(done - now)
        now = done
      }
    }
    await Promise.all(Array.from({ length: atATime }, client))
    return {
      each: (performance.now() - begun) / times.length,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      requests: times.length
    }
  })

/** Follows the cursors of a list, and returns the cursor of page `page`. */
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
