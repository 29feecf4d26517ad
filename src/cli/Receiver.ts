/** A webhook receiver on this machine. */
import { Effect, type Scope } from "effect"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"

/** A received request. */
export interface Received {
  readonly at: Date
  /** Headers by name, with the case that the sender used. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A header of a request, ignoring case; empty if it is absent. */
export const headerOf = ({ headers }: Received, name: string): string =>
  Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1] ?? ""

const maxBodyBytes = 1024 * 1024

const readBody = async (request: AsyncIterable<Buffer>): Promise<Uint8Array | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const headersOf = (raw: ReadonlyArray<string>): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < raw.length; index += 2) headers[raw[index] ?? ""] = raw[index + 1] ?? ""
  return headers
}

/** Listens on a free port for as long as the scope lasts, answers 204, and passes each request to `receive`. Returns its URL. */
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

/** Whether `url` is a receiver on this machine that has ended: its port refuses connections. */
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
