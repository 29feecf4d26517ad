import { Effect, type Scope } from "effect"
import * as http from "node:http"
import * as https from "node:https"
import { createServer, type Server, type Socket } from "node:net"
import { certificate, privateKey } from "./certificate.ts"

/** What a receiver was sent. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
  readonly servername: string | false | null
}

/** A server on the loopback that records what it is sent. */
export interface Receiver {
  readonly port: number
  readonly received: ReadonlyArray<Received>
  readonly connections: ReadonlyArray<Socket>
}

const listening = <A extends Server>(server: A, connections: Array<Socket>) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.on("connection", (socket: Socket) => {
        connections.push(socket)
        socket.on("error", () => {})
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(
          typeof address === "object" && address !== null
            ? Effect.succeed(address.port)
            : Effect.die(new Error("no port"))
        )
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        for (const socket of connections) socket.destroy()
      })
  )

/** An HTTP server that answers once the whole request has come. */
export const make = (
  answer: (response: http.ServerResponse, request: http.IncomingMessage) => void,
  options: { readonly tls?: boolean } = {}
): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const connections: Array<Socket> = []
    const listener: http.RequestListener = (request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        received.push({
          method: request.method ?? "",
          path: request.url ?? "",
          headers: request.headers,
          body: Buffer.concat(chunks),
          servername: "servername" in request.socket ? String(request.socket.servername) : null
        })
        answer(response, request)
      })
    }
    const server =
      options.tls === true
        ? https.createServer({ cert: certificate, key: privateKey }, listener)
        : http.createServer(listener)
    const port = yield* listening(server, connections)
    return { port, received, connections }
  })

/** A server below HTTP: `serve` does what it likes with every connection. */
export const makeRaw = (serve: (socket: Socket, index: number) => void): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const connections: Array<Socket> = []
    const server = createServer()
    const port = yield* listening(server, connections)
    // Without reading, the end of a connection would never be seen.
    server.on("connection", (socket) => serve(socket.resume(), connections.length - 1))
    return { port, received: [], connections }
  })

/** Waits, in real time, until a condition holds. */
export const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const look = () => {
      if (!condition()) return
      clearInterval(timer)
      resume(Effect.void)
    }
    const timer = setInterval(look, 2)
    look()
    return Effect.sync(() => clearInterval(timer))
  })
