/** A receiver of webhooks on this machine, for as long as its scope lasts. */
import { Effect, type Scope } from "effect"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"

/** A request as it came. */
export interface Received {
  readonly at: Date
  /** By the names in the letters in which they came. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A header of a request; empty when it has none. */
export const headerOf = ({ headers }: Received, name: string): string =>
  Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1] ?? ""

const largestBody = 1024 * 1024

const readBody = async (request: AsyncIterable<Buffer>): Promise<Uint8Array | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > largestBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const headersOf = (raw: ReadonlyArray<string>): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < raw.length; index += 2) headers[raw[index] ?? ""] = raw[index + 1] ?? ""
  return headers
}

/** Listens on a free port; every request is answered with 204 and handed to `receive`. Answers its URL. */
export const start = (receive: (received: Received) => void): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer((request, response) => {
            readBody(request).then(
              (body) => {
                response.writeHead(body === undefined ? 413 : 204).end()
                if (body !== undefined) receive({ at: new Date(), headers: headersOf(request.rawHeaders), body })
              },
              () => response.destroy()
            )
          })
          server.once("error", reject)
          server.listen(0, "127.0.0.1", () => resolve(server))
        })
    ),
    (server) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          })
      )
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`))

/** Whether `url` is that of a receiver on this machine which is there no more: its port refuses connections. */
export const isGone = (url: string): Effect.Effect<boolean> => {
  const { hostname = "", port = "" } = URL.parse(url) ?? {}
  if (hostname !== "127.0.0.1" || port === "") return Effect.succeed(false)
  return Effect.promise(
    () =>
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
