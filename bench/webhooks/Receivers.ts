/** Receivers on the loopback, healthy and failing, that record all requests. */
import { Effect, Random } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { Webhook as Verifier } from "standardwebhooks"
import { listen } from "../Loopback.ts"

/**
 * The behaviour of a receiver: `healthy` responds with 204 within 20 ms, `hangs` never responds, `fails` responds with 500,
 * `busy` responds with 429 and a `Retry-After` of 5 seconds.
 */
export type Kind = "healthy" | "hangs" | "fails" | "busy"

/** A connection of a worker. */
export interface Connection {
  /** Unix time in milliseconds, as all times here. */
  closedAt: number | undefined
}

/** A received request. */
export interface Received {
  readonly messageId: string
  readonly receivedAt: number
  readonly connection: Connection
  /** When the whole response was written, if it was. */
  answeredAt: number | undefined
}

/** A receiver. */
export interface Receiver {
  readonly kind: Kind
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** How many requests had a signature that `standardwebhooks` does not accept. */
  readonly forgeries: () => number
  /** Sets the secret of its webhook. */
  readonly trust: (secret: string) => void
  /** Makes it healthy from the next request. */
  readonly cure: () => void
}

const statusOf = { healthy: 204, fails: 500, busy: 429 } as const

/** Starts a receiver until the scope ends. Its responses take 5 to 20 ms, at random from this fiber's `Random`. */
export const make = Effect.fnUntraced(function* (kind: Kind) {
  const random = yield* Random.Random
  const received: Array<Received> = []
  const connections = new WeakMap<Socket, Connection>()
  let state = kind
  let verifier: Verifier | undefined
  let forgeries = 0

  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket)
    if (known !== undefined) return known
    const connection: Connection = { closedAt: undefined }
    connections.set(socket, connection)
    socket.once("close", () => (connection.closedAt = Date.now()))
    return connection
  }

  const verify = (request: IncomingMessage, body: Buffer) => {
    try {
      verifier?.verify(body, {
        "webhook-id": String(request.headers["webhook-id"]),
        "webhook-timestamp": String(request.headers["webhook-timestamp"]),
        "webhook-signature": String(request.headers["webhook-signature"])
      })
    } catch {
      forgeries++
    }
  }

  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const one: Received = {
      messageId: String(request.headers["webhook-id"]),
      receivedAt: Date.now(),
      connection: connectionOf(request.socket),
      answeredAt: undefined
    }
    received.push(one)
    verify(request, body)
    const now = state
    if (now === "hangs") return
    setTimeout(
      () => {
        if (response.destroyed) return
        response.once("finish", () => (one.answeredAt = Date.now()))
        response.writeHead(statusOf[now], now === "busy" ? { "retry-after": "5" } : {}).end()
      },
      5 + 15 * random.nextDoubleUnsafe()
    )
  }

  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    // A killed worker closes its connections.
    request.on("error", () => {})
    response.on("error", () => {})
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => answer(request, response, Buffer.concat(chunks)))
  })
  const port = yield* listen(server)
  const receiver: Receiver = {
    kind,
    url: `http://127.0.0.1:${port}/in`,
    received,
    forgeries: () => forgeries,
    trust: (secret) => {
      verifier = new Verifier(secret)
    },
    cure: () => {
      state = "healthy"
    }
  }
  return receiver
})
