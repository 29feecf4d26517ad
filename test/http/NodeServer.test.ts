import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { makeServer } from "../../src/http/NodeServer.ts"

const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

/** The bytes that a client receives until its connection ends, when the server stops before it answers any request. */
const receivedFrom = (requests: number) =>
  Effect.promise(async () => {
    const server = makeServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    const responses: Array<ServerResponse> = []
    const all = new Promise<void>((resolve) =>
      server.on("request", (_: IncomingMessage, response: ServerResponse) => {
        if (responses.push(response) === requests) resolve()
      })
    )
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
    let received = ""
    socket.setEncoding("utf8").on("data", (chunk: string) => (received += chunk))
    socket.write(request.repeat(requests))
    await all
    const stopped = new Promise((resolve) => server.close(resolve))
    for (const [index, response] of responses.entries()) {
      response.end(`answer ${index}`)
      await once(response, "close")
    }
    await once(socket, "close")
    await stopped
    return received.match(/answer \d/g)
  })

describe("A server that stops", () => {
  it.effect("closes a kept-alive connection after the last response", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* receivedFrom(1), ["answer 0"])
    })
  )

  it.effect("answers all requests of a connection before it closes the connection", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* receivedFrom(3), ["answer 0", "answer 1", "answer 2"])
    })
  )
})
