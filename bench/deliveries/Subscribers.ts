/** Teams with webhooks, and their receivers on the loopback, healthy and failing, which record all requests. */
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import { Effect, Random } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Webhook as Verifier } from "standardwebhooks"
import type { EventType } from "../../src/core/mutation/Event.ts"
import { listen, type Service } from "../Service.ts"

/**
 * The behaviour of a receiver: `healthy` responds with 204 within 20 ms, `hangs` never responds, `fails` responds with 500,
 * `busy` responds with 429 and a `Retry-After` of 5 seconds.
 */
export type Kind = "healthy" | "hangs" | "fails" | "busy"

/** A received request. */
export interface Received {
  readonly messageId: string
  /** When the whole response was written, if it was. Unix time in milliseconds. */
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
const makeReceiver = Effect.fnUntraced(function* (kind: Kind) {
  const random = yield* Random.Random
  const received: Array<Received> = []
  let state = kind
  let verifier: Verifier | undefined
  let forgeries = 0

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

/** The behaviour and the events of a receiver. */
export interface Wanted {
  readonly kind: Kind
  readonly events: ReadonlyArray<EventType>
}

/** A receiver and its webhook. */
export interface Subscriber {
  readonly receiver: Receiver
  readonly id: string
  readonly uuid: string
  readonly team: Team
}

/** A team with a token of its administrator. */
export interface Team {
  readonly id: string
  readonly token: string
}

const path = "/api/v1/webhooks"

/** Creates a team. */
export const team = Effect.map(Tenant.make(), ({ teamId, token }): Team => ({ id: teamId, token }))

/** Creates a receiver with its webhook. */
export const subscribe = Effect.fnUntraced(function* (service: Service, team: Team, wanted: Wanted) {
  const receiver = yield* makeReceiver(wanted.kind)
  const { body } = yield* Effect.promise(() =>
    service.request("POST", path, team.token, { url: receiver.url, events: wanted.events, name: wanted.kind })
  )
  receiver.trust(String(body["secret"]))
  const id = String(body["id"])
  const subscriber: Subscriber = { receiver, id, uuid: Id.toUuid("webhook", id) ?? "", team }
  return subscriber
})

/** Makes webhooks `active` or `paused`. */
export const setStatus = (service: Service, subscribers: ReadonlyArray<Subscriber>, status: "active" | "paused") =>
  Effect.forEach(
    subscribers,
    ({ id, team }) => Effect.promise(() => service.request("PATCH", `${path}/${id}`, team.token, { status })),
    { discard: true }
  )
