/** The process of the receiver: responds with 204 at once, and counts. Times are Unix times in milliseconds, with fractions. */
import { createServer, type IncomingMessage } from "node:http"

/** A complete request. */
export interface Sample {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** To the receiver: count from zero up to a number of messages, or report the count. */
export type ReceiverOrder = { readonly kind: "expect"; readonly messages: number } | { readonly kind: "tell" }

/** From the receiver: it listens, it has received the expected number, or the report. */
export type ReceiverReport =
  | { readonly kind: "listens"; readonly port: number }
  | { readonly kind: "complete" }
  | {
      readonly kind: "report"
      readonly requests: number
      readonly ids: ReadonlyArray<string>
      readonly firstAt: number
      readonly samples: ReadonlyArray<Sample>
    }

/** The current time with fractions of a millisecond. */
const now = (): number => performance.timeOrigin + performance.now()

const sampleEvery = 100

let expected = 0
let requests = 0
let firstAt = 0
let ids = new Set<string>()
let samples: Array<Sample> = []

const say = (report: ReceiverReport) => process.send?.(report)

const keep = (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.once("end", () => samples.push({ headers, body: Buffer.concat(chunks).toString() }))
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (requests++ === 0) firstAt = now()
  if (requests % sampleEvery === 1) keep(request)
  request.once("end", () => {
    response.writeHead(204).end()
    ids.add(String(request.headers["webhook-id"]))
    if (ids.size === expected) {
      expected = 0
      say({ kind: "complete" })
    }
  })
  request.resume()
})

process.on("message", (order: ReceiverOrder) => {
  if (order.kind === "tell") return say({ kind: "report", requests, ids: [...ids], firstAt, samples })
  expected = order.messages
  requests = 0
  ids = new Set()
  samples = []
})
process.once("disconnect", () => process.exit())

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  say({ kind: "listens", port: address !== null && typeof address === "object" ? address.port : 0 })
})
