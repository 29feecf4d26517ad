/** The process of the receiver: responds with 204 at once, and counts. */
import { createServer, type IncomingMessage } from "node:http"
import { now, type ReceiverOrder, type ReceiverReport, type Sample } from "./messages.ts"

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
