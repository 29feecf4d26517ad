/**
 * The process of the load generator: sends requests as fast as responses arrive, and reports. It gets its commands over IPC
 * (Loads.ts) and runs many loads, because a client that has just started is slow.
 */
import autocannon from "autocannon"
import { quantile } from "../Report.ts"
import type { Order, Report, Requests } from "./Loads.ts"

/** Shuffles the requests for each connection, so that they do not request the same at the same time. */
const shuffled = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => {
  const copy = [...values]
  for (let index = copy.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1))
    const [a, b] = [copy[index] as A, copy[other] as A]
    copy[index] = b
    copy[other] = a
  }
  return copy
}

/** How many requests a connection sends before it starts again. */
const each = 250

let made = 0

/** The requests that a connection repeats. */
const requestsOf = (requests: Requests): Array<autocannon.Request> => {
  if (requests.kind === "get") {
    return shuffled(requests.requests)
      .slice(0, each)
      .map(({ headers, path }) => ({ method: "GET", path, headers }))
  }
  const { body, path, token } = requests
  return [
    {
      setupRequest: (request) => {
        const unique = `${process.pid}-${Date.now().toString(36)}-${made++}`
        return {
          ...request,
          method: "POST",
          path,
          headers: {
            authorization: `Bearer ${token[made % token.length] ?? ""}`,
            "content-type": "application/json",
            "idempotency-key": unique
          },
          body: body.replaceAll("UNIQUE", unique)
        }
      }
    }
  ]
}

const run = (order: Order): Promise<Report> =>
  new Promise((resolve, reject) => {
    const latencies: Array<number> = []
    const statuses: { [status: string]: number } = {}
    let last = 0
    const instance = autocannon(
      {
        url: order.url,
        connections: order.connections,
        duration: order.seconds,
        excludeErrorStats: false,
        setupClient: (client) => client.setRequests(requestsOf(order.requests))
      },
      (error: unknown, result) => {
        if (error !== null && error !== undefined) return reject(error as Error)
        // The time to close the connections does not count.
        const seconds = Math.max(order.seconds, (last - began) / 1000)
        const answers = statuses[order.expected] ?? 0
        return resolve({
          answers,
          rate: answers / seconds,
          p50: quantile(latencies, 0.5),
          p99: quantile(latencies, 0.99),
          statuses,
          errors: result.errors + result.timeouts
        })
      }
    )
    // The requests are prepared, and none has been sent yet.
    const began = performance.now()
    instance.on("response", (_client, status, _bytes, time) => {
      last = performance.now()
      latencies.push(time)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
  })

process.on("message", (order: Order) => {
  run(order).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ fault: String(error) })
  )
})
process.on("disconnect", () => process.exit())
process.send?.({})
