/** Load on HTTP servers, made by autocannon in a process of its own (loader.ts). */
import { Effect } from "effect"
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
  /** The base URL of the server. */
  readonly url: string
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

/** How many connections a load has, if it does not say. */
const usual = 32

/** What the loader answers: its report, or why there is none. */
export interface Answer {
  readonly report?: Report
  readonly fault?: string
}

const checked = ({ fault, report }: Answer, { expected, url }: Pick<Order, "expected" | "url">) => {
  if (report === undefined) return Effect.fail(new Error(fault))
  const { errors, rate, statuses } = report
  const others = Object.keys(statuses).filter((status) => status !== String(expected))
  return errors > 0 || others.length > 0 || rate === 0
    ? Effect.fail(
        new Error(`Not every answer of ${url} was ${expected}: ${JSON.stringify(statuses)}, ${errors} errors`)
      )
    : Effect.succeed(report)
}

/** Starts a loader until the scope ends. A load fails if a single response is unexpected. */
export const make = Effect.gen(function* () {
  const loader = yield* Programs.fork<Order, Answer>(join(import.meta.dirname, "loader.ts"))
  // It has no report yet: it is ready.
  yield* loader.next
  return ({ connections = usual, ...order }: Omit<Order, "connections"> & { readonly connections?: number }) =>
    Effect.flatMap(loader.ask({ ...order, connections }), (answer) => checked(answer, order))
})
