/** Load on HTTP servers, made by autocannon in a process of its own (loader.ts). */
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import * as Programs from "../Programs.ts"

/** The requests of a load. */
export type Requests =
  | {
      readonly kind: "get"
      readonly requests: ReadonlyArray<{ readonly path: string; readonly headers: { readonly [name: string]: string } }>
    }
  | {
      readonly kind: "post"
      readonly path: string
      /** Each request replaces `UNIQUE` in it with another word. */
      readonly body: string
      /** The tokens, used in turn. */
      readonly token: ReadonlyArray<string>
    }

/** A load. */
export interface Order {
  /** The base URLs of the servers, which share the connections evenly. */
  readonly urls: ReadonlyArray<string>
  readonly connections: number
  readonly seconds: number
  readonly requests: Requests
  /** The expected status of every response. */
  readonly expected: number
}

/** The report of a load. */
export interface Report {
  /** The number of expected responses, in total and per second. */
  readonly answers: number
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly statuses: { readonly [status: string]: number }
  readonly errors: number
}

/** How many connections a load has. */
export const connections = 32

const ask = async (loader: ChildProcess, order: Order): Promise<Report> => {
  loader.send(order)
  const [answer] = (await once(loader, "message")) as [{ readonly report?: Report; readonly fault?: string }]
  if (answer.report === undefined) throw new Error(answer.fault)
  const { errors, statuses } = answer.report
  const others = Object.keys(statuses).filter((status) => status !== String(order.expected))
  if (errors > 0 || others.length > 0 || answer.report.rate === 0) {
    throw new Error(
      `Not every answer of ${order.urls.join(", ")} was ${order.expected}: ${JSON.stringify(statuses)}, ${errors} errors`
    )
  }
  return answer.report
}

/** Starts a loader until the scope ends. A load fails if a single response is unexpected. */
export const make = Effect.gen(function* () {
  const loader = yield* Programs.fork(join(import.meta.dirname, "loader.ts"))
  return (order: Omit<Order, "connections">) =>
    Effect.tryPromise({
      try: () => ask(loader, { ...order, connections }),
      catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause)))
    })
})

/** A load generator. */
export type Load = Effect.Success<typeof make>
