/** A receiver of webhooks on this machine, for as long as its scope lasts. */
import { Effect, Queue, type Scope } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import { type AddressInfo, connect } from "node:net"

/** A request as it came. */
export interface Received {
  readonly headers: IncomingMessage["headers"]
  readonly body: Uint8Array
}

const largestBody = 1024 * 1024

const readBody = async (request: IncomingMessage): Promise<Uint8Array | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Listens on a free port; every request is answered with 204 and queued. */
export const start: Effect.Effect<
  { readonly url: string; readonly received: Queue.Dequeue<Received> },
  never,
  Scope.Scope
> = Effect.gen(function*() {
  const received = yield* Queue.unbounded<Received>()
  const server = yield* Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
        const server = createServer((request, response) => {
          readBody(request).then((body) => {
            response.writeHead(body === undefined ? 413 : 204).end()
            if (body !== undefined) Queue.offerUnsafe(received, { headers: request.headers, body })
          }, () => response.destroy())
        })
        server.once("error", reject)
        server.listen(0, "127.0.0.1", () => resolve(server))
      })
    ),
    (server) =>
      Effect.promise(() =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
      )
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received }
})

/** Whether `url` is that of a receiver on this machine which is there no more: its port refuses connections. */
export const isGone = (url: string): Effect.Effect<boolean> => {
  const { hostname = "", port = "" } = URL.parse(url) ?? {}
  if (hostname !== "127.0.0.1" || port === "") return Effect.succeed(false)
  return Effect.promise(() =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), timeout: 1000 })
      const answer = (gone: boolean) => {
        socket.destroy()
        resolve(gone)
      }
      socket.once("connect", () => answer(false))
      socket.once("timeout", () => answer(false))
      socket.once("error", (error: Error & { readonly code?: string }) => answer(error.code === "ECONNREFUSED"))
    })
  )
}
