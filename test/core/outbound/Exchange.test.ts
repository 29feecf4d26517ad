import * as Receiver from "./Receiver.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { type Connections, openConnections } from "../../../src/core/outbound/Connections.ts"
import { exchange } from "../../../src/core/outbound/Exchange.ts"
import { makeGuard } from "../../../src/core/outbound/OutboundGuard.ts"

/** Sends a request over the pool, with any host name. */
const asking = Effect.fnUntraced(function* (connections: Connections, port: number, name: string) {
  const guard = yield* makeGuard({
    allowHttp: true,
    allowedNetworks: ["127.0.0.1/32"],
    resolve: async () => ["127.0.0.1"]
  })
  const target = Result.getOrThrow(guard.target(`http://${name}:${port}/`))
  const { outcome } = yield* exchange({ target, headers: {}, guard, connections, deadlineMillis: 5000 })
  assert.strictEqual(outcome, "answered")
})

const isOpen = (receiver: Receiver.Receiver) => receiver.connections.filter((socket) => !socket.destroyed).length

const thanking: Effect.Effect<Receiver.Receiver, never, Scope.Scope> = Receiver.make((response) => response.end())

describe("an idle connection", () => {
  it.live("is reused for its own host name only", () =>
    Effect.gen(function* () {
      const connections = yield* openConnections()
      const receiver = yield* thanking
      for (const name of ["a.example", "b.example", "a.example", "b.example"]) {
        yield* asking(connections, receiver.port, name)
      }
      assert.strictEqual(receiver.connections.length, 2)
    })
  )

  it.live("is closed if the pool is full, whatever the host names", () =>
    Effect.gen(function* () {
      const connections = yield* openConnections({ maxIdle: 3 })
      const receiver = yield* thanking
      for (let number = 0; number < 8; number++) yield* asking(connections, receiver.port, `${number}.example`)
      yield* receiver.until("three open connections", () => isOpen(receiver) === 3)
      yield* asking(connections, receiver.port, "0.example")
      assert.strictEqual(receiver.connections.length, 8)
    })
  )

  it.live("is closed after its maximum age, even if it is in use, because its host name may resolve differently", () =>
    Effect.gen(function* () {
      const connections = yield* openConnections({ maxAgeMillis: 0 })
      const receiver = yield* thanking
      for (let count = 0; count < 3; count++) yield* asking(connections, receiver.port, "a.example")
      assert.strictEqual(receiver.connections.length, 3)
      yield* receiver.untilClosed
    })
  )
})
