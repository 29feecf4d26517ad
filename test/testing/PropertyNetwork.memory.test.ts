import { afterAll, assert, beforeAll, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClientRequest } from "effect/http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { File } from "../../src/content/files/File.ts"
import * as Process from "../support/Process.ts"
import { createClient } from "property-network/client"
import { PropertyNetwork, start, type Started } from "property-network/testing"

layer(PropertyNetwork.layerTest)("The service in memory", (it) => {
  it.effect("is a layer with a tenant, an HTTP client and a clock", () =>
    Effect.gen(function* () {
      const { http, token } = yield* PropertyNetwork
      const request = HttpClientRequest.post("/api/v1/network/contacts").pipe(
        HttpClientRequest.bearerToken(token),
        HttpClientRequest.bodyJsonUnsafe({ firstName: "Anna" })
      )
      const created = yield* http.execute(request)
      assert.strictEqual(created.status, 201)
    })
  )

  it.effect("expires tokens by its clock", () =>
    Effect.gen(function* () {
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
    })
  )
})

describe("The service in memory, with promises", () => {
  let service: Started

  beforeAll(async () => {
    service = await start()
  })

  afterAll(() => service.stop())

  it("stores files and returns them", async () => {
    const request = (path: string, init: RequestInit = {}) =>
      service.fetch(`${service.baseUrl}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${service.token}`, ...init.headers }
      })
    const made = await request("/api/v1/network/contacts", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ firstName: "Anna" })
    })
    const { id } = (await made.json()) as { readonly id: string }
    const form = new FormData()
    form.append("file", new Blob(["0123456789".repeat(100_000)]), "numbers.txt")
    const uploaded = await request(`/api/v1/network/contacts/${id}/files`, { method: "POST", body: form })
    assert.strictEqual(uploaded.status, 201)
    const file = (await uploaded.json()) as File
    assert.strictEqual(file.size, 1_000_000)
    const whole = await request(`/api/v1/files/${file.id}/content`)
    assert.lengthOf(await whole.text(), 1_000_000)
    const part = await request(`/api/v1/files/${file.id}/content`, { headers: { range: "bytes=-3" } })
    assert.deepStrictEqual(
      [part.status, part.headers.get("content-range"), await part.text()],
      [206, "bytes 999997-999999/1000000", "789"]
    )
    const head = await request(`/api/v1/files/${file.id}/content`, { method: "HEAD" })
    assert.deepStrictEqual([head.status, head.headers.get("content-length"), await head.text()], [200, "1000000", ""])
    assert.strictEqual((await request(`/api/v1/files/${file.id}`, { method: "DELETE" })).status, 204)
    await service.drain()
    assert.strictEqual((await request(`/api/v1/files/${file.id}/content`)).status, 404)
  })

  it("delivers webhooks to a receiver, and retries them for 35 hours within the test", async () => {
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
    }
  })

  it("purges what is past its retention when its clock is advanced", async () => {
    const authorized = async (path: string, init: RequestInit = {}) => {
      const response = await service.fetch(`${service.baseUrl}/openid/token`, {
        method: "POST",
        headers: {
          authorization: `Basic ${btoa(`${service.clientId}:${service.clientSecret}`)}`,
          "content-type": "application/x-www-form-urlencoded"
        },
        body: "grant_type=client_credentials"
      })
      const { access_token } = (await response.json()) as { readonly access_token: string }
      return service.fetch(`${service.baseUrl}/api/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" }
      })
    }
    await authorized("/network/contacts", { method: "POST", body: JSON.stringify({ firstName: "Anna" }) })
    assert.strictEqual((await authorized("/changes?after=0")).status, 200)
    await service.advance("100 days")
    assert.strictEqual((await authorized("/changes?after=0")).status, 410)
  })

  it("follows redirects of merged records, as fetch does", async () => {
    const { token } = await service.addTenant("Merged")
    const client = createClient({ baseUrl: service.baseUrl, token, fetch: service.fetch })
    const { id } = await client.contacts.create({ body: { firstName: "Anna" } })
    const other = await client.contacts.create({ body: { firstName: "Anne" } })
    await client.contacts.merge({ path: { id }, body: { from: [other.id] } })
    assert.strictEqual((await client.contacts.get({ path: { id: other.id } })).id, id)
    const raw = await service.fetch(`${service.baseUrl}/api/v1/network/contacts/${other.id}`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual"
    })
    assert.strictEqual(raw.status, 301)
  })

  it("refuses requests to other hosts", async () => {
    try {
      await service.fetch("http://example.com/")
      assert.fail("the request was sent")
    } catch (error) {
      assert.include(String(error), "this service answers requests to http://property-network.test only")
    }
  })
})

it("On a Node that is too old, the entry says which one it needs", async () => {
  const program = Process.start(
    [
      "--input-type=module",
      "--eval",
      `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.18.0" } })
      await import("./testing.js")`
    ],
    {}
  )
  assert.strictEqual((await program.ended).code, 1)
  assert.include(program.output.stderr, "property-network/testing needs Node 22.19 or later, and this is Node 22.18.0.")
})
