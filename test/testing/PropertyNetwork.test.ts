import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClientRequest } from "effect/http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { PropertyNetwork, start } from "property-network/testing"

layer(PropertyNetwork.layerTest)("The service in memory", (it) => {
  it.effect("is a layer with a tenant, an HTTP client and a clock", () =>
    Effect.gen(function*() {
      const { http, token } = yield* PropertyNetwork
      const request = HttpClientRequest.post("/api/v1/network/contacts").pipe(
        HttpClientRequest.bearerToken(token),
        HttpClientRequest.bodyJsonUnsafe({ firstName: "Anna" })
      )
      const created = yield* http.execute(request)
      assert.strictEqual(created.status, 201)
    }))

  it.effect("expires tokens by its clock", () =>
    Effect.gen(function*() {
      const { addTenant, advance, fetch } = yield* PropertyNetwork
      const { token } = yield* addTenant("Others")
      const me = () =>
        Effect.promise(() =>
          fetch("http://property-network.test/api/v1/auth/me", { headers: { authorization: `Bearer ${token}` } })
        )
      assert.strictEqual((yield* me()).status, 200)
      yield* advance("29 days")
      assert.strictEqual((yield* me()).status, 200)
      yield* advance("1 day")
      assert.strictEqual((yield* me()).status, 401)
    }))
})

describe("The service in memory, with promises", () => {
  it("delivers webhooks to a receiver, and retries them for 35 hours within the test", async () => {
    const service = await start()
    const attempts: Array<string> = []
    const receiver = createServer((request, response) => {
      attempts.push(String(request.headers["webhook-id"]))
      response.writeHead(attempts.length < 9 ? 500 : 204).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
    try {
      const send = (path: string, body: unknown) =>
        service.fetch(`${service.baseUrl}${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
          body: JSON.stringify(body)
        })
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
      assert.strictEqual((await send("/api/v1/webhooks", { url, events: ["contact.created"] })).status, 201)
      assert.strictEqual((await send("/api/v1/network/contacts", { firstName: "Anna" })).status, 201)
      await service.drain()
      assert.strictEqual(attempts.length, 1)
      await service.advance("40 hours")
      assert.strictEqual(attempts.length, 9)
      assert.strictEqual(new Set(attempts).size, 1)
    } finally {
      receiver.close()
      await service.stop()
    }
  })

  it("refuses other hosts instead of reaching out", async () => {
    const service = await start()
    try {
      await service.fetch("http://example.com/")
      assert.fail("it reached out")
    } catch (error) {
      assert.include(String(error), "only http://property-network.test is here")
    } finally {
      await service.stop()
    }
  })
})
