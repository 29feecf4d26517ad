import { Effect, type Scope } from "effect"
import { EventEmitter } from "node:events"
import * as http from "node:http"
import * as https from "node:https"
import { createServer, type Server, type Socket } from "node:net"
import { certificate, privateKey } from "./certificate.ts"

/** A request that a receiver got. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
  readonly servername: string | false | null
}

/** A server on the loopback that records the requests that it gets. */
export interface Receiver {
  readonly port: number
  readonly received: ReadonlyArray<Received>
  readonly connections: ReadonlyArray<Socket>
  /**
   * Completes when `condition` holds, which is checked whenever a request has come or a connection opens or closes. Fails
   * the test after 15 seconds; the failure says what it `awaited`.
   */
  readonly until: (awaited: string, condition: () => boolean) => Effect.Effect<void>
  /** Completes when this many requests have come. */
  readonly untilReceived: (count: number) => Effect.Effect<void>
  /** Completes when all connections are closed. */
  readonly untilClosed: Effect.Effect<void>
}

const timeout = 15_000

const waitsOf = (
  changes: EventEmitter,
  received: ReadonlyArray<Received>,
  connections: ReadonlyArray<Socket>
): Pick<Receiver, "until" | "untilReceived" | "untilClosed"> => {
  const until: Receiver["until"] = (awaited, condition) =>
    Effect.callback((resume) => {
      const stop = () => {
        clearTimeout(timer)
        changes.off("change", check)
      }
      const end = (result: Effect.Effect<void>) => {
        stop()
        resume(result)
      }
      const check = () => {
        if (condition()) end(Effect.void)
      }
      const timer = setTimeout(() => end(Effect.die(new Error(`Waited ${timeout} ms for ${awaited}`))), timeout)
      changes.on("change", check)
      check()
      return Effect.sync(stop)
    })
  return {
    until,
    untilReceived: (count) => until(`${count} requests`, () => received.length === count),
    untilClosed: until("the end of all connections", () => connections.every((socket) => socket.destroyed))
  }
}

const listening = <A extends Server>(server: A, connections: Array<Socket>, changes: EventEmitter) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.on("connection", (socket: Socket) => {
        connections.push(socket)
        socket.on("error", () => {})
        socket.on("close", () => changes.emit("change"))
        changes.emit("change")
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

/** An HTTP server that calls `answer` when it has read the whole request. */
export const make = (
  answer: (response: http.ServerResponse, request: http.IncomingMessage) => void,
  options: { readonly tls?: boolean } = {}
): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const connections: Array<Socket> = []
    const changes = new EventEmitter()
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
        changes.emit("change")
      })
    }
    const server =
      options.tls === true
        ? https.createServer({ cert: certificate, key: privateKey }, listener)
        : http.createServer(listener)
    const port = yield* listening(server, connections, changes)
    return { port, received, connections, ...waitsOf(changes, received, connections) }
  })

/** A TCP server: `serve` handles each connection. */
export const makeRaw = (serve: (socket: Socket, index: number) => void): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const connections: Array<Socket> = []
    const changes = new EventEmitter()
    const server = createServer()
    const port = yield* listening(server, connections, changes)
    // Without reading, the end of a connection would never be seen.
    server.on("connection", (socket) => serve(socket.resume(), connections.length - 1))
    return { port, received: [], connections, ...waitsOf(changes, [], connections) }
  })
